"""What a text calls: each name once for the function around it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from autopilot.model.repomap.facts import Call
from autopilot.repomap.grammar import Grammar

if TYPE_CHECKING:
    from tree_sitter import Node

_LONGEST = 120  # bytes of an expression that are looked at; the name is at its end
_JOINED = re.compile(r"\?\.|!\.|\.|->|::|\\|:")
_NAMES = re.compile(r"[\w$@.?!:\\>-]+")
_NAME = re.compile(r"[\w$@?!]+")
UNKNOWN = "?"
_BEFORE = re.compile(rb"(?:[\w$@.]|>-|::|\.\?|\.&)+")  # from the end: so it is read once, whatever stands there


def read_calls(
    nodes: Sequence[Node], text: bytes, scopes: Sequence[tuple[int, int, str]], grammar: Grammar
) -> tuple[Call, ...]:
    """``scopes``: first byte, last byte and name of each definition, in the order of the text."""
    if grammar.is_no_call:
        nodes = [node for node in nodes if not grammar.is_no_call(node, text)]
    found: dict[tuple[str, bytes], list[int]] = {}
    stack: list[tuple[int, str]] = []
    looks_back = grammar.looks_back
    upcoming, total, within, until = 0, len(scopes), "", 0
    for node in nodes:
        start, end = node.byte_range
        if start >= until or (upcoming < total and scopes[upcoming][0] <= start):
            while upcoming < total and scopes[upcoming][0] <= start:
                stack.append(scopes[upcoming][1:])
                upcoming += 1
            while stack and stack[-1][0] <= start:
                stack.pop()
            within, until = (stack[-1][1], stack[-1][0]) if stack else ("", 1 << 62)
        if looks_back and (before := _BEFORE.match(text[max(0, start - _LONGEST) : start][::-1])):
            start -= before.end()
        key = (within, text[start if end - start <= _LONGEST else end - _LONGEST : end])
        known = found.get(key)
        if known is None:
            found[key] = [node.end_point[0] + 1, 1]
        else:
            known[1] += 1
    return tuple(
        Call(name, receiver, within, line, count)
        for (within, spelled), (line, count) in found.items()
        for receiver, name in (_split(spelled),)
        if name and name not in grammar.not_called
    )


@lru_cache(maxsize=8_192)  # the same few names all over a project
def _split(spelled: bytes) -> tuple[str, str]:
    """The receiver and the name: "self" and "save", "" and "open", UNKNOWN and "items"."""
    text = spelled.decode("utf-8", "replace")
    if text.endswith(">"):
        text = text.partition("<")[0]
    if text.isidentifier():
        return "", text
    if len(spelled) >= _LONGEST or not _NAMES.fullmatch(text):
        name = _JOINED.split(text)[-1].strip()
        return (UNKNOWN, name) if _NAME.fullmatch(name) else ("", "")
    *before, name = _JOINED.split(text)
    if before and not before[0]:
        return UNKNOWN, name
    return ".".join(part for part in before if part), name
