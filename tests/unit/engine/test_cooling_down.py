"""An open breaker refuses a resume until it has cooled down, whatever the wall clock shows meanwhile (CB)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from msgspec.structs import replace

from autopilot.engine.opening import must_have_cooled_down
from autopilot.events.pieces import BreakerState
from autopilot.events.rooms.run import Session
from autopilot.events.state import RunState
from autopilot.model.errors import BreakerOpen, CapReached
from autopilot.model.run import BreakerStatus, Cap, RunRequest
from tests.unit.making import START, make_policy

COOLDOWN = timedelta(minutes=make_policy().breaker.cooldown_minutes)


def stopped() -> RunState:
    breaker = BreakerState(state=BreakerStatus.OPEN, reason="no progress", until=START + COOLDOWN)
    return replace(RunState(), session=Session(exit_status=1), breaker=breaker, policy=make_policy())


@pytest.mark.parametrize(
    ("since_opening", "message"),
    [
        (timedelta(seconds=1), "cools down for 5 more minutes"),
        (timedelta(minutes=4, seconds=30), "cools down for 1 more minute$"),
        (-timedelta(days=1), "the clock shows a time before the breaker opened"),
        (-timedelta(days=365), "the clock shows a time before the breaker opened"),
    ],
)
def test_the_refusal_says_how_long_or_why_that_is_unknown(since_opening: timedelta, message: str) -> None:
    with pytest.raises(BreakerOpen, match=message) as caught:
        must_have_cooled_down(RunRequest(), stopped(), START + since_opening)
    assert caught.value.hint == "remove the cause first; `autopilot resume --now` does not wait"
    must_have_cooled_down(RunRequest(skip_cooldown=True), stopped(), START + since_opening)


def test_a_cap_that_opened_the_breaker_has_to_be_raised_first() -> None:
    capped = replace(stopped(), breaker=replace(stopped().breaker, cap=Cap.TOKENS_PER_PHASE))
    with pytest.raises(CapReached) as caught:
        must_have_cooled_down(RunRequest(), capped, START, capped.policy.budget)
    assert caught.value.exit_status == 4
    assert caught.value.hint.startswith("raise the cap first, as `autopilot status` says; ")


def test_a_cap_that_was_raised_is_nothing_to_wait_for() -> None:
    # covers: CB
    budget = make_policy().budget
    capped = replace(stopped(), breaker=replace(stopped().breaker, cap=Cap.TOKENS_PER_PHASE))
    must_have_cooled_down(RunRequest(), capped, START, replace(budget, tokens_per_phase=budget.tokens_per_phase + 1))
    with pytest.raises(CapReached):
        must_have_cooled_down(RunRequest(), capped, START, replace(budget, minutes_per_phase=1000.0))
    with pytest.raises(BreakerOpen):
        must_have_cooled_down(RunRequest(), stopped(), START, replace(budget, tokens_per_phase=9_000_000))


@pytest.mark.parametrize("since_opening", [COOLDOWN, timedelta(days=365)])
def test_cooled_down_it_lets_the_run_go_on(since_opening: timedelta) -> None:
    must_have_cooled_down(RunRequest(), stopped(), START + since_opening)
