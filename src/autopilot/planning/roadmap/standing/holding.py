"""Phases that wait for a held one are held as well: nothing is built on what a person has yet to settle."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from autopilot.model.planning.roadmap import Phase, PhaseId
from autopilot.model.planning.standing import Stand, Standing

_BY_ANOTHER = "it depends on phase "


def is_cause(phase: Phase) -> bool:
    """Whether it is held for a reason of its own."""
    return phase.held and not phase.standing.because.startswith(_BY_ANOTHER)


def hold_dependents(phases: Sequence[Phase]) -> tuple[Phase, ...]:
    """Each open phase that waits, through others too, for a held one, with what holds it."""
    known = {phase.id: phase for phase in phases}
    causes: dict[PhaseId, PhaseId] = {phase.id: phase.id for phase in phases if phase.held}
    waiting: dict[PhaseId, list[PhaseId]] = {}
    for phase in phases:
        for needed in phase.depends_on:
            waiting.setdefault(needed, []).append(phase.id)
    pending = list(causes)
    while pending:
        here = pending.pop()
        for id in waiting.get(here, ()):
            if id not in causes and known[id].standing.stand is Stand.OPEN:
                causes[id] = causes[here]
                pending.append(id)
    return tuple(_held(phase, known[causes[phase.id]]) if phase.id in causes else phase for phase in phases)


def _held(phase: Phase, cause: Phase) -> Phase:
    if phase.id == cause.id:
        return phase
    because = f"{_BY_ANOTHER}{cause.id}: {cause.standing.because}"
    return replace(phase, standing=Standing(Stand.HELD, because))
