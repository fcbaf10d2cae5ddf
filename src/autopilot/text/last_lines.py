"""The last lines of an output that say something: a tool's own message stands at its end."""

from __future__ import annotations

from itertools import islice

MOST_LINES, LONGEST_LINE = 6, 200


def last_lines(output: str, most: int = MOST_LINES) -> tuple[str, ...]:
    """In their order, each cut at the end; rulers and empty lines are left out."""
    lines = (line.rstrip() for line in reversed(output.splitlines()) if any(map(str.isalnum, line)))
    return tuple(map(_cut, islice(lines, most)))[::-1]


def _cut(line: str) -> str:
    return line if len(line) <= LONGEST_LINE else f"{line[: LONGEST_LINE - 1]}…"
