"""Where things stand in a JSON text, so that it can be edited without being written anew."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

_SPACE = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()


class Member(Struct, frozen=True):
    key: str
    key_start: int
    start: int  # of the value
    end: int


def members(text: str, start: int) -> Iterator[Member]:
    """The members of the object whose ``{`` stands at ``start``. The text must be valid JSON."""
    position = _skip(text, start + 1)
    while text[position] != "}":
        key_start = position
        key, position = _DECODER.raw_decode(text, position)
        value = _skip(text, _skip(text, position) + 1)
        _, end = _DECODER.raw_decode(text, value)
        yield Member(key, key_start, value, end)
        position = _skip(text, end)
        if text[position] == ",":
            position = _skip(text, position + 1)


def elements(text: str, start: int) -> Iterator[tuple[int, int]]:
    """Where each element of the array begins and ends whose ``[`` stands at ``start``. The text must be valid JSON."""
    position = _skip(text, start + 1)
    while text[position] != "]":
        _, end = _DECODER.raw_decode(text, position)
        yield position, end
        position = _skip(text, end)
        if text[position] == ",":
            position = _skip(text, position + 1)


def find(text: str, keys: Sequence[str]) -> Member | None:
    """The member at this path of keys; a key written twice counts once, the last wins as in every JSON reader."""
    start, found = _skip(text, 0), None
    for key in keys:
        if text[start : start + 1] != "{":
            return None
        found = next((member for member in reversed(list(members(text, start))) if member.key == key), None)
        if found is None:
            return None
        start = found.start
    return found


def line_of(text: str, keys: Sequence[str]) -> int:
    """The line of a key, or of the nearest parent that is there."""
    for depth in range(len(keys), 0, -1):
        if found := find(text, keys[:depth]):
            return text.count("\n", 0, found.key_start) + 1
    return 1


def insert_member(text: str, start: int, key: str, rendered: str) -> str:
    """Add a member at the end of the object that opens at ``start``, in the style of its neighbours."""
    existing = list(members(text, start))
    if not existing:
        close = _skip(text, start + 1)
        outer = _indent_at(text, start)
        return f"{text[: start + 1]}\n{outer}  {json.dumps(key)}: {rendered}\n{outer}{text[close:]}"
    last = existing[-1]
    inline = "\n" not in text[start : existing[0].key_start]
    gap = " " if inline else _line_end(text, start) + _indent_at(text, last.key_start)
    return f"{text[: last.end]},{gap}{json.dumps(key)}: {rendered}{text[last.end :]}"


def _line_end(text: str, start: int) -> str:
    """As the first line behind ``start`` ends."""
    feed = text.find("\n", start)
    return "\r\n" if text[feed - 1 : feed] == "\r" else "\n"


def _indent_at(text: str, position: int) -> str:
    line = text[text.rfind("\n", 0, position) + 1 : position]
    return line[: len(line) - len(line.lstrip())]


def _skip(text: str, position: int) -> int:
    found = _SPACE.match(text, position)
    assert found
    return found.end()
