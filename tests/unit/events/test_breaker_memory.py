"""What counts as progress, as an error and as a try that went well, to the circuit breaker (CB)."""

from __future__ import annotations

import pytest

from autopilot.events import happened as h
from autopilot.events import recovery as r
from autopilot.events.fold import fold_all
from autopilot.events.pieces import BreakerState
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.policy import Breaker, Budget, Policy
from autopilot.model.run import RunStatus, Step
from tests.unit.making import ONE, make_started, make_task, make_verdict, store

# covers: CB
BEGUN = (
    make_started(policy=Policy(breaker=Breaker(same_error=2))),
    h.PhaseStarted(ONE, 1, "base"),
    h.Planned(ONE, "plan", (make_task(),), ()),
)
RESUMED = (h.RunStopped(RunStatus.PAUSED, "the breaker is open", 1), h.RunResumed("0.1.0", (), Budget()))


def after(*events: h.Event) -> BreakerState:
    return fold_all(store(*BEGUN, *events)).breaker


def step(step: Step, status: str, *brought: h.Event, detail: str = "it ended so", attempt: int = 1) -> list[h.Event]:
    return [h.StepStarted(ONE, step, attempt), *brought, h.StepEnded(ONE, step, attempt, status, detail=detail)]


def test_a_task_that_is_refused_at_the_first_try_is_no_progress_either() -> None:
    refused = h.TaskRefused(ONE, "01-01", "the agent committed nothing")
    assert after(*step(Step.EXECUTE, "refused", refused)).no_progress == 1


def test_an_agent_that_dies_again_at_one_task_is_one_step_of_work() -> None:
    died = h.TaskRefused(ONE, "01-01", "the executor crashed", died=True)
    ended = h.StepEnded(ONE, Step.EXECUTE, 1, "refused", detail="it crashed", task="01-01")
    tries = [event for _ in range(3) for event in (h.StepStarted(ONE, Step.EXECUTE, 1, task="01-01"), died, ended)]
    assert after(*tries).no_progress == 1
    assert after(*tries).same_error == 3, "an agent that always dies is still noticed"


def test_what_the_gate_found_between_two_steps_of_work_is_not_the_progress_of_the_second() -> None:
    judged = h.GateJudged(ONE, "base", Outcome.FAIL, "red", (make_verdict(Outcome.FAIL),))
    idle = r.PhaseMended(ONE, 1, ("red",), refusal="the agent committed nothing")
    worked = step(Step.EXECUTE, "refused", h.TaskRefused(ONE, "01-01", "the agent committed nothing"))
    found = after(*worked, *step(Step.GATE, "fail", judged), *step(Step.DEBUG, "refused", idle))
    assert found.no_progress == 2


@pytest.mark.parametrize(
    ("name", "status", "counted"),
    [
        (Step.VERIFY, "error", 1),
        (Step.VERIFY, "fail", 1),
        (Step.RATE, "error", 1),
        (Step.RATE, "fail", 0),  # a low score is an order to go on
        (Step.GATE, "fail", 0),  # says again what others said
        (Step.VERIFY, "unproven", 0),  # ours
    ],
)
def test_an_error_is_what_a_step_broke_down_with(name: Step, status: str, counted: int) -> None:
    assert after(*step(name, status)).same_error == counted


OPENED = (*step(Step.VERIFY, "error"), *step(Step.VERIFY, "error", attempt=2), r.BreakerOpened("the same error"))


@pytest.mark.parametrize(
    ("name", "status", "well"),
    [
        (Step.VERIFY, "pass", True),
        (Step.JUDGE, "proceed", True),
        (Step.VERIFY, "error", False),
        (Step.VERIFY, "unproven", False),
        (Step.RATE, "fail", False),
        (Step.GATE, "pass", False),  # nobody was asked
        (Step.PREFLIGHT, "pass", False),
    ],
)
def test_half_open_an_agent_that_ends_well_is_a_try_that_went_well(name: Step, status: str, well: bool) -> None:
    assert after(*OPENED, *RESUMED, *step(name, status, attempt=3)).progressed is well


def test_half_open_the_error_that_opened_it_is_known_and_another_begins_anew() -> None:
    assert after(*OPENED, *RESUMED, *step(Step.VERIFY, "error", attempt=3)).same_error == 2
    assert after(*OPENED, *RESUMED, *step(Step.VERIFY, "error", detail="other", attempt=3)).same_error == 1
    slow = (*step(Step.VERIFY, "error"), r.BreakerOpened("no progress"), *RESUMED)
    assert after(*slow).same_error == 0
