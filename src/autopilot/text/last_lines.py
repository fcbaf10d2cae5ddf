"""Of what a command printed, the lines worth showing: its own message stands at the end. They decide nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

MOST_LINES, LONGEST_LINE = 6, 200
LAST, NAMED = 3, 2
_TELLING = re.compile(r"(?:[Ee]rror|ERROR|ERR!)\b|No module named|not found|annot find|No such file|[Ff]atal")


def last_lines(output: str, most: int = MOST_LINES) -> tuple[str, ...]:
    """In their order, each cut at the end; rulers and empty lines are left out."""
    lines = (line.rstrip() for line in reversed(output.splitlines()) if any(map(str.isalnum, line)))
    return tuple(map(_cut, islice(lines, most)))[::-1]


def telling_lines(printed: str) -> tuple[str, ...]:
    """The last three lines, and the last two before them that name an error."""
    lines = [line.strip()[:LONGEST_LINE] for line in printed.splitlines() if line.strip()]
    named = [line for line in lines[:-LAST] if _TELLING.search(line)]
    return (*named[-NAMED:], *lines[-LAST:])


def most_telling(lines: Sequence[str], most: int = 2) -> tuple[str, ...]:
    """The last that name an error: what an installer prints after them is advice. Where none does, the last."""
    named = [line for line in lines if _TELLING.search(line)]
    return tuple((named or list(lines))[-most:])


def _cut(line: str) -> str:
    return line if len(line) <= LONGEST_LINE else f"{line[: LONGEST_LINE - 1]}…"
