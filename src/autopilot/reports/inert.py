"""A Markdown document in which foreign text is only text: to view it runs nothing and fetches nothing.

Agents and test output may contain anything, and a viewer takes HTML and images out of it. Autopilot itself writes
neither, so every tag and every image in one of its documents is foreign. Only code keeps them: there they are
shown. What is code is decided with care: where two viewers could differ, it counts as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from autopilot.model.secrecy.terminal import strip_controls

_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_FENCE = re.compile(r"(`{3,}+)[^`]*$|(~{3,}+)")
_OTHER_FENCE = re.compile(r"[\s>*+.)0-9-]*+(?:```|~~~)")
_RULER = frozenset(" \t>|:*+.)0123456789-")  # of a line of dashes and bars, also in a list or a quotation
_CELL = re.compile(r"(?<!\\)(\|)")
_TICKS_OR_ESCAPE = re.compile(r"\\.|(`++)")


def make_inert(document: str) -> str:
    """The document as it may be shown."""
    lines: list[str] = []
    marks, closing = "", None
    trusted = fences_are_clear = True
    all_lines = strip_controls(document).split("\n")
    for line, is_table in zip(all_lines, _in_tables(all_lines), strict=True):
        if closing is not None:
            closing = None if closing.fullmatch(line) else closing
            lines.append(line)
            continue
        if fences_are_clear and (fence := _FENCE.match(line)):
            marks = fence[1] or fence[2]
            closing = re.compile(rf" {{0,3}}{marks[0]}{{{len(marks)},}}[ \t]*")
            lines.append(line)
            continue
        if _OTHER_FENCE.match(line):
            fences_are_clear = False  # inside a list or a quotation a fence ends where the list does
        # A paragraph may hold code that goes on in its next line; after a blank one nothing does.
        trusted = (trusted or _is_blank(line)) and fences_are_clear
        shown, trusted = _inert_line(line, trusted, is_table)
        lines.append(shown)
    if closing is not None:
        lines.append(marks)
    return "\n".join(lines)


def _is_blank(line: str) -> bool:
    """Of spaces and tabs alone; other spaces of Unicode are text to Markdown."""
    return not line.strip(" \t")


def _in_tables(lines: Sequence[str]) -> Iterator[bool]:
    """Whether each line may be a row of a table: one with a line of dashes and bars among its neighbours."""
    for blank, block in groupby(lines, _is_blank):
        rows = list(block)
        is_table = not blank and any("-" in row and _RULER.issuperset(row) for row in rows)
        yield from [is_table] * len(rows)


def _inert_line(line: str, trusted: bool, is_table: bool) -> tuple[str, bool]:
    """The line, and whether code may be told from text in what follows: not when a backtick has no partner here."""
    shown = []
    for piece in _CELL.split(line) if is_table or line.startswith("|") else [line]:
        text, closed = _inert_text(piece) if trusted else (_escape(piece), False)
        trusted = trusted and closed
        shown.append(text)
    return "".join(shown), trusted


def _inert_text(text: str) -> tuple[str, bool]:
    """Outside code spans as Markdown defines them: from backticks to as many backticks."""
    pieces, done, closed = [], 0, True
    runs = [(found.start(), found.end()) for found in re.finditer("`+", text)]
    ends: dict[int, list[tuple[int, int]]] = {}
    for start, end in reversed(runs):
        ends.setdefault(end - start, []).append((start, end))
    place = 0
    while found := _TICKS_OR_ESCAPE.search(text, place):
        place = found.end()
        if not found[1]:
            continue
        same = ends.get(len(found[1]), [])
        while same and same[-1][0] < place:
            same.pop()
        if not same:
            closed = False
            continue
        pieces += [_escape(text[done : found.start()]), text[found.start() : same[-1][1]]]
        done = place = same[-1][1]
    return "".join((*pieces, _escape(text[done:]))), closed


def _escape(text: str) -> str:
    return _TAG.sub("&lt;", text).replace("![", "!\\[")
