"""Roadmap mode: which phase is next, and when the run stops."""

from __future__ import annotations

from datetime import datetime

from autopilot.events.happened import PhaseSkipped, PhaseStarted
from autopilot.events.recovery import BreakerClosed, BreakerOpened, DeferRateHigh, PhaseHeld
from autopilot.events.state import PhaseState, RunState
from autopilot.flows.agent_assignment import assign_agent
from autopilot.flows.closing import close
from autopilot.flows.command import Command, Halt, Record, RunStep
from autopilot.flows.debugging.deciding import next_for_session
from autopilot.flows.drafting import next_for_draft
from autopilot.flows.holding import hold
from autopilot.flows.issue.deciding import leads_to_agent, next_for_issue
from autopilot.flows.phase import next_in_phase, next_step, try_again, wait_for_us
from autopilot.flows.preparing import ask_at_checkpoint, prepare
from autopilot.flows.train import is_taken, next_at_work, settled_tip
from autopilot.model.assessment import SEVERITY, Recommendation
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Policy
from autopilot.model.run import BreakerStatus, LandingStage, PhaseStatus, RunStatus, Step, StepStatus, StopKind
from autopilot.rails.assignment import ASKS
from autopilot.rails.breaker import find_reason_to_open, may_close
from autopilot.rails.budget import first_tripped, phase_tripped
from autopilot.rails.deferral import warn_of_deferrals
from autopilot.text.naming import name_phases


def decide(state: RunState, policy: Policy, now: datetime) -> tuple[Command, ...]:
    """The next commands, independent of each other: parts of a split phase and parallel phases make it several."""
    if state.session.cancelled_by:
        return (Halt(RunStatus.PAUSED, f"cancelled by {state.session.cancelled_by}", 1),)
    if state.session.pause_wanted_by:
        return (Halt(RunStatus.PAUSED, f"paused by {state.session.pause_wanted_by}", 1),)
    if state.breaker.state == BreakerStatus.OPEN:
        kind = StopKind.CAP if state.breaker.exit_status == 4 else None
        breaker = state.breaker
        return (Halt(RunStatus.PAUSED, _breaker_message(state), breaker.exit_status, kind, breaker.cap),)
    if may_close(state):
        return (Record(f"breaker-closed/{state.totals.resumes}", (BreakerClosed("the retry succeeded"),)),)
    if state.breaker.state == BreakerStatus.HALF_OPEN and (reason := find_reason_to_open(state, policy)):
        return (Record(f"breaker-opened/{state.totals.resumes}", (BreakerOpened(reason),)),)
    if (high := _defers_often(state)) and high not in state.totals.warnings:
        return (Record(f"defer-rate/{len(state.totals.warnings)}", (DeferRateHigh(high),)),)
    commands = _next(state, policy)
    # A cap stops what would spend more, and is why an agent was cut off; what is done may still be judged and land.
    if any(_spends(command, state) for command in commands) or _was_cut_off(state):
        if stop := _stopped_by_rail(state, policy, now):
            return _free(state, commands) or stop
        return _assign_agents(state, policy, commands)
    return commands


def needs_agent(state: RunState, policy: Policy) -> bool:
    """Whether what comes next is for an agent to do; what only lands, or waits for a person, needs none."""
    commands = _next(state, policy)
    at_the_start = any(
        isinstance(command, RunStep) and command.step in (Step.PREFLIGHT, Step.TRIAGE) for command in commands
    )
    issue = state.issue
    soon = issue is not None and any(leads_to_agent(command, issue) for command in commands)
    return at_the_start or soon or any(_spends(command, state) for command in commands)


def _assign_agents(state: RunState, policy: Policy, commands: tuple[Command, ...]) -> tuple[Command, ...]:
    """With an agent for each; a stop that one of several needs waits until the others cannot go on either."""
    assigned = [assign_agent(state, policy, command) if _spends(command, state) else command for command in commands]
    going = tuple(command for command in assigned if not isinstance(command, Halt))
    return going or tuple(assigned[:1])


