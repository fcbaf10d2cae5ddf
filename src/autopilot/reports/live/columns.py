"""Lines in the columns of a terminal: how wide a text is, cut to a width, wrapped between words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from itertools import accumulate

BETWEEN = " · "
WORD = re.compile(r"\s*(?:`[^`]*`\S*|\S+)|\s+$")  # text between backquotes is one word
# Take no column. Other characters of their kinds are drawn by some terminals: a line too short harms nobody.
INVISIBLE = frozenset("\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff")
EMOJI = "\ufe0f"  # makes the character before it twice as wide


def width_of(text: str) -> int:
    return len(text) if text.isascii() else sum(map(_width, text))


def shorten_to_width(text: str, columns: int) -> str:
    """The line cut to a width; some characters take two columns."""
    if len(text) <= columns and text.isascii():
        return text
    used = 0
    for index, character in enumerate(text):
        width = _width(character)
        if used + width > columns or (used + width == columns and index + 1 < len(text)):
            return f"{text[:index]}…"
        used += width
    return text


def pad_to_width(text: str, columns: int) -> str:
    """Cut or filled up to exactly that width."""
    short = shorten_to_width(text, columns)
    return short + " " * (columns - width_of(short))


def fit(pieces: Sequence[tuple[str, int]], columns: int) -> str:
    """Pieces of a line with their importance, 1 first: of those that do not fit, the least important are left out."""
    kept = [piece for piece in pieces if piece[0]]
    while len(kept) > 1 and width_of(_joined(kept)) > columns:
        kept.remove(max(kept, key=lambda piece: piece[1]))
    return shorten_to_width(_joined(kept), columns)


def _joined(pieces: Sequence[tuple[str, int]]) -> str:
    return BETWEEN.join(text for text, _ in pieces)


def wrap(text: str, columns: int, indent: str = "    ") -> list[str]:
    """A line wrapped between words."""
    lines, rest = [], text
    while (end := _fitting_length(rest, columns)) < len(rest):
        space = rest.rfind(" ", len(indent) + 1, end + 1)
        cut = space if space > 0 else max(end, len(indent) + 1)
        lines.append(rest[:cut].rstrip())
        rest = indent + rest[cut:].lstrip()
    return [*lines, rest]


def wrap_lines(text: str, columns: int, indent: str = "    ") -> str:
    """Lines wrapped between words and never inside a command, so that a command can be copied.

    A word longer than a line is left to the terminal, which copies its own wrapping correctly.
    """
    return "\n".join(part for line in text.split("\n") for part in _wrap_line(line, columns, indent))


def _wrap_line(line: str, columns: int, indent: str) -> list[str]:
    lines, rest = [], ""
    for word in WORD.findall(line):
        if rest.strip() and _fitting_length(rest + word, columns) < len(rest + word):
            lines.append(rest)
            rest = indent + word.lstrip()
        else:
            rest += word
    return [*lines, rest]


def _fitting_length(text: str, columns: int) -> int:
    """How many characters of a text fit into the columns."""
    if len(text) <= columns and text.isascii():
        return len(text)
    widths = accumulate(_width(character) for character in text)
    return next((index for index, used in enumerate(widths) if used > columns), len(text))


def _width(character: str) -> int:
    if character.isascii() or character == EMOJI:
        return 1
    if character in INVISIBLE or unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
