"""The headings a phase stands below, such as a milestone that was shipped or a backlog."""

from __future__ import annotations

import re
from collections.abc import Sequence

from autopilot.planning.roadmap.section import phase_heading
from autopilot.planning.roadmap.status_words import given_up_mark, marked_done
from autopilot.text.lines import Heading, Line, heading

_SHIPPED = re.compile(
    r"\W{0,10}(?:completed|shipped|finished|done)\b(?:\W{0,3}$|\s(?:phases|milestones)\b)|[^\n]{0,200}\bshipped\b",
    re.IGNORECASE,
)
_DROPPED = re.compile(
    r"\W{0,10}(backlog|deferred|icebox|parking lot|cancell?ed|superseded|abandoned|parked|archived?)\b", re.IGNORECASE
)


def headings_above(lines: Sequence[Line]) -> dict[int, tuple[str, ...]]:
    """By the number of a line, the headings it stands below that are no phases, the outermost first."""
    above: dict[int, tuple[str, ...]] = {}
    stack: list[Heading] = []
    for line in lines:
        found = heading(line)
        if found:
            stack = [outer for outer in stack if outer.level < found.level]
        above[line.number] = tuple(outer.text for outer in stack)
        if found and not phase_heading(found):
            stack.append(found)
    return above


def is_shipped(headings: Sequence[str]) -> bool:
    return any(marked_done(text) or _SHIPPED.match(text) for text in headings)


def find_dropped(headings: Sequence[str]) -> str:
    """The word of a heading that says its phases are not to be run; "" when none does."""
    for text in headings:
        found = _DROPPED.match(text)
        if word := found[1].lower() if found else given_up_mark(text):
            return word
    return ""
