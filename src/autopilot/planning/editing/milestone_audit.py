"""The audit of a milestone in GSD's form, as far as the record knows it: which phases and requirements are proven."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autopilot.model.planning.milestone import Milestone
from autopilot.model.planning.roadmap import Phase
from autopilot.planning.editing.obstacles import Work

GIVEN_UP, UNPROVEN = "given up", "not proven"
PASSED, DEBT = "passed", "tech_debt"
LEFT_OUT = "How its phases work together is no part of it: the report of each run has what was checked of that."


def standing_of(phase: Phase, work: Work) -> str:
    if phase.id in work.proven:
        return f"proven in {work.proven[phase.id]}"
    return GIVEN_UP if phase.dropped else UNPROVEN


def render_audit(milestone: Milestone, phases: Sequence[Phase], work: Work, date: str) -> str:
    return "\n".join([*_front(milestone, phases, work, date), *_body(milestone, phases, work)]) + "\n"


def _front(milestone: Milestone, phases: Sequence[Phase], work: Work, date: str) -> Iterator[str]:
    counted = [phase for phase in phases if not phase.dropped]
    proven = [phase for phase in counted if phase.id in work.proven]
    asked = {name for phase in counted for name in phase.requirements}
    shown = {name for phase in proven for name in phase.requirements} - _open_elsewhere(counted, work)
    yield "---"
    yield f"milestone: {milestone.version}"
    yield f"audited: {date}"
    yield f"status: {PASSED if len(proven) == len(counted) else DEBT}"
    yield "scores:"
    yield f"  requirements: {len(shown)}/{len(asked)}"
    yield f"  phases: {len(proven)}/{len(counted)}"
    yield "---"


def _open_elsewhere(phases: Sequence[Phase], work: Work) -> set[str]:
    """A requirement of several phases is shown when all of them are proven."""
    return {name for phase in phases if phase.id not in work.proven for name in phase.requirements}


def _body(milestone: Milestone, phases: Sequence[Phase], work: Work) -> Iterator[str]:
    yield from ("", f"# Milestone Audit: {milestone.title}", "")
    yield "Written by `autopilot milestone complete` from the record of its runs."
    yield from ("", "## Phases", "", "| Phase | Name | Standing |", "|-------|------|----------|")
    yield from (f"| {phase.id} | {_cell(phase.name)} | {standing_of(phase, work)} |" for phase in phases)
    rows = [(name, phase) for phase in phases for name in phase.requirements]
    if rows:
        yield from (
            "",
            "## Requirements",
            "",
            "| Requirement | Phase | Standing |",
            "|-------------|-------|----------|",
        )
        yield from (f"| {_cell(name)} | {phase.id} | {standing_of(phase, work)} |" for name, phase in rows)
    yield from ("", "## Not audited", "", LEFT_OUT)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
