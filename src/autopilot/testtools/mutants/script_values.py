"""Another value of the same kind for a literal of a script."""

from __future__ import annotations

import re

from autopilot.text.script_tree import ScriptTree

_TYPED = frozenset({"as_expression", "satisfies_expression"})
_CODE = re.compile(r"function|method_definition|class")


def other_value(tree: ScriptTree, text: bytes, index: int, typed: bool) -> bytes | None:
    """None for what is no literal, is empty already, or holds functions: those are mutated by themselves."""
    part = tree.parts[index]
    if part.kind in _TYPED:  # `[…] as const`
        inner = next(tree.children(index), None)
        return None if inner is None else other_value(tree, text, inner, typed)
    source = text[part.start : part.end]
    other = _other(part.kind, source)
    if part.kind in {"array", "object"} and not any(tree.children(index)):
        return None
    if other is None or any(_CODE.search(inside.kind) for inside in tree.parts[index : tree.after[index]]):
        return None
    enumerated = tree.parts[part.parent].kind == "enum_assignment"
    return b"(%s as any)" % other if typed and not enumerated else other


def _other(kind: str, source: bytes) -> bytes | None:
    match kind:
        case "number" | "unary_expression" if re.fullmatch(rb"-?\s*[\w.]+", source):
            return b"(%s + %s)" % (source, b"1n" if source.endswith(b"n") else b"1")
        case "true" | "false":
            return b"false" if kind == "true" else b"true"
        case "string":
            return b"%s_%s" % (source[:-1], source[-1:])
        case "template_string":
            return b'"_"'
        case "array":
            return b"[]"
        case "object":
            return b"{}"
        case "regex":
            return b"/(?!)/"  # matches nothing
        case _:
            return None