def _stopped_by_rail(state: RunState, policy: Policy, now: datetime) -> tuple[Command, ...]:
    if tripped := first_tripped(state, policy, now):
        return (Halt(RunStatus.PAUSED, tripped.message, 4, StopKind.CAP, tripped.cap),)
    slot = f"breaker-opened/{state.totals.resumes}"
    if tripped := phase_tripped(state, policy, now):
        if tripped.phase and (held := hold(state, state.phase(tripped.phase), tripped.message)):
            return (held,)
        return (Record(slot, (BreakerOpened(tripped.message, 4, tripped.cap),)),)
    if reason := find_reason_to_open(state, policy):
        return (Record(slot, (BreakerOpened(reason),)),)
    return ()


def _free(state: RunState, commands: tuple[Command, ...]) -> tuple[Command, ...]:
    """What phases beside it can do without spending; none of them is held back, for the others stop as well."""
    free = (c for c in commands if isinstance(c, RunStep | Record) and not _spends(c, state))
    return tuple(c for c in free if not (isinstance(c, Record) and isinstance(c.events[0], PhaseHeld)))


def _breaker_message(state: RunState) -> str:
    """What happened comes first: the breaker only keeps a run from trying it again at once."""
    until = f"cools down until {state.breaker.until:%H:%M} UTC" if state.breaker.until else "is open"
    return f"{state.breaker.reason}; the circuit breaker {until}"


def _defers_often(state: RunState) -> str:
    settled = [p for p in state.phases.values() if p.settled and p.status is not PhaseStatus.SKIPPED]
    return warn_of_deferrals(sum(p.deferral is not None for p in settled), len(settled))


def _next(state: RunState, policy: Policy) -> tuple[Command, ...]:
    if state.issue is not None:
        return next_for_issue(state)
    if state.debugging is not None:
        return next_for_session(state)
    if state.drafting is not None:
        return next_for_draft(state)
    if commands := prepare(state):
        return commands
    if state.inputs.intent.only_maps:
        run = " ".join(("autopilot run", *state.phases))
        return (Halt(RunStatus.COMPLETED, f"the phases are mapped, no phase was run; to run them: `{run}`", 0),)
    if (stop := _stopped_by_judge(state)) is not None:
        return (_land_late(state) or stop,)  # a phase at work in parallel finishes its step
    working, starting = next_at_work(state, policy), _start_another(state, policy)
    if working or isinstance(starting, Record):
        return (*((starting,) if isinstance(starting, Record) else ()), *working)
    if starting is None and _is_over(state) and (commands := close(state, policy, next_in_phase)):
        return commands
    return (_land_late(state) or starting or _finish(state),)


def _is_over(state: RunState) -> bool:
    """Whether every phase passed, failed or was left out: what waits for a person is still to be decided."""
    over = (PhaseStatus.COMPLETED, PhaseStatus.FAILED, PhaseStatus.SKIPPED)
    return all(phase.status in over for phase in state.phases.values())


def _start_another(state: RunState, policy: Policy) -> Command | None:
    """Another phase while there is room for one, after what a failure blocks is left out."""
    if (left_out := _leave_out_blocked(state)) is not None:
        return left_out
    if len(_busy(state)) >= policy.parallel.phases or (phase := _first_open(state)) is None:
        return None
    return ask_at_checkpoint(state) or _start(state, policy, phase)


def _busy(state: RunState) -> tuple[PhaseState, ...]:
    """Phases that count against the limit: those in progress, and work that waited for a person and has its verdict."""
    in_progress = (p for p in state.phases.values() if p.status is PhaseStatus.IN_PROGRESS or p.is_answered)
    return tuple(p for p in in_progress if not p.line.held_at)


def _spends(command: Command, state: RunState) -> bool:
    """A step that was killed after its reply was recorded has spent already, and ends as it would have."""
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
    phases = (*state.at_work, *((state.current,) if state.current else ()))
    at_work = [member for phase in phases for member in (phase, *_parts(state, phase))]
    steps = [item for phase in at_work for item in phase.steps.items()]
    return any(step.status == StepStatus.UNPROVEN and Step(name.partition(".")[0]) in ASKS for name, step in steps)


def _start(state: RunState, policy: Policy, phase: PhaseState) -> Record:
    attempt, on_own_branch = phase.totals.attempt + 1, policy.parallel.phases > 1
    base = settled_tip(state) if on_own_branch else state.line.tip
    return Record(f"{phase.id}/start/{attempt}", (PhaseStarted(phase.id, attempt, base, on_own_branch),))


