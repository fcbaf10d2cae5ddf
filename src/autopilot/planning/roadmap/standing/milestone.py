"""The headings a phase stands below, such as a milestone that was shipped or a backlog."""

from __future__ import annotations

import re
from collections.abc import Sequence

from autopilot.planning.roadmap.fields import field_of
from autopilot.planning.roadmap.section import phase_heading
from autopilot.planning.roadmap.standing.status_words import given_up_mark, marked_done, says_complete
from autopilot.planning.roadmap.table import find_tables
from autopilot.text.lines import Heading, Line, heading

_SHIPPED = re.compile(
    r"\W{0,10}(?:completed|shipped|finished|done)\b(?:\W{0,3}$|\s(?:phases|milestones)\b)|[^\n]{0,200}\bshipped\b",
    re.IGNORECASE,
)
_DROPPED = re.compile(
    r"\W{0,10}(backlog|deferred|icebox|parking lot|cancell?ed|superseded|abandoned|parked|archived?)\b", re.IGNORECASE
)

_VERSION = re.compile(r"[^\w\n]{0,10}(v[0-9]{1,4}(?:\.[0-9]{1,4}){0,3})(?![\w.])", re.IGNORECASE)
OWN_FIELDS = ("milestone", "current milestone")
_MORE = re.compile(r"\b(?:in progress|planned|planning|pending|next|remaining|started)\b", re.IGNORECASE)


def headings_above(lines: Sequence[Line]) -> dict[int, tuple[str, ...]]:
    """By the number of a line, the headings it stands below that are no phases, the outermost first.

    A status that is written below such a heading, before its first phase, belongs to it: ``**Status:** SHIPPED``.
    """
    above: dict[int, tuple[str, ...]] = {}
    stack: list[Heading] = []
    in_phase = False
    for line in lines:
        found = heading(line)
        if found:
            stack = [outer for outer in stack if outer.level < found.level]
            in_phase = phase_heading(found) is not None
        above[line.number] = tuple(outer.text for outer in stack)
        if found and not in_phase:
            stack.append(found)
        elif stack and not in_phase and (status := _status(line)):
            stack[-1] = Heading(stack[-1].level, f"{stack[-1].text} — {status}")
    return above


def _status(line: Line) -> str:
    """The status of a milestone that is over; one that also tells of the next is not."""
    name, value = field_of(line) or ("", "")
    return "SHIPPED" if name == "status" and says_complete(value) and not _MORE.search(value[:400]) else ""


def own_version(lines: Sequence[Line]) -> str:
    """The version that a roadmap as a whole is about."""
    found = own_field(lines)
    return found[1].lower() if found else ""


def own_field(lines: Sequence[Line]) -> tuple[Line, str] | None:
    """The field above all phases that says so, with the version as it is written: ``**Milestone:** v1.1 — Name``."""
    for line in lines:
        if (found := heading(line)) and phase_heading(found):
            break
        name, value = field_of(line) or ("", "")
        if name in OWN_FIELDS and (version := _VERSION.match(value)):
            return line, version[1]
    return None


def leading_version(text: str) -> str:
    found = _VERSION.match(text)
    return found[1] if found else ""


def shipped_versions(lines: Sequence[Line]) -> frozenset[str]:
    """The versions in the first column of tables whose rows say that they are complete."""
    found = set()
    for table in find_tables(lines):
        for row in table.rows:
            first, *others = [text for text in row.cells if text.strip()] or [""]
            version = _VERSION.match(first)
            if version and any(map(says_complete, others)):
                found.add(version[1].lower())
    return frozenset(found)


def is_shipped(headings: Sequence[str]) -> bool:
    return any(marked_done(text) or _SHIPPED.match(text) for text in headings)


def find_dropped(headings: Sequence[str]) -> str:
    """The word of a heading that says its phases are not to be run; "" when none does."""
    for text in headings:
        found = _DROPPED.match(text)
        if word := found[1].lower() if found else given_up_mark(text):
            return word
    return ""
