"""The circuit breaker: which threshold opens it, what a resume gives it, and what closes it again (CB)."""

from __future__ import annotations

from typing import Any

import pytest

from autopilot.events import happened as h
from autopilot.events import recovery as r
from autopilot.events.fold import fold_all
from autopilot.events.fold_breaker import fingerprint
from autopilot.events.pieces import BreakerState
from autopilot.events.recovery import TaskAlreadyThere
from autopilot.events.state import RunState
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Breaker, Budget, Policy
from autopilot.model.run import RunStatus, Step
from autopilot.rails.breaker import find_reason_to_open, find_stall, may_close
from tests.unit.making import ONE, at, make_phase, make_started, make_state, make_task, store

# covers: CB
TWO = PhaseId("2")
BOTH = (ONE, TWO)
NO_PROGRESS, SAME, RETRIES = "no progress: ", "the same error ", "the run has used all of its "


@pytest.mark.parametrize(
    ("breaker", "words"),
    [
        ({}, ""),
        ({"no_progress": 2}, ""),
        ({"no_progress": 3}, ""),  # a phase that gets nowhere fails by itself
        ({"same_error": 4, "last_error": "verify: red", "failing": BOTH}, ""),
        (
            {"same_error": 5, "last_error": "verify: red", "failing": BOTH},
            "the same error 5 times in a row: verify: red",
        ),
        ({"same_error": 9, "last_error": "verify: red", "failing": (ONE,)}, ""),  # the trouble of one phase alone
        ({"tried": {ONE: 9}}, ""),
        ({"tried": {ONE: 6, TWO: 4}}, "the run has used all of its 10 retries"),
        ({"state": "half_open"}, ""),
        ({"state": "half_open", "no_progress": 1}, "no progress: the last step of work changed nothing"),
        ({"state": "half_open", "same_error": 1}, ""),  # the error it was opened by, or a first one
        ({"state": "half_open", "same_error": 2}, SAME),
        ({"state": "open", "no_progress": 9, "same_error": 9, "tried": {ONE: 99}}, ""),  # it is open already
    ],
)
def test_a_threshold_that_is_reached_opens_it(breaker: dict[str, Any], words: str) -> None:
    found = find_reason_to_open(make_state(breaker=BreakerState(**breaker)), Policy())
    assert found.startswith(words) if words else found == ""


def test_every_threshold_can_be_another() -> None:
    policy = Policy(breaker=Breaker(no_progress=1, same_error=2, retries_per_run=1))
    for breaker in (BreakerState(same_error=2, failing=BOTH), BreakerState(tried={ONE: 1})):
        assert find_reason_to_open(make_state(breaker=breaker), policy)


@pytest.mark.parametrize(
    ("state", "progressed", "closes"),
    [("closed", True, False), ("half_open", False, False), ("half_open", True, True), ("open", True, False)],
)
def test_only_a_half_open_one_closes_and_only_on_progress(state: str, progressed: bool, closes: bool) -> None:
    assert may_close(make_state(breaker=BreakerState(state=state, progressed=progressed))) is closes


BEGUN = (make_started(), h.PhaseStarted(ONE, 1, "base"), h.Planned(ONE, "plan", (make_task(),), ()))
RESUMED = h.RunResumed("0.1.0", (), Budget())
COMMITTED = h.TaskCommitted(ONE, "01-01", "work", ("a.py",), ())
REFUSED = h.TaskRefused(ONE, "01-01", "the agent committed nothing")


def worked(attempt: int, *brought: h.Event, status: str = "completed", detail: str = "") -> tuple[h.Event, ...]:
    started = h.StepStarted(ONE, Step.EXECUTE, attempt, 1, "01-01")
    return started, *brought, h.StepEnded(ONE, Step.EXECUTE, attempt, status, "01-01", detail)


def after(*events: h.Event) -> BreakerState:
    return run(*events).breaker


def run(*events: h.Event) -> RunState:
    return fold_all(store(*BEGUN, *events))


def test_a_step_of_work_that_changes_nothing_is_no_progress_and_one_that_does_starts_the_count_anew() -> None:
    nothing = (*worked(1, REFUSED, status="refused"), *worked(2, REFUSED, status="refused"))
    assert after(*nothing).no_progress == 2
    assert after(*nothing, *worked(3, COMMITTED)).no_progress == 0


def test_what_only_looks_makes_no_progress_and_hinders_none() -> None:
    looked = (h.StepStarted(ONE, Step.VERIFY, 1), h.StepEnded(ONE, Step.VERIFY, 1, "fail", detail="c1: red"))
    assert after(*looked).no_progress == 0


@pytest.mark.parametrize(
    "settled",
    [
        TaskAlreadyThere(ONE, "01-01", unshown=True),
        h.TaskVerified(ONE, "01-01", "work", (), (), Outcome.PASS),
    ],
)
def test_what_a_task_got_over_is_no_row_of_errors_when_the_next_meets_it_too(settled: h.Event) -> None:
    """A phase taken over midway: for task after task the agents rightly commit nothing, and each is settled."""
    refused = tuple(e for attempt in (1, 2) for e in worked(attempt, REFUSED, status="refused", detail="nothing"))
    assert after(*refused).same_error == 2
    assert after(*refused, settled).same_error == 0
    red = h.TaskVerified(ONE, "01-01", "work", (), (), Outcome.FAIL)
    assert after(*refused, red).same_error == 2


