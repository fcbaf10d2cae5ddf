"""What a phase is asked for, as criteria: sentences that planning files name as scenarios, requirements, outcomes."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from autopilot.model.planning.complaint import Complaint
from autopilot.model.planning.criterion import ROADMAP_OWNER, Criterion, criterion_id
from autopilot.model.policy import Commands
from autopilot.planning.plan.criterion import parse_criterion


class Asked(Struct, frozen=True):
    text: str
    line: int
    label: str = ""  # what the file calls it: "FR-001"; the sentence behind it may be what a command shows


def phase_criteria(
    asked: Sequence[Asked], path: str, commands: Commands
) -> tuple[tuple[Criterion, ...], list[Complaint]]:
    """The criteria of a phase, each with its file and line."""
    criteria: list[Criterion] = []
    complaints: list[Complaint] = []
    for number, request in enumerate(asked, start=1):
        read, found = parse_criterion(request.text, criterion_id(ROADMAP_OWNER, number), request.line, commands, path)
        text = f"{request.label}: {read.text}" if request.label else read.text
        criteria.append(replace(read, text=text, path=path))
        complaints += found
    return tuple(criteria), complaints
