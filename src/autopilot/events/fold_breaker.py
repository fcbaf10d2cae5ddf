"""The circuit breaker's counts: whether steps of work still change anything, and whether one error repeats."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import timedelta

from msgspec import UNSET
from msgspec.structs import replace

from autopilot.events import happened as h
from autopilot.events import recovery as r
from autopilot.events.pieces import BreakerState
from autopilot.events.state import PhaseState, RunState
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import BreakerStatus, Step, StepStatus, TaskStatus
from autopilot.model.step import DEBUG_STEPS, REVIEWS

WORK = (Step.EXECUTE, Step.DEBUG, Step.RESOLVE)
# A low score, or a complaint that refuses nothing, is no error; what verify fails by is. The gate only says again what
# others said, and an issue has rails of its own.
RULINGS = (*(review for review in REVIEWS if review is not Step.VERIFY), Step.GATE, Step.ORACLE)
BAD = (StepStatus.FAIL, StepStatus.ERROR, StepStatus.REFUSED)
DONE = (TaskStatus.VERIFIED, TaskStatus.ALREADY)
# What differs between two occurrences of one error: hashes, long numbers, durations, temporary places. Ids of tasks and
# criteria stay: another criterion that fails is another error.
_VARYING = re.compile(r"\b[0-9a-f]{7,64}\b|\b\d{3,}\b|\b\d+(?:\.\d+)? ?m?s\b|/tmp/\S+")


def watch(state: RunState, event: h.Event) -> RunState:
    """The state with the breaker's counts after this event."""
    breaker = state.breaker
    match event:
        case h.StepStarted(step=step) if step in WORK:
            breaker = replace(breaker, seen={**breaker.seen, event.phase: standing(state, state.phase(event.phase))})
        case r.Replanned():
            breaker = _count_retry(breaker, event.phase)
        case h.PhaseStarted(attempt=attempt) if state.is_of_roadmap:
            breaker = replace(breaker, stalled=_without(breaker.stalled, event.phase))
            breaker = _count_retry(breaker, event.phase, int(attempt > 1))
        case r.TaskAlreadyThere() | h.TaskVerified(outcome=Outcome.PASS):
            breaker = _after_task(breaker, state.phase(event.phase).parent or event.phase)
        case h.PhaseCompleted():
            breaker = _after_success(breaker, event.phase)
        case h.StepEnded(status=StepStatus.POSTPONED):
            return state  # no agent was available: neither progress nor the lack of it
        case h.StepEnded(step=step, status=status, detail=detail):
            # Not with its start: a retry after a crash must find the same counts as the first try.
            # One of a single task has its own limit, and mends what was begun a moment ago.
            breaker = _count_retry(breaker, event.phase, int(step is Step.DEBUG and not event.task))
            breaker = _after_step(breaker, state, event)
            is_ruling = step in RULINGS and status == StepStatus.FAIL
            # What a session refuses or refutes is its way to the cause, and has limits of its own.
            is_ruling = is_ruling or (step in (*DEBUG_STEPS, Step.DRAFT) and status != StepStatus.ERROR)
            if detail and status in BAD and not is_ruling:
                # The parts of a phase are one phase: what they all fail by need not hit any other.
                whole = state.phase(event.phase).parent or event.phase
                breaker = _after_error(breaker, fingerprint(step, detail), whole)
        case _:
            return state
    return replace(state, breaker=breaker)


def _after_step(breaker: BreakerState, state: RunState, ended: h.StepEnded) -> BreakerState:
    if ended.step in WORK:
        return _after_work(breaker, state, ended)
    went_well = ended.step.role is not None and ended.status not in (*BAD, StepStatus.UNPROVEN)
    return replace(breaker, progressed=breaker.progressed or went_well)


def _after_work(breaker: BreakerState, state: RunState, ended: h.StepEnded) -> BreakerState:
    phase = ended.phase
    if breaker.seen.get(phase) == standing(state, state.phase(phase)):
        task = state.phase(phase).tasks.get(ended.task)
        if task is not None and task.died and task.deaths > 1:
            return breaker  # its agent died again: that is one step of work, tried more than once
        stalled = {**breaker.stalled, phase: breaker.stalled.get(phase, 0) + 1}
        return replace(breaker, no_progress=breaker.no_progress + 1, stalled=stalled)
    return replace(breaker, no_progress=0, stalled=_without(breaker.stalled, phase), progressed=True)


def _after_success(breaker: BreakerState, phase: PhaseId) -> BreakerState:
    """A phase that passed has not repeated anybody's error, and was worth its retries."""
    tried, stalled = _without(breaker.tried, phase), _without(breaker.stalled, phase)
    return replace(breaker, no_progress=0, same_error=0, failing=(), tried=tried, stalled=stalled)


def _after_task(breaker: BreakerState, phase: PhaseId) -> BreakerState:
    """What a task met and got over, the next task of its phase may meet as well: that is no row of errors."""
    return replace(breaker, same_error=0, failing=()) if breaker.failing == (phase,) else breaker


def _count_retry(breaker: BreakerState, phase: PhaseId, number: int = 1) -> BreakerState:
    return replace(breaker, tried={**breaker.tried, phase: breaker.tried.get(phase, 0) + number}) if number else breaker


def _without(counts: Mapping[PhaseId, int], phase: PhaseId) -> dict[PhaseId, int]:
    return {id: count for id, count in counts.items() if id != phase}


def standing(state: RunState, phase: PhaseState) -> str:
    """Tree, failing set and score as one text: a step of work that does not change it made no progress.

    A task that is not done yet counts as failing, as a refused one does: a refusal is no progress.
    """
    failing = sorted(task.task.id for task in phase.tasks.values() if task.status not in DONE)
    failing += sorted(v.subject for v in phase.gate.verdicts if v.outcome is not Outcome.PASS)
    return f"{phase.id} {state.tip_of(phase)} {' '.join(failing)} {phase.reviews.score}"


def _after_error(breaker: BreakerState, error: str, phase: PhaseId) -> BreakerState:
    repeated = error == breaker.last_error
    failing = (*breaker.failing, *((phase,) if phase not in breaker.failing else ())) if repeated else (phase,)
    return replace(breaker, same_error=breaker.same_error + 1 if repeated else 1, last_error=error, failing=failing)


def fingerprint(step: Step, detail: str) -> str:
    return f"{step.value}: {' '.join(_VARYING.sub('#', detail.casefold()).split())[:200]}"


def opened(state: RunState, event: r.BreakerOpened) -> BreakerState:
    until = state.now + timedelta(minutes=state.policy.breaker.cooldown_minutes)
    return replace(
        state.breaker,
        state=BreakerStatus.OPEN,
        reason=event.reason,
        exit_status=event.exit_status,
        until=until,
        cap=None if event.cap is UNSET else event.cap,
        progressed=False,
    )


def half_opened(breaker: BreakerState, same_error: int) -> BreakerState:
    """A resume gives one retry: the counts start over. An error that opened the breaker has happened once already."""
    if breaker.state == BreakerStatus.CLOSED:
        return breaker
    known = int(breaker.same_error >= same_error)
    return replace(
        breaker,
        state=BreakerStatus.HALF_OPEN,
        no_progress=0,
        same_error=known,
        tried={},
        stalled={},
        progressed=False,
    )


def closed(breaker: BreakerState) -> BreakerState:
    return replace(
        breaker,
        state=BreakerStatus.CLOSED,
        no_progress=0,
        same_error=0,
        failing=(),
        reason="",
        until=None,
        progressed=False,
    )