def test_equal_errors_are_counted_in_a_row() -> None:
    def failed(attempt: int, detail: str) -> tuple[h.Event, ...]:
        return h.StepStarted(ONE, Step.VERIFY, attempt), h.StepEnded(ONE, Step.VERIFY, attempt, "error", detail=detail)

    same = (*failed(1, "it took 31 s in /tmp/x1"), *failed(2, "it took 7 s in  /tmp/y2"))
    assert after(*same).same_error == 2
    assert after(*same, *failed(3, "another one")).same_error == 1
    assert after(*same, *worked(1, COMMITTED)).same_error == 2, "work in between does not make it another error"


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ("failed at 3f2a9c1d7e", "failed at 0badc0ffee", True),
        ("line 1234 of x", "line 987 of x", True),
        ("took 12 s", "took 4.5 s", True),
        ("in /tmp/tmpab12", "in /tmp/other/c", True),
        ("Red   here", "red here", True),
        ("01-01.c1: red", "01-02.c1: red", False),  # another criterion is another error
        ("red", "green", False),
    ],
)
def test_what_varies_from_one_time_to_the_next_does_not_make_another_error(one: str, other: str, equal: bool) -> None:
    assert (fingerprint(Step.VERIFY, one) == fingerprint(Step.VERIFY, other)) is equal
    assert fingerprint(Step.VERIFY, one) != fingerprint(Step.JUDGE, one)


@pytest.mark.parametrize(("step", "same"), [(Step.VERIFY, 2), (Step.JUDGE, 0), (Step.RATE, 0)])
def test_a_review_that_complains_and_refuses_nothing_is_no_error(step: Step, same: int) -> None:
    """The judge of today ends otherwise: it stands in for a review that will be added."""
    ends = (h.StepEnded(ONE, step, attempt, "fail", detail="a.py has no licence") for attempt in (1, 2))
    pairs = ((h.StepStarted(ONE, step, end.attempt), end) for end in ends)
    assert after(*(event for pair in pairs for event in pair)).same_error == same


def test_debugs_re_plans_and_second_attempts_are_retries() -> None:
    debug = (h.StepStarted(ONE, Step.DEBUG, 1), h.StepStarted(ONE, Step.DEBUG, 1, 2))
    assert after(*debug).retries == 0, "a try that was killed has not happened yet"
    debug = (*debug, h.StepEnded(ONE, Step.DEBUG, 1, "completed"))
    assert after(*debug).retries == 1, "tried again after a crash it is the same"
    assert after(*debug, r.Replanned(ONE, 6.0, ()), h.PhaseStarted(ONE, 2, "base")).retries == 3


def test_a_debug_of_a_single_task_is_no_retry_of_the_phase_and_a_phase_that_passes_was_worth_its_own() -> None:
    of_task = (h.StepStarted(ONE, Step.DEBUG, 1, 1, "01-01"), h.StepEnded(ONE, Step.DEBUG, 1, "completed", "01-01"))
    assert after(*of_task).retries == 0
    whole = (h.StepStarted(ONE, Step.DEBUG, 1), h.StepEnded(ONE, Step.DEBUG, 1, "error", detail="red"))
    tried = after(*whole)
    assert (tried.retries, tried.same_error, tried.failing) == (1, 1, (ONE,))
    passed = after(*whole, h.PhaseCompleted(ONE, 9.0, "tip"))
    assert (passed.retries, passed.same_error, passed.failing) == (0, 0, ())


@pytest.mark.parametrize(
    ("breaker", "words"),
    [
        ({"stalled": {ONE: 2}}, ""),
        ({"stalled": {ONE: 3}}, "no progress: 3 steps of work in a row changed nothing"),
        ({"stalled": {TWO: 9}}, ""),
        ({"same_error": 5, "last_error": "verify: red", "failing": (ONE,)}, SAME),
        ({"same_error": 4, "last_error": "verify: red", "failing": (ONE,)}, ""),
        ({"same_error": 5, "last_error": "verify: red", "failing": BOTH}, ""),  # that is the breaker's
    ],
)
def test_a_phase_that_gets_nowhere_is_known_by_its_own_counts(breaker: dict[str, Any], words: str) -> None:
    state = make_state(make_phase(), breaker=BreakerState(**breaker))
    found = find_stall(state, state.phases[ONE], Policy())
    assert found.startswith(words) if words else found == ""


def test_open_it_says_until_when_and_a_resume_gives_one_try() -> None:
    opened = (*worked(1, REFUSED, status="refused"), r.BreakerOpened("no progress", 1))
    state = after(*opened)
    assert (state.state, state.reason, state.exit_status) == ("open", "no progress", 1)
    assert state.until is not None and (state.until - at(len(BEGUN) + len(opened))).total_seconds() == 300
    assert after(*opened, RESUMED).state == "open", "a kill is no rest"
    opened = (*opened, h.RunStopped(RunStatus.PAUSED, "the circuit breaker is open", 1))
    half = after(*opened, RESUMED)
    assert (half.state, half.no_progress, half.retries, half.progressed) == ("half_open", 0, 0, False)
    again = run(*opened, RESUMED, *worked(2, REFUSED, status="refused"))
    assert find_reason_to_open(again, Policy())
    well = run(*opened, RESUMED, *worked(2, COMMITTED))
    assert may_close(well)
    closed = after(*opened, RESUMED, *worked(2, COMMITTED), r.BreakerClosed("a step of work made progress"))
    assert (closed.state, closed.reason, closed.until) == ("closed", "", None)


def test_a_resume_leaves_a_closed_one_as_it_is() -> None:
    counted = worked(1, REFUSED, status="refused")
    assert after(*counted, RESUMED) == after(*counted)
