"""Script text in, the same text out with changed functions that return something near to what they return."""

from __future__ import annotations

import re

from autopilot.testtools.mutants.edit import Constant, Edit, Near, splice, worth_mutating
from autopilot.testtools.mutants.script import changed_pieces, holds, without_types
from autopilot.testtools.mutants.script_pieces import FUNCTIONS, Piece
from autopilot.testtools.near.effects import has_effects
from autopilot.testtools.near.near_script_code import CALL, CODE, VALUE, WAIT
from autopilot.text.script_tree import ScriptTree, script_tree

_ASYNC = re.compile(rb"\basync\b")
_SETTER = re.compile(rb"\bset\s+$")


def near_script(old: bytes | None, new: bytes, *, typed: bool = False, jsx: bool = True) -> Near | None:
    tree = None if b"\0" in new else script_tree(new, typed=not jsx)
    if tree is None:
        return None
    found = dict(changed_pieces(old, new, tree, typed=typed, jsx=jsx))
    chosen = [(edit, found[edit]) for edit in worth_mutating(tuple(found)) if edit.is_function]
    chosen = [(edit, piece) for edit, piece in chosen if not _makes(tree, new, piece)]
    answering = [(edit, piece) for edit, piece in chosen if _returns_value(tree, piece)]
    near = {edit: _near(tree, new, piece) for edit, piece in answering}
    edits = tuple(near.get(edit) or edit for edit, _ in chosen)
    if not answering or not holds(tree, new, edits, jsx):
        return None
    end = Edit(len(new), len(new), CODE, CODE)
    text = splice(new, (*without_types(new, typed=typed), *edits, end), Constant.NOTHING)
    pure = not any(has_effects(new[piece.start : piece.end].decode(errors="replace")) for _, piece in answering)
    return Near(text, tuple(edit.name for edit, _ in answering), is_pure=pure)


def _near(tree: ScriptTree, text: bytes, piece: Piece) -> Edit:
    body, head = text[piece.first : piece.last], text[piece.start : piece.first]
    is_async, is_block = _ASYNC.search(head) is not None, body.startswith(b"{")
    inner = body if is_block else b"(%s)" % body
    if _is_generator(tree, text, piece):
        work = b"(function* () %s).apply(this, arguments)" % body
        near = b"{ for (const one of %s) yield %s(one); }" % (work, VALUE)
        return Edit(piece.first, piece.last, near, near)
    called = b"%s(async () => %s)" % (WAIT, inner) if is_async else b"%s(() => %s)" % (CALL, inner)
    near = b"{ return %s; }" % called if is_block else called
    return Edit(piece.first, piece.last, near, near)


def _makes(tree: ScriptTree, text: bytes, piece: Piece) -> bool:
    """A constructor or a setter returns nothing; a generator that awaits or asks its parent cannot be put inside."""
    name = tree.child(piece.index, "name")
    if tree.parts[piece.index].kind == "method_definition" and name is not None:
        spelled = text[tree.parts[name].start : tree.parts[name].end]
        if spelled == b"constructor" or _SETTER.search(text[piece.start : tree.parts[name].start]):
            return True
    body = text[piece.first : piece.last]
    return _is_generator(tree, text, piece) and re.search(rb"\b(?:await|super)\b", body) is not None


def _is_generator(tree: ScriptTree, text: bytes, piece: Piece) -> bool:
    name = tree.child(piece.index, "name")
    before = text[piece.start : tree.parts[name].start if name is not None else piece.first]
    kind = tree.parts[piece.index].kind
    return kind.startswith("generator") or (kind == "method_definition" and b"*" in before)


def _returns_value(tree: ScriptTree, piece: Piece) -> bool:
    body = tree.child(piece.index, "body")
    if body is None or tree.parts[body].kind != "statement_block":
        return True
    for index in range(body, tree.after[body]):
        kind = tree.parts[index].kind
        if kind not in ("return_statement", "yield_expression") or not any(tree.children(index)):
            continue
        holder = next((place for place in tree.around(index) if tree.parts[place].kind in FUNCTIONS), -1)
        if holder == piece.index:
            return True
    return False
