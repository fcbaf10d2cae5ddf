"""Checks that a planner holds out: read from its clone, kept out of every tree that an executor gets."""

from __future__ import annotations

from msgspec.structs import replace

from autopilot.model.planning.criterion import ROADMAP_OWNER, Criterion, Kind, criterion_id
from autopilot.model.policy import Commands
from autopilot.planning.plan.criterion import parse_criterion
from autopilot.text.lines import items, scan_lines

HELD_OUT = "HELD-OUT.md"  # beside PLAN.md, in the planner's clone alone


def parse_held_out(text: str, path: str, commands: Commands) -> tuple[Criterion, ...]:
    """List items as criteria of a plan are written; one without a command holds nothing out."""
    found: list[Criterion] = []
    for line, item in items(scan_lines(text)):
        id = criterion_id(ROADMAP_OWNER, len(found) + 1, "h")
        criterion, _ = parse_criterion(item, id, line.number, commands, path)
        if criterion.is_runnable:
            found.append(replace(criterion, kind=Kind.NEW, path=path))
    return tuple(found)
