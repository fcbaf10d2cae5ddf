"""Roadmap mode: which phase is next, and when the run comes to rest."""

from __future__ import annotations

from datetime import datetime

from autopilot.events.happened import PhaseStarted
from autopilot.events.state import PhaseState, RunState
from autopilot.flows.command import Command, Halt, Record, RunStep
from autopilot.flows.phase import next_in_phase, next_step, try_again, wait_for_us
from autopilot.model.assessment import Recommendation
from autopilot.model.policy import Policy
from autopilot.model.roadmap import PhaseId
from autopilot.model.run import PhaseStatus, RunStatus, Step
from autopilot.rails.budget import first_tripped

# Steps that ask an agent; the others spend nothing.
SPENDING = {
    *(Step.RESEARCH, Step.PLAN, Step.PLAN_CHECK, Step.EXECUTE, Step.DEBUG, Step.VERIFY, Step.JUDGE, Step.RATE),
}


def decide(state: RunState, policy: Policy, now: datetime) -> tuple[Command, ...]:
    """The next commands. They are independent of each other; for now there is one at a time."""
    if state.cancelled_by:
        return (Halt(RunStatus.PAUSED, f"cancelled by {state.cancelled_by}", 1),)
    command = _next(state, policy)
    # A cap stops what would spend more, and is why an agent was cut off; what is done may still be judged and land.
    if (_spends(command) or _was_cut_off(state)) and (tripped := first_tripped(state, policy, now)):
        return (Halt(RunStatus.PAUSED, tripped, 4),)
    return (command,)


def _next(state: RunState, policy: Policy) -> Command:
    if (current := state.current) is not None:
        return next_in_phase(state, current, policy)
    stop = _stop_after_failure(state)
    if stop is None and (phase := _first_open(state)) is not None:
        return _start(state, phase)
    return _land_late(state) or stop or _finish(state)


def _spends(command: Command) -> bool:
    match command:
        case RunStep(step=step):
            return step in SPENDING
        case Record(events=events):
            return any(isinstance(event, PhaseStarted) for event in events)
        case _:
            return False


def _was_cut_off(state: RunState) -> bool:
    """Whether the run waits for an answer that an agent did not get to give."""
    steps = state.current.steps.items() if state.current else ()
    return any(step.status == "unproven" and Step(name.partition(".")[0]) in SPENDING for name, step in steps)


def _start(state: RunState, phase: PhaseState) -> Record:
    attempt = phase.attempt + 1
    return Record(f"{phase.id}/start/{attempt}", (PhaseStarted(phase.id, attempt, state.tip),))


def _first_open(state: RunState) -> PhaseState | None:
    return next((p for p in state.phases.values() if p.status is PhaseStatus.NOT_STARTED), None)


def _stop_after_failure(state: RunState) -> Halt | None:
    """A failed phase stops a plain run when something still to do depends on it, or when the judge said so."""
    for phase in state.phases.values():
        if phase.status is not PhaseStatus.FAILED:
            continue
        word = phase.judgement.recommendation if phase.judgement else Recommendation.PROCEED
        if word in (Recommendation.ROLLBACK, Recommendation.HALT):
            return Halt(RunStatus.FAILED, f"phase {phase.id}: the judge says {word}", 1)
        if blocked := _waiting_for(state, phase.id):
            names = ", ".join(blocked)
            return Halt(RunStatus.FAILED, f"phase {phase.id} failed and phase {names} depends on it", 1)
    return None


def _waiting_for(state: RunState, failed: PhaseId) -> tuple[PhaseId, ...]:
    """Phases still to do that depend on it, directly or through others."""
    reached = {failed}
    for brief in state.outline * len(state.outline):
        if reached.intersection(brief.depends_on):
            reached.add(brief.id)
    waiting = (p for p in state.phases.values() if p.status is PhaseStatus.NOT_STARTED)
    return tuple(p.id for p in waiting if p.id in reached)


def _land_late(state: RunState) -> Command | None:
    """What passed and had to wait, or was cut short while landing, is tried once in every sitting."""
    waiting = _waiting_to_land(state)
    if not waiting or state.landing_tried:
        return None
    last = waiting[-1]
    if stop := wait_for_us(last):
        return stop
    return try_again(last.id, last.open) if last.open else next_step(last, Step.LAND)


def _waiting_to_land(state: RunState) -> list[PhaseState]:
    return [p for p in state.phases.values() if p.landing.state in ("started", "deferred")]


def _finish(state: RunState) -> Halt:
    failed = [p.id for p in state.phases.values() if p.status is not PhaseStatus.COMPLETED]
    if failed:
        return Halt(RunStatus.FAILED, f"phase {', '.join(failed)} did not pass", 1)
    if waiting := _waiting_to_land(state):
        return Halt(RunStatus.WAITING, f"every phase passed; landing waits: {waiting[-1].landing.because}", 3)
    return Halt(RunStatus.COMPLETED, "every phase passed", 0)
