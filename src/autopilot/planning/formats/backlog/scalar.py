"""Where a value of a front matter stands, so that it can be replaced without the text being written anew."""

from __future__ import annotations

import re

from msgspec import Struct

from autopilot.text.frontmatter import parse_frontmatter

_KEY = re.compile(r"[A-Za-z_][\w-]*+[ \t]*+:[ \t]*+")
_QUOTED = re.compile(r"""\"(?:[^"\\]|\\.)*+\"|'(?:[^']|'')*+'""")
_REMARK = re.compile(r"(?<![ \t])[ \t]++#")
_PLAIN = re.compile(r"[A-Za-z][\w -]*\Z")
_WORDS = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n"})


class Replaced(Struct, frozen=True):
    """``text[start:end]`` is to become ``new``."""

    start: int
    end: int
    new: str


def replaced_scalar(text: str, key: str, value: str) -> Replaced | None:
    """The value of a key that stands on a line of its own; a key that is missing is added as the last one.

    None where nothing is to be done, and for a value that runs over several lines.
    """
    front = parse_frontmatter(text)
    if not front.lines or front.values.get(key) == value:
        return None
    raw = text.split("\n")
    number = front.line_numbers.get(key)
    if number is None:
        place = sum(len(line) + 1 for line in raw[: front.lines - 1])
        return Replaced(place, place, f"{key}: {_written(value, '')}" + ("\r\n" if raw[0].endswith("\r") else "\n"))
    line = raw[number - 1]
    if (span := _span(line)) is None:
        return None
    start, end = span
    before = sum(len(line) + 1 for line in raw[: number - 1])
    gap = "" if line[start - 1 : start].isspace() else " "
    return Replaced(before + start, before + end, gap + _written(value, line[start : start + 1]))


def _span(line: str) -> tuple[int, int] | None:
    """Where the value stands on its line; None for one that goes on below."""
    found = _KEY.match(line)
    if not found or line[found.end() : found.end() + 1] in (">", "|"):
        return None
    start = found.end()
    if quoted := _QUOTED.match(line, start):
        return start, quoted.end()
    remark = _REMARK.search(line, start)
    return start, start + len(line[start : remark.start() if remark else len(line)].rstrip())


def _written(value: str, quote: str) -> str:
    """In the quotes that stood there; without any where YAML reads the plain words as a text."""
    if quote == '"' and '"' not in value and "\\" not in value:
        return f'"{value}"'
    if quote != "'" and _PLAIN.match(value) and value.strip() == value and value.lower() not in _WORDS:
        return value
    return "'" + value.replace("'", "''") + "'"
