"""JavaScript or TypeScript text in, the same text out with constants in place of the work of its changed functions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autopilot.testtools.mutants.edit import (
    MAX_SINGLE,
    Constant,
    Edit,
    Mutated,
    names_of,
    splice,
    worth_mutating,
)
from autopilot.testtools.mutants.script_loading import runs_while_loading, used_while_loading
from autopilot.testtools.mutants.script_pieces import Piece, pieces
from autopilot.text.script_tree import ScriptTree, script_tree

# Types are checked by some test tools: a mutant must not fail because it is badly typed or leaves an import unused.
_NO_TYPES = b"// @ts-nocheck\n"
_HEAD = re.compile(rb"\A(?:\xef\xbb\xbf)?(?:#![^\n]*\n)?")


def mutate_script(old: bytes | None, new: bytes) -> Mutated | None:
    return _mutate(old, new, typed=False, jsx=True)


def mutate_typescript(old: bytes | None, new: bytes, *, jsx: bool = False) -> Mutated | None:
    return _mutate(old, new, typed=True, jsx=jsx)


def _mutate(old: bytes | None, new: bytes, *, typed: bool, jsx: bool) -> Mutated | None:
    tree = None if b"\0" in new else script_tree(new, typed=not jsx)
    if tree is None:
        return None
    edits = worth_mutating(tuple(edit for edit, _ in changed_pieces(old, new, tree, typed=typed, jsx=jsx)))
    if not holds(tree, new, edits, jsx):
        edits = tuple(edit for edit in edits[:MAX_SINGLE] if holds(tree, new, (edit,), jsx))
    edits = (*without_types(new, typed=typed and bool(edits)), *edits)
    if not names_of(edits, functions=True) + names_of(edits, functions=False) or not holds(tree, new, edits, jsx):
        return None
    nothing, true = (splice(new, edits, constant) for constant in Constant)
    return Mutated(nothing, true, names_of(edits, functions=True), names_of(edits, functions=False))


def _key(piece: Piece, text: bytes) -> tuple[str, bytes]:
    """The same for a piece that only moved or was only indented."""
    return piece.name, b" ".join(text[piece.start : piece.end].split())


def changed_pieces(
    old: bytes | None, new: bytes, tree: ScriptTree, *, typed: bool, jsx: bool
) -> Iterator[tuple[Edit, Piece]]:
    before = script_tree(old, typed=not jsx) if old is not None else None
    known = {_key(piece, old) for piece in pieces(before, old, typed)} if before and old else set[tuple[str, bytes]]()
    early = used_while_loading(tree, new)
    for piece in pieces(tree, new, typed):
        if _key(piece, new) not in known:
            is_early = piece.name in early or runs_while_loading(tree, new, piece.index)
            edit = Edit(piece.first, piece.last, piece.nothing, piece.true, piece.name, piece.is_function, is_early)
            yield edit, piece


def without_types(new: bytes, *, typed: bool) -> tuple[Edit, ...]:
    if not typed or b"@ts-nocheck" in new:
        return ()
    head = _HEAD.match(new)
    place = head.end() if head else 0
    return (Edit(place, place, _NO_TYPES, _NO_TYPES),)


def holds(tree: ScriptTree, text: bytes, edits: tuple[Edit, ...], jsx: bool) -> bool:
    """No place is wrong that was not: some code is none of the grammar's, and still runs."""
    after = (script_tree(splice(text, edits, constant), typed=not jsx) for constant in Constant)
    return all(mutated is not None and mutated.wrong <= tree.wrong for mutated in after)
