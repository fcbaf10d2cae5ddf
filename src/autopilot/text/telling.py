"""Of what a command printed, the lines that are worth showing. They decide nothing."""

from __future__ import annotations

import re

_TELLING = re.compile(r"(?:[Ee]rror|ERR!)\b|No module named|not found|annot find|No such file|[Ff]atal")
LONGEST_LINE = 200
LAST, NAMED = 3, 2


def telling_lines(printed: str) -> tuple[str, ...]:
    """The last three lines, and the last two before them that name an error."""
    lines = [line.strip()[:LONGEST_LINE] for line in printed.splitlines() if line.strip()]
    named = [line for line in lines[:-LAST] if _TELLING.search(line)]
    return (*named[-NAMED:], *lines[-LAST:])
