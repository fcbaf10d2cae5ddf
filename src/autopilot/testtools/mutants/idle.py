"""An idle mutant: what always gives one and the same answer gives it, and does nothing else.

A test that still passes has asked for a word, and not for what was done.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from msgspec import Struct

from autopilot.testtools.mutants.edit import Constant, Edit, splice
from autopilot.testtools.mutants.mutant import MAX_BYTES, MAX_FILES, Contents, Mutant, can_mutate, list_names
from autopilot.testtools.mutants.python import changed_pieces as python_pieces
from autopilot.testtools.mutants.python import read_source
from autopilot.testtools.mutants.python_pieces import own_nodes
from autopilot.testtools.mutants.script import changed_pieces as script_pieces
from autopilot.testtools.mutants.script import holds
from autopilot.testtools.mutants.script_pieces import FUNCTIONS
from autopilot.testtools.mutants.shell import SHEBANG, is_definition, runs_by_itself
from autopilot.testtools.near.effects import has_effects
from autopilot.text.file_kind import suffix_of
from autopilot.text.grammar import Grammar
from autopilot.text.python_tree import compiles
from autopilot.text.script_tree import ScriptTree, flat_tree, script_tree

_LITERALS = frozenset({"string", "number", "true", "false"})
_SAYS = re.compile(rb"(?:echo|printf)\b[^$`\\]*+\Z")  # nothing of what it is given
# To note what is done is not to do it.
_NOTES = re.compile(r"^[^\n]*\b(?:log|logger|logging|console|print|warnings)\b[^\n]*$", re.MULTILINE)
_LEAVES = re.compile(
    r"\.(?:write\w*|save\w*|send\w*|put|post|commit|execute\w*|unlink|mkdir|touch|rename|remove|copy\w*|dump\w*|append\w*|"
    r"publish|emit|delete|insert\w*|update\w*|add)\s*\("
)
_GIVEN = re.compile(rb"\$(?:\{?[1-9]|[@*])")


class Idle(Struct, frozen=True):
    mutant: Mutant
    names: tuple[str, ...]  # of the functions, and of the files that are scripts


def idle_mutant(changed: Mapping[str, Contents]) -> Idle | None:
    edits, names = dict[str, bytes](), list[str]()
    for path, (old, new) in sorted(changed.items())[:MAX_FILES]:
        if not can_mutate(path) or len(new) > MAX_BYTES:
            continue
        made, found = _one(path, old, new)
        if made is not None:
            edits[path] = made
            names += found
    if not edits:
        return None
    return Idle(Mutant(f"{list_names(names)} giving the one answer and doing nothing", edits), tuple(names))


def _one(path: str, old: bytes | None, new: bytes) -> tuple[bytes | None, list[str]]:
    suffix = suffix_of(path)
    if suffix == ".py":
        return _python(old, new)
    if suffix in (".js", ".mjs", ".cjs"):
        return _script(old, new)
    if suffix in (".sh", ".bash") or (not suffix and SHEBANG.match(new)):
        return _shell(old, new, path)
    return None, []


def _does_more(source: str) -> bool:
    code = _NOTES.sub("", source)
    return _LEAVES.search(code) is not None or has_effects(code)


def _python(old: bytes | None, new: bytes) -> tuple[bytes | None, list[str]]:
    source = read_source(new)
    found = list(_python_edits(old, new)) if source else []
    text = splice(source.text, found, Constant.NOTHING) if source and found else None
    if source is None or text is None or not compiles(text.decode()):
        return None, []
    return source.encode(text), [edit.name for edit in found]


def _python_edits(old: bytes | None, new: bytes) -> Iterator[Edit]:
    source = read_source(new)
    for edit, piece in python_pieces(old, source) if source else ():
        function = piece.function
        if source is None or function is None or edit.early:
            continue
        returned = {ast.dump(n.value) if n.value else "" for n in own_nodes(function) if isinstance(n, ast.Return)}
        last, text = function.body[-1], ast.get_source_segment(source.text.decode(), function) or ""
        if len(returned) == 1 and isinstance(last, ast.Return) and isinstance(last.value, ast.Constant):
            spelled = ast.unparse(last).encode()
            if last.value.value is not None and _does_more(text) and function.args.args:
                yield Edit(edit.start, edit.end, spelled, spelled, edit.name)


def _script(old: bytes | None, new: bytes) -> tuple[bytes | None, list[str]]:
    tree = None if b"\0" in new else script_tree(new)
    if tree is None:
        return None, []
    found = []
    for edit, piece in script_pieces(old, new, tree, typed=False, jsx=True):
        answer = _only_answer(tree, new, piece.index)
        if answer and not edit.early and _does_more(new[piece.start : piece.end].decode(errors="replace")):
            body = b"{ return %s; }" % answer
            found.append(Edit(piece.first, piece.last, body, body, edit.name))
    if not found or not holds(tree, new, tuple(found), jsx=True):
        return None, []
    return splice(new, found, Constant.NOTHING), [edit.name for edit in found]


def _only_answer(tree: ScriptTree, text: bytes, function: int) -> bytes:
    """The literal that every `return` of it gives; "" where there is none, or another one."""
    body = tree.child(function, "body")
    if body is None or tree.parts[body].kind != "statement_block":
        return b""
    answers = set[bytes]()
    for index in range(body, tree.after[body]):
        if tree.parts[index].kind != "return_statement":
            continue
        if next((place for place in tree.around(index) if tree.parts[place].kind in FUNCTIONS), -1) != function:
            continue
        value = next(tree.children(index), None)
        is_literal = value is not None and tree.parts[value].kind in _LITERALS
        answers.add(_source(tree, text, value) if value is not None and is_literal else b"")
    return next(iter(answers)) if len(answers) == 1 else b""


def _shell(old: bytes | None, new: bytes, path: str) -> tuple[bytes | None, list[str]]:
    """The words that a script always says, without the commands that are given its arguments."""
    tree = flat_tree(new, Grammar.BASH) if runs_by_itself(old, new) else None
    done = [index for index in tree.children(0) if not is_definition(tree, new, index)] if tree else []
    sources = [_source(tree, new, index) for index in done] if tree else []
    dropped = [source for source in sources if not _SAYS.match(source)]
    says = [source for source in sources if _SAYS.match(source)]
    speaks = any(re.search(rb"\b(?:echo|printf)\b", source) for source in dropped)
    if tree is None or not says or speaks or not any(_GIVEN.search(source) for source in dropped):
        return None, []
    spans = [(tree.parts[index], source) for index, source in zip(done, sources, strict=True)]
    edits = [Edit(part.start, part.end, b":", b":") for part, source in spans if source in dropped]
    return splice(new, edits, Constant.NOTHING), [path.rpartition("/")[2]]


def _source(tree: ScriptTree, text: bytes, index: int) -> bytes:
    part = tree.parts[index]
    return text[part.start : part.end]
