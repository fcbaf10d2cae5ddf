"""Checklist lines that stand for a phase: ``- [x] **Phase 3: Name** - one line``."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct

from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.roadmap.phase_id import ID, normalise
from autopilot.text.lazy_regex import lazy_regex
from autopilot.text.lines import Line

BOX = lazy_regex(r"^\s{0,3}[-*+]\s+\[([ xX✅✓✔])\]\s+(.*)$")
_DASH = lazy_regex(r"(?<!\s)\s++(?:(?:--?|[–—])\s+|(?=\())")
_PHASE = lazy_regex(rf"^[^\w\[(]*Phase\s+({ID})(?!\w|\.[0-9])(.*)$", re.IGNORECASE)
# "Phase 1-11", "Phase 7, 8": several phases at once are a summary, not a phase.
_SEVERAL = lazy_regex(r"^\s*(?:[-–—&+,/]|and\b|to\b)\s*(?:Phase\s+)?[0-9]", re.IGNORECASE)
_PLAN_BOX = lazy_regex(r"^\s*[-*+]\s+\[([ xX])\]\s+[*`\[~]*(?:Plan\s+)?[0-9][\w.]*-(?:PLAN-)?[0-9]+[A-Za-z]?\b")
_ANY_BOX = lazy_regex(r"^\s*[-*+]\s+\[([ xX✅✓✔])\]\s")


class Box(Struct, frozen=True):
    phase: PhaseId
    ticked: bool
    name: str
    summary: str
    line: Line


def phase_box(line: Line) -> Box | None:
    """The phase a checklist line stands for, or None when it is something else."""
    box = None if line.hidden else BOX.match(line.text)
    found = _PHASE.match(box[2]) if box else None
    if not box or not found or _SEVERAL.match(found[2]):
        return None
    name, summary = _words(found[2], bold="**" in box[2][: found.start(1)])
    return Box(normalise(found[1]), box[1] != " ", name, summary, line)


def plan_boxes(lines: Iterable[Line]) -> tuple[int, int]:
    """How many plan boxes of a phase's section are ticked, and how many there are."""
    marks = [found[1] != " " for line in lines if not line.hidden and (found := _PLAN_BOX.match(line.text))]
    return sum(marks), len(marks)


def all_boxes(lines: Iterable[Line]) -> tuple[int, int]:
    """How many boxes of whatever kind are ticked there, and how many there are."""
    marks = [found[1] != " " for line in lines if not line.hidden and (found := _ANY_BOX.match(line.text))]
    return sum(marks), len(marks)


def _words(rest: str, bold: bool) -> tuple[str, str]:
    """Name and one-line summary of what follows the number."""
    if bold and "**" in rest:
        name, summary = rest.split("**", 1)
    else:
        name, _, summary = _DASH.sub("\0", rest.lstrip(" :–—-"), count=1).partition("\0")
    return name.strip(" :–—-*~"), summary.strip(" :–—-*~")
