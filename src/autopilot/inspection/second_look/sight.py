"""A sight: something in product code that a person or a reviewer should see."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable

from msgspec import Struct


class Sight(Struct, frozen=True):
    first: int  # lines, from 1
    last: int
    saw: str
    satisfy: str


EXITS = "let the work return or raise; only the program's own entry ends the process"
TESTS = "let the code do the same whether or not it is being tested"
TOOL = "leave the test tool to the tests"
FRAMES = "pass in what the code needs to know about its caller"
AGREES = "compare what the two values hold"
PATCHES = "wrap it, or pass in another, and leave what everyone shares as it is"
SWALLOWS = "catch what you expect, and let the rest be seen"
REPORTS = "leave reports to the tools that write them"
LEAVES = "end what you start, or say in the plan why it must go on"
READS = "read nothing that is not part of the product"
TABLE = "work the answer out for any input"


def lines_by_place(text: str) -> Callable[[int], int]:
    """The line, from 1, in which a place of the text stands."""
    ends = [found.start() for found in re.finditer("\n", text)]
    return lambda place: bisect_left(ends, place) + 1


def added_lines(old: str | None, new: str) -> frozenset[int]:
    """Numbers of the lines whose words stand in the new text more often than in the old. What only moved is not new."""
    lines = [line.strip() for line in new.split("\n")]
    if old is None:
        return frozenset(range(1, len(lines) + 1))
    before, after = Counter(line.strip() for line in old.split("\n")), Counter(lines)
    return frozenset(number for number, line in enumerate(lines, 1) if line and after[line] > before[line])
