"""Where a string stands in a TOML text, so that it can be replaced without the text being written anew."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

_TABLE = re.compile(r"^[ \t]*\[[ \t]*([A-Za-z0-9_\"'-][A-Za-z0-9_.\"' \t-]*+)\][ \t]*(?:#.*)?\r?$")
_ARRAY = re.compile(r"^[ \t]*\[\[[ \t]*([A-Za-z0-9_\"'-][A-Za-z0-9_.\"' \t-]*+)\]\][ \t]*(?:#.*)?\r?$")
_STRING = re.compile(
    r"""^[ \t]*([A-Za-z0-9_"'-][A-Za-z0-9_."' \t-]*+)=[ \t]*(?:"([^"\\\r\n]*)"|'([^'\r\n]*)')[ \t]*(?:#.*)?\r?$"""
)
_KEY = re.compile(r"""^[ \t]*([A-Za-z0-9_"'-][A-Za-z0-9_."' \t-]*+)=""")
LONGEST_LINE = 1_000  # a version stands on a short one, and searching a long one could take for ever


class Text(Struct, frozen=True):
    """A string value: its path of keys, the index of its table among those of an array, and its span."""

    keys: tuple[str, ...]
    table: int
    value: str
    start: int
    end: int


def parse_toml(text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):  # a number of thousands of digits is no TOMLDecodeError
        return None


def strings(text: str) -> Iterator[Text]:
    """Every string that stands on a line of its own with its key. What is inside another string may be among them."""
    table: tuple[str, ...] = ()
    number, position = 0, 0
    for line in text.split("\n"):
        if len(line) > LONGEST_LINE:
            pass
        elif (found := _ARRAY.match(line)) or (found := _TABLE.match(line)):
            table, number = _keys(found[1]), number + 1
        elif found := _STRING.match(line):
            group = 2 if found[2] is not None else 3
            span = found.span(group)
            yield Text((*table, *_keys(found[1])), number, found[group], position + span[0], position + span[1])
        position += len(line) + 1


def find_string(text: str, keys: Sequence[str]) -> Text | None:
    """The one string at this path; None when it is written in a way that is not read here."""
    found = [string for string in strings(text) if string.keys == tuple(keys)]
    return found[0] if len(found) == 1 else None


def find_line(text: str, keys: Sequence[str]) -> int:
    """The number of the line on which a key is set or its table opened; 0 where it is written in another way."""
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LONGEST_LINE:
            continue
        if found := _TABLE.match(line):
            table = named = _keys(found[1])
        else:
            named = (*table, *_keys(found[1])) if (found := _KEY.match(line)) else ()
        if named == tuple(keys):
            return number
    return 0


def _keys(written: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in written.split("."))
