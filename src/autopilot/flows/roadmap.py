"""Roadmap mode: which phase is next, and when the run comes to rest."""

from __future__ import annotations

from datetime import datetime

from autopilot.events.happened import PhaseStarted
from autopilot.events.recovery import BreakerClosed, BreakerOpened, DeferRateHigh
from autopilot.events.state import PhaseState, RunState
from autopilot.flows.command import Command, Halt, Record, RunStep
from autopilot.flows.manning import man
from autopilot.flows.phase import next_in_phase, next_step, try_again, wait_for_us
from autopilot.model.assessment import SEVERITY, Recommendation
from autopilot.model.policy import Policy
from autopilot.model.roadmap import PhaseId
from autopilot.model.run import PhaseStatus, RunStatus, Step
from autopilot.rails.breaker import find_reason_to_open, may_close
from autopilot.rails.budget import first_tripped, phase_tripped
from autopilot.rails.deferral import warn_of_deferrals
from autopilot.rails.seating import ASKS


def decide(state: RunState, policy: Policy, now: datetime) -> tuple[Command, ...]:
    """The next commands. They are independent of each other: only the parts of a split phase make it several."""
    if state.cancelled_by:
        return (Halt(RunStatus.PAUSED, f"cancelled by {state.cancelled_by}", 1),)
    if state.breaker.state == "open":
        return (Halt(RunStatus.PAUSED, _breaker_words(state), state.breaker.exit_status),)
    if may_close(state):
        return (Record(f"breaker-closed/{state.resumes}", (BreakerClosed("what was tried went well"),)),)
    if state.breaker.state == "half_open" and (reason := find_reason_to_open(state, policy)):
        return (Record(f"breaker-opened/{state.resumes}", (BreakerOpened(reason),)),)
    if (high := _defers_often(state)) and high not in state.warnings:
        return (Record(f"defer-rate/{len(state.warnings)}", (DeferRateHigh(high),)),)
    commands = _next(state, policy)
    # A cap stops what would spend more, and is why an agent was cut off; what is done may still be judged and land.
    if any(_spends(command, state) for command in commands) or _was_cut_off(state):
        return _stopped_by_rail(state, policy, now) or _manned(state, policy, commands)
    return commands


def needs_agent(state: RunState, policy: Policy) -> bool:
    """Whether what comes next is for an agent to do; what only lands, or waits for a person, needs none."""
    commands = _next(state, policy)
    at_the_start = any(isinstance(one, RunStep) and one.step in (Step.PREFLIGHT, Step.TRIAGE) for one in commands)
    return at_the_start or any(_spends(command, state) for command in commands)


def _manned(state: RunState, policy: Policy, commands: tuple[Command, ...]) -> tuple[Command, ...]:
    """With an agent for each; a stop that one of several needs waits until the others cannot go on either."""
    manned = [man(state, policy, command) if _spends(command, state) else command for command in commands]
    going = tuple(command for command in manned if not isinstance(command, Halt))
    return going or tuple(manned[:1])


def _stopped_by_rail(state: RunState, policy: Policy, now: datetime) -> tuple[Command, ...]:
    if tripped := first_tripped(state, policy, now):
        return (Halt(RunStatus.PAUSED, tripped, 4),)
    slot = f"breaker-opened/{state.resumes}"
    if reason := phase_tripped(state, policy, now):
        return (Record(slot, (BreakerOpened(reason, 4),)),)
    if reason := find_reason_to_open(state, policy):
        return (Record(slot, (BreakerOpened(reason),)),)
    return ()


def _breaker_words(state: RunState) -> str:
    until = f" (cooling down until {state.breaker.until:%H:%M} UTC)" if state.breaker.until else ""
    return f"the circuit breaker is open: {state.breaker.reason}{until}"


def _defers_often(state: RunState) -> str:
    settled = [p for p in state.phases.values() if p.settled and p.status is not PhaseStatus.SKIPPED]
    return warn_of_deferrals(sum(p.deferral is not None for p in settled), len(settled))


