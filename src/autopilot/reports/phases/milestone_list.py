"""The milestones of a roadmap as the user reads them: in lines, as data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from autopilot.model.planning.milestone import Milestone
from autopilot.model.planning.roadmap import PhaseId
from autopilot.text.naming import name_phases, plural


class MilestoneRow(Struct, frozen=True):
    milestone: Milestone
    is_current: bool
    proven: tuple[PhaseId, ...]
    left: tuple[PhaseId, ...]  # still open


def render_milestones(rows: Sequence[MilestoneRow]) -> Iterator[str]:
    if not rows:
        yield "the roadmap has no milestone that is not archived"
        yield "  `autopilot milestone start v1.0 NAME` begins one"
        return
    for row in rows:
        own = row.milestone
        sign = "→" if row.is_current else " "
        yield f"{sign} {own.title}: {plural(len(own.phases), 'phase')}, {len(row.proven)} proven, {_rest(row)}"
    if any(row.milestone.phases and not row.left for row in rows):
        yield "  `autopilot milestone complete` archives what has no open phase"


def _rest(row: MilestoneRow) -> str:
    if row.left:
        return f"{name_phases(row.left)} open"
    return "no phase yet" if not row.milestone.phases else "none open"


def milestone_documents(rows: Sequence[MilestoneRow]) -> list[dict[str, Any]]:
    return [
        {
            "version": row.milestone.version,
            "name": row.milestone.name,
            "current": row.is_current,
            "marked": row.milestone.course.value or None,
            "phases": list(row.milestone.phases),
            "proven": list(row.proven),
            "open": list(row.left),
        }
        for row in rows
    ]
