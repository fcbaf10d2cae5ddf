"""Small pieces of Markdown that every document needs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from autopilot.model.secrecy.terminal import strip_controls

BAR = re.compile(r"(?<!\\)(\\*+)\|")
TICKS = re.compile(r"`{3,}")
PLAIN = re.compile(r"[A-Za-z0-9_./+@-]+")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [_row(head), _row(["---"] * len(head)), *(_row(row) for row in rows)]
    return "\n".join(lines) + "\n"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell_text(cell) for cell in cells) + " |"


def cell_text(text: str) -> str:
    """One line, no bar that would end the cell: not even one whose escape is itself escaped."""
    return BAR.sub(lambda m: m[1] + ("\\" if len(m[1]) % 2 == 0 else "\\\\") + "|", " ".join(text.split()))


def one_line(text: str) -> str:
    """A line for a screen: a path or a reason with a line end in it must not be able to write a line of its own."""
    return strip_controls(text).replace("\n", " ")


def shorten(text: str, most: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


def how_long(seconds: float) -> str:
    """A time as it is said: exact where it is short."""
    whole = max(0, round(seconds))
    if whole < 120:
        return f"{whole} s"
    minutes = round(whole / 60)
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60:02} min"


def flow_list(items: Iterable[str]) -> str:
    """A list in front matter; what is not a plain word is quoted, so that a file's name cannot end the list."""
    return "[" + ", ".join(item if PLAIN.fullmatch(item) else json.dumps(item) for item in items) + "]"


def fenced(text: str, kind: str = "") -> str:
    """Between marks longer than any inside: nothing in it can end the fence and speak for us."""
    longest = max((len(found[0]) for found in TICKS.finditer(text)), default=2)
    marks = "`" * (longest + 1)
    return f"{marks}{kind}\n{text.rstrip()}\n{marks}\n"


def aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A table for a terminal."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def bullets(lines: Iterable[str], none: str = "None.") -> str:
    return "\n".join(f"- {' '.join(line.split())}" for line in lines) or none


def stamp(moment: datetime | None) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}" if moment else ""


def seconds(start: datetime | None, end: datetime | None) -> int:
    return round((end - start).total_seconds()) if start and end else 0