def _first_open(state: RunState) -> PhaseState | None:
    """The next phase to start. What builds on work that is in progress or waits for a person waits with it."""
    held = state.building_on(phase.id for phase in (*_waiting_for_person(state), *_busy(state), *state.held))
    open_ = (p for p in state.phases.values() if p.status is PhaseStatus.NOT_STARTED)
    return next((p for p in open_ if p.id not in held), None)


def _waiting_for_person(state: RunState) -> list[PhaseState]:
    return [p for p in state.phases.values() if p.status is PhaseStatus.NEEDS_HUMAN_VERIFICATION]


def _stopped_by_judge(state: RunState) -> Halt | None:
    for phase in _failed(state):
        recommendations = [
            p.reviews.judgement.recommendation for p in (phase, *_parts(state, phase)) if p.reviews.judgement
        ]
        word = max(recommendations, key=SEVERITY.index, default=Recommendation.PROCEED)
        if word in (Recommendation.ROLLBACK, Recommendation.HALT):
            return Halt(RunStatus.FAILED, f"phase {phase.id}: the judge says {word}", 1)
    return None


def _failed(state: RunState) -> list[PhaseState]:
    return [phase for phase in state.phases.values() if phase.status is PhaseStatus.FAILED]


def _leave_out_blocked(state: RunState) -> Record | None:
    """What depends on a failed phase is left out, and the run goes on with the rest; a resume opens it again."""
    for phase in _failed(state):
        if blocked := _waiting_for(state, phase.id):
            skipped = tuple(PhaseSkipped(name, f"blocked_by_phase_{phase.id}", phase.id) for name in blocked)
            return Record(f"{phase.id}/blocks/{phase.totals.attempt}", skipped)
    return None


def _parts(state: RunState, phase: PhaseState) -> tuple[PhaseState, ...]:
    return tuple(state.parts[name] for name in phase.split.parts)


def _waiting_for(state: RunState, *unfinished: PhaseId) -> tuple[PhaseId, ...]:
    """Phases still to do that depend on these, directly or through others."""
    building_on = state.building_on(unfinished)
    waiting = (p for p in state.phases.values() if p.status is PhaseStatus.NOT_STARTED)
    return tuple(p.id for p in waiting if p.id in building_on)


def _land_late(state: RunState) -> Command | None:
    """What passed and had to wait, or was interrupted while landing, is tried once in every session.

    Not while another phase is on the run's branch or is being merged: what lands is the tip of that branch.
    """
    waiting = _waiting_to_land(state)
    if not waiting or state.session.landing_tried or is_taken(state):
        return None
    last = waiting[-1]
    if stop := wait_for_us(last):
        return stop
    return try_again(last.id, last.open) if last.open else next_step(last, Step.LAND)


def _waiting_to_land(state: RunState) -> list[PhaseState]:
    """In the order of their merges into the run's branch: what lands is its tip, which the last one was verified on."""
    waiting = [p for p in state.phases.values() if p.landing.state in (LandingStage.STARTED, LandingStage.DEFERRED)]
    return sorted(waiting, key=lambda p: p.ending.completed_at or state.now)


def _finish(state: RunState) -> Halt:
    waiting_for_person = _waiting_for_person(state)
    failed = [p.id for p in _failed(state)]
    skipped = [p.id for p in state.phases.values() if p.status is PhaseStatus.SKIPPED]
    if waiting_for_person and not failed:
        names = name_phases([p.id for p in waiting_for_person])
        wait = "waits" if len(waiting_for_person) == 1 else "wait"
        hint = f"autopilot verdict {waiting_for_person[0].id} pass"
        return Halt(RunStatus.WAITING, f"{names} {wait} for your verdict: {hint}", 3)
    if failed:
        left_out = f", {name_phases(skipped)} {'was' if len(skipped) == 1 else 'were'} skipped" if skipped else ""
        return Halt(RunStatus.FAILED, f"{name_phases(failed)} did not pass{left_out}", 1)
    if waiting := _waiting_to_land(state):
        return Halt(RunStatus.WAITING, f"every phase passed; landing waits: {waiting[-1].landing.because}", 3)
    return Halt(RunStatus.COMPLETED, "every phase passed", 0)
