"""A finding: a construct in product code that a person or a reviewer should see."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable

from msgspec import Struct


class Finding(Struct, frozen=True):
    first: int  # lines, from 1
    last: int
    description: str
    satisfy: str
    ignored: str = ""  # a parameter that is never used


EXITS = "let the function return or raise; only the program's entry point ends the process"
TESTS = "make the code behave the same whether or not it is being tested"
TOOL = "use the test tool in tests only"
FRAMES = "pass in what the code needs to know about its caller"
AGREES = "compare the contents of the two values"
PATCHES = "wrap it or pass in a replacement, and leave the shared object unchanged"
SWALLOWS = "catch only the expected exceptions, and let the others propagate"
REPORTS = "leave reports to the tools that write them"
LEAVES = "end the processes that the code starts, or state in the plan why they must keep running"
READS = "read nothing that is not part of the product"
TABLE = "compute the result for any input"


def lines_by_place(text: str) -> Callable[[int], int]:
    """The line, from 1, in which a place of the text stands."""
    ends = [found.start() for found in re.finditer("\n", text)]
    return lambda place: bisect_left(ends, place) + 1


def added_lines(old: str | None, new: str) -> frozenset[int]:
    """Numbers of the lines that occur more often in the new text than in the old. A line that only moved is not new."""
    lines = [line.strip() for line in new.split("\n")]
    if old is None:
        return frozenset(range(1, len(lines) + 1))
    before, after = Counter(line.strip() for line in old.split("\n")), Counter(lines)
    return frozenset(number for number, line in enumerate(lines, 1) if line and after[line] > before[line])
