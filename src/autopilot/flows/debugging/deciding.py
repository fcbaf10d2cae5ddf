"""A debug session: gather, reproduce, bisect, then hypothesis after hypothesis until one holds; fix, prove, land."""

from __future__ import annotations

from autopilot.events.debugging.happened import SessionClosed
from autopilot.events.debugging.state import DebugState
from autopilot.events.happened import PhaseStarted
from autopilot.events.state import PhaseState, RunState
from autopilot.flows.command import Command, Halt, Record
from autopilot.flows.phase import MAX_STEP_ERRORS, next_step, try_again, wait_for_us
from autopilot.model.debugging.bisection import next_candidate
from autopilot.model.debugging.session import MOST_FIXES, MOST_GATHERINGS, MOST_HYPOTHESES, SESSION, Status
from autopilot.model.run import LandingStage, PhaseStatus, RunStatus, Step, StepStatus


def next_for_session(state: RunState) -> tuple[Command, ...]:
    session, phase = state.debugging, state.phase(SESSION)
    assert session is not None, "only a debug session comes here"
    if phase.open is not None:
        return (try_again(phase.id, phase.open),)
    if stop := wait_for_us(phase):
        return (stop,)
    for part in (_broken_down, _ended, _begin, _gather, _bisect, _find_cause, _stop_at_cause, _fix):
        if (command := part(state, session, phase)) is not None:
            return (command,)
    return (next_step(phase, Step.ARCHIVE),)


def _broken_down(_: RunState, __: DebugState, phase: PhaseState) -> Command | None:
    """A step that fails twice for the same reason is not retried."""
    for name, step in phase.steps.items():
        if step.status == StepStatus.ERROR and step.errors >= MAX_STEP_ERRORS:
            return Halt(RunStatus.FAILED, f"{name}: {step.detail}", 1)
    return None


def _ended(state: RunState, session: DebugState, phase: PhaseState) -> Command | None:
    """What is resolved lands; every other end is said, and a person may take the session up again."""
    if session.ending is None:
        return None
    closed = session.ending.closed
    slug = session.brief.slug
    if closed.status is Status.RESOLVED and not closed.by:
        return _land(state, phase)
    if closed.status.is_settled:
        return Halt(RunStatus.COMPLETED, f"debug session {slug} is {closed.status.value}: {closed.because}", 0)
    if closed.status is Status.DIAGNOSED:
        found_as_asked = session.brief.find_only and not session.fixes
        status = RunStatus.COMPLETED if found_as_asked else RunStatus.FAILED
        return Halt(status, f"cause found, not fixed: {closed.because}", 0 if found_as_asked else 1)
    return Halt(RunStatus.FAILED, closed.because, 1)


def _land(state: RunState, phase: PhaseState) -> Command:
    landing = phase.landing
    if landing.state == LandingStage.LANDED:
        return Halt(RunStatus.COMPLETED, "the fix is proven and has landed", 0)
    if landing.state == LandingStage.DEFERRED and state.session.landing_tried:
        return Halt(RunStatus.WAITING, f"the fix is proven; landing waits: {landing.because}", 3)
    return next_step(phase, Step.LAND)


def _begin(state: RunState, _: DebugState, phase: PhaseState) -> Command | None:
    if phase.status is not PhaseStatus.NOT_STARTED:
        return None
    attempt = phase.totals.attempt + 1
    return Record(f"{phase.id}/start/{attempt}", (PhaseStarted(phase.id, attempt, state.line.tip),))


def _gather(state: RunState, session: DebugState, phase: PhaseState) -> Command | None:
    if session.is_reproduced:
        return None
    if session.symptoms is not None and not session.trouble:
        return next_step(phase, Step.REPRODUCE)
    if session.gatherings >= MOST_GATHERINGS:
        because = f"not reproduced in {MOST_GATHERINGS} tries: {session.trouble}"
        return _close(state, phase, Status.NOT_REPRODUCED, because)
    return next_step(phase, Step.GATHER, "symptoms")


def _bisect(_: RunState, session: DebugState, phase: PhaseState) -> Command | None:
    bisection = session.bisection
    if not session.brief.good or (bisection is not None and bisection.begun.problem):
        return None
    if bisection is None:
        return next_step(phase, Step.BISECT)
    count, tested = bisection.begun.count, {index: event.result for index, event in bisection.tested.items()}
    is_over = next_candidate(count, tested) is None and count - 1 in tested
    return None if is_over else next_step(phase, Step.BISECT)


def _find_cause(state: RunState, session: DebugState, phase: PhaseState) -> Command | None:
    if session.cause is not None:
        return None
    if any(idea.is_open for idea in session.ideas):
        return next_step(phase, Step.REFUTE)
    if len(session.ideas) - session.ideas_before >= MOST_HYPOTHESES:
        tried = [idea for idea in session.ideas[session.ideas_before :] if idea.tested]
        refused = len(session.ideas) - session.ideas_before - len(tried)
        because = f"cause not found: {len(tried)} hypotheses were tested and {refused} refused; none holds"
        return _close(state, phase, Status.NOT_FOUND, because)
    return next_step(phase, Step.HYPOTHESIZE, "hypothesis")


def _stop_at_cause(state: RunState, session: DebugState, phase: PhaseState) -> Command | None:
    """With --find-only, or when no fix could be proven."""
    assert session.cause is not None, "the cause is found by now"
    if session.brief.find_only and not session.fixes:
        return _close(state, phase, Status.DIAGNOSED, session.cause.statement)
    if session.fix is None and len(session.fixes) - session.fixes_before >= MOST_FIXES:
        last = session.fixes[-1].refusal or (session.judged.findings[0] if session.judged else "")
        because = f"{session.cause.statement}; {MOST_FIXES} fixes did not hold, the last one: {last}"
        return _close(state, phase, Status.DIAGNOSED, because)
    return None


def _fix(_: RunState, session: DebugState, phase: PhaseState) -> Command | None:
    if session.is_proven:
        return None
    return next_step(phase, Step.FIX, "fix") if session.fix is None else next_step(phase, Step.PROVE)


def _close(state: RunState, phase: PhaseState, status: Status, because: str) -> Record:
    return Record(f"closed/{state.totals.resumes}", (SessionClosed(phase.id, status, because),))
