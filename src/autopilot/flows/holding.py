"""A phase that cannot go on, and not for its work, holds up no other: it waits for a resume, the others go on."""

from __future__ import annotations

from autopilot.events.pieces import StepState
from autopilot.events.recovery import PhaseHeld
from autopilot.events.state import PhaseState, RunState
from autopilot.flows.command import Record
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.run import StepStatus
from autopilot.model.step import Step

# Steps on the run's own branch: until they are done nothing else can have it.
_BOUND = (Step.ROLLBACK, Step.INTEGRATE, Step.RESOLVE, Step.LAND)


def hold(state: RunState, phase: PhaseState, reason: str = "") -> Record | None:
    """``reason``: where it is not that of a step.

    None where the run itself has to stop: nothing goes on without this phase, or the trouble is everybody's.
    """
    if phase.id not in state.phases or not state.is_of_roadmap or not _can_wait(phase) or _is_everybodys(state):
        return None
    if phase.line.held_at or not state.beside(phase):
        return None
    stuck = [step.detail for part in _with_parts(state, phase) for step in part.steps.values() if _is_stuck(step)]
    return Record(f"{phase.id}/held/{state.totals.resumes}", (PhaseHeld(phase.id, reason or "; ".join(stuck)),))


def _with_parts(state: RunState, phase: PhaseState) -> tuple[PhaseState, ...]:
    return (phase, *(state.parts[part] for part in phase.split.parts))


def _is_stuck(step: StepState) -> bool:
    return step.status == StepStatus.UNPROVEN


def _can_wait(phase: PhaseState) -> bool:
    stuck = [name.partition(".")[0] for name, step in phase.steps.items() if _is_stuck(step)]
    return phase.ruling.outcome is not Outcome.PASS and not any(Step(name) in _BOUND for name in stuck)


def _is_everybodys(state: RunState) -> bool:
    """Another phase was held back, and none has come to its end since."""
    last = max((p.line.held_at for p in state.held if p.line.held_at), default=None)
    ended = (p.ending.completed_at for p in state.phases.values())
    return last is not None and not any(time and time > last for time in ended)
