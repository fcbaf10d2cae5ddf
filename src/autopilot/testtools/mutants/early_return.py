"""Constants for languages with a compiler: a changed function returns one before its own body begins.

The body stays behind the return, so every import and every parameter is used as before and the types still hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from autopilot.testtools.mutants.edit import Constant, Edit, Mutated, names_of, splice, worth_mutating
from autopilot.text.grammar import Grammar
from autopilot.text.script_tree import ScriptTree, flat_tree


class Function(Struct, frozen=True):
    name: str
    start: int  # of the whole function, by which it is known
    end: int
    first: int  # of the span that is replaced
    last: int
    nothing: bytes
    true: bytes
    early: bool = False  # runs before any test does, or returns a constant already
    has_constant: bool = True


ReadFunctions = Callable[[ScriptTree, bytes], Iterator[Function]]


def mutate_by_early_return(old: bytes | None, new: bytes, grammar: Grammar, read: ReadFunctions) -> Mutated | None:
    tree = flat_tree(new, grammar)
    if tree is None:
        return None
    changed = changed_functions(old, new, tree, grammar, read)
    if not all(function.has_constant for function in changed):
        return Mutated(new, new, (), (), is_partial=True)
    edits = worth_mutating(
        [
            Edit(function.first, function.last, function.nothing, function.true, function.name, early=function.early)
            for function in changed
        ]
    )
    if not edits:
        return None
    nothing, true = (splice(new, edits, constant) for constant in Constant)
    return Mutated(nothing, true, names_of(edits, functions=True), ())


def changed_functions(
    old: bytes | None, new: bytes, tree: ScriptTree, grammar: Grammar, read: ReadFunctions
) -> list[Function]:
    before = flat_tree(old, grammar) if old is not None else None
    known = {_key(function, old) for function in read(before, old)} if before and old else set[tuple[str, bytes]]()
    return [function for function in read(tree, new) if _key(function, new) not in known]


def _key(function: Function, text: bytes) -> tuple[str, bytes]:
    """The same for a function that only moved or was only indented."""
    return function.name, b" ".join(text[function.start : function.end].split())
