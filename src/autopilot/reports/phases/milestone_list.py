"""The milestones of a roadmap as the user reads them: a line for each, one as a whole, as data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from autopilot.model.planning.milestone import Course, Milestone
from autopilot.model.planning.roadmap import PhaseId
from autopilot.text.naming import name_phases, plural


class MilestoneRow(Struct, frozen=True):
    milestone: Milestone
    is_current: bool
    proven: tuple[PhaseId, ...]
    left: tuple[PhaseId, ...]  # still open


class Step(Struct, frozen=True):
    """What is missing until a milestone is complete."""

    why: str
    command: str
    acceptable: bool  # without proof, if the user says so


class MilestoneCard(Struct, frozen=True):
    row: MilestoneRow
    phases: tuple[tuple[PhaseId, str, str], ...]  # number, name, how it stands
    steps: tuple[Step, ...]
    archives: tuple[str, ...]


def render_milestones(rows: Sequence[MilestoneRow]) -> Iterator[str]:
    if not rows:
        yield "the roadmap has no milestones: all its phases belong together"
        yield '  `autopilot milestone complete v1.0 --name "NAME"` archives them when they are done'
        return
    for row in rows:
        yield f"{'→' if row.is_current else ' '} {row.milestone.title}: {', '.join(_facts(row))}"
    if not any(row.is_current for row in rows):
        following = next((row.milestone for row in rows if row.milestone.course is Course.PLANNED), None)
        start = f"`autopilot milestone start {following.version if following else 'VERSION NAME'}`"
        yield f"  none is current; {start} begins one"
    elif any(row.is_current and row.milestone.phases and not row.left for row in rows):
        yield "  no phase of the current one is open: `autopilot milestone complete` archives it"


def _facts(row: MilestoneRow) -> Iterator[str]:
    own = row.milestone
    if own.course:
        yield f"{own.course.value}{f' {own.date}' if own.date and own.course is Course.SHIPPED else ''}"
    if not own.phases:
        spans = ", ".join(low if low == high else f"{low}-{high}" for low, high in own.spans)
        yield f"phases {spans}" if spans else "no phase yet" if own.course is not Course.SHIPPED else "archived"
        return
    yield plural(len(own.phases), "phase")
    yield f"{len(row.proven)} proven"
    yield f"{name_phases(row.left)} open" if row.left else "none open"


def render_milestone(card: MilestoneCard) -> Iterator[str]:
    own = card.row.milestone
    yield f"{own.title}: {', '.join(_facts(card.row))}" + (" (current)" if card.row.is_current else "")
    for id, name, stand in card.phases:
        yield f"  phase {id}: {name}: {stand}"
    if card.archives:
        yield f"  archives: {', '.join(card.archives)}"
    if card.steps:
        yield "until it is complete:"
        yield from (f"  {step.why}: `{step.command}`" for step in card.steps)
        if any(step.acceptable for step in card.steps):
            yield "  what is done without proof can be taken as it is: `--accept-unproven`"
    elif card.phases:
        yield f"every phase is proven or given up: `autopilot milestone complete {own.version}` archives it"


def milestone_documents(rows: Sequence[MilestoneRow]) -> list[dict[str, Any]]:
    return [
        {
            "version": row.milestone.version,
            "name": row.milestone.name,
            "current": row.is_current,
            "marked": row.milestone.course.value or None,
            "date": row.milestone.date or None,
            "phases": list(row.milestone.phases),
            "proven": list(row.proven),
            "open": list(row.left),
        }
        for row in rows
    ]


def milestone_document(card: MilestoneCard) -> dict[str, Any]:
    (document,) = milestone_documents([card.row])
    steps = [{"why": step.why, "command": step.command, "acceptable": step.acceptable} for step in card.steps]
    return document | {
        "standing": {id: stand for id, _, stand in card.phases},
        "until_complete": steps,
        "archives": list(card.archives),
    }