def _next(state: RunState, policy: Policy) -> tuple[Command, ...]:
    if (current := state.current) is not None:
        return next_in_phase(state, current, policy)
    stop = _stop_after_failure(state)
    if stop is None and (phase := _first_open(state)) is not None:
        return (_start(state, phase),)
    return (_land_late(state) or stop or _finish(state),)


def _spends(command: Command, state: RunState) -> bool:
    """A step that was killed with its answer recorded has spent already, and comes to its end as it would have."""
    match command:
        case RunStep(phase=phase, step=step):
            opened = state.phase(phase).open
            return step in ASKS and not (opened and opened.replies)
        case Record(events=events):
            return any(isinstance(event, PhaseStarted) for event in events)
        case _:
            return False


def _was_cut_off(state: RunState) -> bool:
    """Whether the run waits for an answer that an agent did not get to give."""
    current = state.current
    at_work = (current, *(state.parts[name] for name in current.parts)) if current else ()
    steps = [item for phase in at_work for item in phase.steps.items()]
    return any(step.status == "unproven" and Step(name.partition(".")[0]) in ASKS for name, step in steps)


def _start(state: RunState, phase: PhaseState) -> Record:
    attempt = phase.attempt + 1
    return Record(f"{phase.id}/start/{attempt}", (PhaseStarted(phase.id, attempt, state.tip),))


def _first_open(state: RunState) -> PhaseState | None:
    """The next phase to start. What builds on work that waits for a person waits with it."""
    held = {name for phase in _waiting_for_person(state) for name in _waiting_for(state, phase.id)}
    open_ = (p for p in state.phases.values() if p.status is PhaseStatus.NOT_STARTED)
    return next((p for p in open_ if p.id not in held), None)


def _waiting_for_person(state: RunState) -> list[PhaseState]:
    return [p for p in state.phases.values() if p.status is PhaseStatus.NEEDS_HUMAN_VERIFICATION]


def _stop_after_failure(state: RunState) -> Halt | None:
    """A failed phase stops a plain run when something still to do depends on it, or when the judge said so."""
    for phase in state.phases.values():
        if phase.status is not PhaseStatus.FAILED:
            continue
        said = [p.judgement.recommendation for p in (phase, *_parts(state, phase)) if p.judgement]
        word = max(said, key=SEVERITY.index, default=Recommendation.PROCEED)
        if word in (Recommendation.ROLLBACK, Recommendation.HALT):
            return Halt(RunStatus.FAILED, f"phase {phase.id}: the judge says {word}", 1)
        if blocked := _waiting_for(state, phase.id):
            names = ", ".join(blocked)
            return Halt(RunStatus.FAILED, f"phase {phase.id} failed and phase {names} depends on it", 1)
    return None


def _parts(state: RunState, phase: PhaseState) -> tuple[PhaseState, ...]:
    return tuple(state.parts[name] for name in phase.parts)


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
    """In the order they came onto the run's line: what lands is its tip, and the last one's look was at that."""
    waiting = [p for p in state.phases.values() if p.landing.state in ("started", "deferred")]
    return sorted(waiting, key=lambda p: p.completed_at or state.now)


def _finish(state: RunState) -> Halt:
    waiting_for_person = _waiting_for_person(state)
    open_ = (PhaseStatus.COMPLETED, PhaseStatus.NEEDS_HUMAN_VERIFICATION, PhaseStatus.NOT_STARTED)
    failed = [p.id for p in state.phases.values() if p.status not in open_]
    if waiting_for_person and not failed:
        names = ", ".join(p.id for p in waiting_for_person)
        hint = f"autopilot verdict {waiting_for_person[0].id} pass"
        return Halt(RunStatus.WAITING, f"phase {names} waits for your verdict: {hint}", 3)
    if failed:
        return Halt(RunStatus.FAILED, f"phase {', '.join(failed)} did not pass", 1)
    if waiting := _waiting_to_land(state):
        return Halt(RunStatus.WAITING, f"every phase passed; landing waits: {waiting[-1].landing.because}", 3)
    return Halt(RunStatus.COMPLETED, "every phase passed", 0)
