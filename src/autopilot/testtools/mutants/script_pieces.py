"""The pieces of a script that can be mutated: functions outside of functions, and values with a name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from msgspec import Struct

from autopilot.testtools.mutants.script_values import other_value
from autopilot.text.script_tree import ScriptTree

FUNCTIONS = frozenset(
    {
        "function_declaration",
        "function_expression",
        "generator_function",
        "generator_function_declaration",
        "method_definition",
        "arrow_function",
    }
)
_NAMED = {
    "class_declaration": "name",
    "abstract_class_declaration": "name",
    "class": "name",
    "variable_declarator": "name",
    "pair": "key",
    "public_field_definition": "name",
    "assignment_expression": "left",
    "enum_declaration": "name",
    "enum_assignment": "name",
}
_HOLDERS = frozenset({"variable_declarator", "public_field_definition", "enum_assignment", "assignment_expression"})
_DEPTH = 100  # parts around a piece that may give it its name


class Piece(Struct, frozen=True):
    index: int  # in the tree
    name: str
    start: int  # of the whole function or value, by which it is known
    end: int
    first: int  # of the span that is replaced
    last: int
    nothing: bytes
    true: bytes
    is_function: bool = True


def pieces(tree: ScriptTree, text: bytes, typed: bool) -> Iterator[Piece]:
    """Nested functions go with their outer one, but a function that only wraps a file is opened."""
    index = 0
    while index < len(tree.parts):
        part = tree.parts[index]
        if part.kind in FUNCTIONS and not wraps(tree, text, index):
            if not part.wrong and (piece := _function(tree, text, index, typed)):
                yield piece
            index = tree.after[index]
            continue
        if part.field in {"value", "right"} and tree.parts[part.parent].kind in _HOLDERS and not part.wrong:
            other = other_value(tree, text, index, typed)
            if other is not None and (name := _name(tree, text, index)):
                yield Piece(index, name, part.start, part.end, part.start, part.end, other, other, is_function=False)
                index = tree.after[index]
                continue
        index += 1


def wraps(tree: ScriptTree, text: bytes, index: int) -> bool:
    """``(function () { … })()`` and what it or ``define`` is given: the file itself, put into a function."""
    outer = next(
        (ancestor for ancestor in tree.around(index) if tree.parts[ancestor].kind != "parenthesized_expression"), -1
    )
    if outer >= 0 and tree.parts[outer].kind == "arguments":
        outer = tree.parts[outer].parent
    callee = tree.child(outer, "function") if outer >= 0 and tree.parts[outer].kind == "call_expression" else None
    if callee is None:
        return False
    while tree.parts[callee].kind == "parenthesized_expression" and callee + 1 < tree.after[callee]:
        callee += 1
    called = tree.parts[callee]
    return called.kind in FUNCTIONS or text[called.start : called.end] == b"define"


def _function(tree: ScriptTree, text: bytes, index: int, typed: bool) -> Piece | None:
    part = tree.parts[index]
    body = tree.child(index, "body")
    bodies = None if body is None else _bodies(tree, text, index, body, typed)
    if body is None or bodies is None:
        return None
    span = tree.parts[body]
    name = _name(tree, text, index) or "an anonymous function"
    return Piece(index, name, part.start, part.end, span.start, span.end, *bodies)


def _bodies(tree: ScriptTree, text: bytes, index: int, body: int, typed: bool) -> tuple[bytes, bytes] | None:
    """None for a body that does nothing already, and for a constructor that could not be one without its own."""
    part, span = tree.parts[index], tree.parts[body]
    nothing, true = (b"undefined as any", b"true as any") if typed else (b"undefined", b"true")
    if span.kind != "statement_block":
        already = text[span.start : span.end] in {b"undefined", b"null", b"void 0"}
        return None if already else ((b"(%s)" % nothing, b"(%s)" % true) if typed else (nothing, true))
    if all(tree.parts[child].kind == "comment" for child in tree.children(body)):
        return None
    name = tree.child(index, "name")
    before = text[part.start : tree.parts[name].start if name is not None else span.start]
    if part.kind == "method_definition" and name is not None:
        if text[tree.parts[name].start : tree.parts[name].end] == b"constructor":
            empty = _empty_constructor(tree, text, index, body)
            return None if empty is None else (empty, empty)
        if re.search(rb"\bset\s+$", before):
            return b"{ }", b"{ }"
    if part.kind.startswith("generator") or (part.kind == "method_definition" and b"*" in before):
        return b"{ return %s; }" % nothing, b"{ yield %s; }" % true
    return b"{ return %s; }" % nothing, b"{ return %s; }" % true


def _empty_constructor(tree: ScriptTree, text: bytes, index: int, body: int) -> bytes | None:
    """A class that extends another must call that one's constructor before anything else."""
    holder = tree.parts[tree.parts[index].parent].parent
    heritage = [tree.parts[child] for child in tree.children(holder) if tree.parts[child].kind == "class_heritage"]
    if not any(text.startswith(b"extends", part.start) for part in heritage):
        return b"{ }"
    first, *rest = (text[tree.parts[child].start : tree.parts[child].end] for child in tree.children(body))
    return b"{ %s }" % first if rest and re.match(rb"super\s*\(", first) else None


def _name(tree: ScriptTree, text: bytes, index: int) -> str:
    names: list[str] = []
    for ancestor in (index, *islice(tree.around(index), _DEPTH)):
        part = tree.parts[ancestor]
        field = "name" if part.kind in FUNCTIONS else _NAMED.get(part.kind)
        child = tree.child(ancestor, field) if field else None
        if child is not None:
            names.append(text[tree.parts[child].start : tree.parts[child].end].decode(errors="replace")[:80])
    return ".".join(reversed(names))
