"""A written-out value of JavaScript, and another one of its kind."""

from __future__ import annotations

from collections.abc import Iterator

from autopilot.testtools.expectations.site import Draw
from autopilot.text.script_tree import ScriptTree


def other_script_literal(tree: ScriptTree, text: bytes, index: int, draw: Draw) -> tuple[int, int, bytes] | None:
    """The span to replace, and with what; None where it is no literal, or has none inside."""
    part = tree.parts[index]
    source = text[part.start : part.end]
    match part.kind:
        case "string":
            return part.end - 1, part.end, draw.word().encode() + source[-1:]
        case "template_string" if next(_inner(tree, index), None) is None:
            return part.end - 1, part.end, draw.word().encode() + b"`"
        case "number":
            end = b"n" if source.endswith(b"n") else b""
            return part.start, part.end, str(draw.number()).encode() + end
        case "true" | "false" | "null" | "undefined":
            instead = {b"true": b"false", b"false": b"true"}.get(source, b'"%s"' % draw.word().encode())
            return part.start, part.end, instead
        case "unary_expression" | "array" | "pair" | "object":
            inside = [child for child in tree.children(index) if tree.parts[child].field != "key"]
            if not inside and part.kind in ("array", "object"):
                filled = b"[%d]" if part.kind == "array" else b"{ other: %d }"
                return part.start, part.end, filled % draw.number()
            found = (other_script_literal(tree, text, child, draw) for child in inside)
            return next((edit for edit in found if edit), None)
        case _:
            return None


def _inner(tree: ScriptTree, index: int) -> Iterator[int]:
    return (child for child in tree.children(index) if tree.parts[child].kind == "template_substitution")


def script_scalars(tree: ScriptTree, text: bytes, index: int, draw: Draw) -> Iterator[tuple[int, int, bytes]]:
    """Every text, number and truth value that is written inside."""
    for inner in range(index, tree.after[index]):
        if tree.parts[inner].kind in ("string", "number", "true", "false") and tree.parts[inner].field != "key":
            edit = other_script_literal(tree, text, inner, draw)
            if edit:
                yield edit
