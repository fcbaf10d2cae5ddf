"""The caps of a run: just before they trip, as they trip, and which is told first (CB, R-BUDGET)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from msgspec.structs import replace

from autopilot.events.phase_tokens import phase_cap
from autopilot.events.pieces import Asked, Deferral
from autopilot.model.agent import Role, Usage
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Budget, Policy
from autopilot.model.result import Justification
from autopilot.model.run import PhaseStatus
from autopilot.rails.budget import Tripped, first_tripped, phase_tripped
from tests.unit.making import ONE, START, make_phase, make_state

# covers: CB
POLICY = Policy(budget=Budget(tokens=1_000, usd=2.0, minutes=30.0))


def message(tripped: Tripped | None) -> str:
    return tripped.message if tripped else ""


@pytest.mark.parametrize(
    ("usage", "minutes", "words"),
    [
        (Usage(), 0, ""),
        (Usage(tokens_in=900, tokens_out=99), 0, ""),
        (Usage(tokens_in=900, tokens_out=100), 0, "token cap is reached: 1,000 of 1,000"),
        (Usage(tokens_in=5_000), 0, "token cap is reached: 5,000 of 1,000"),
        (Usage(tokens_cached=9_999), 0, ""),  # cached ones are part of those that went in
        (Usage(tokens_in=1_899, tokens_cached=1_000, tokens_discounted=900), 0, ""),
        (
            Usage(tokens_in=1_900, tokens_cached=1_000, tokens_discounted=900),
            0,
            "1,000 of 1,000 (1,900 with the cached ones, which count by their price)",
        ),
        (Usage(usd=1.99), 0, ""),
        (Usage(usd=2.0), 0, "money cap is reached: 2.00 of 2.00 USD"),
        (Usage(usd=2.0, usd_is_estimate=True), 0, "money cap is reached: ~2.00 (estimate) of 2.00 USD"),
        (Usage(), 29.9, ""),
        (Usage(), 30, "time cap is reached: 30 minutes"),
        (Usage(tokens_in=1_000, usd=9.0), 99, "token cap"),
        (Usage(usd=9.0), 99, "money cap"),
    ],
)
def test_a_cap_trips_when_it_is_reached_and_says_by_how_much(usage: Usage, minutes: float, words: str) -> None:
    tripped = message(first_tripped(make_state(usage=usage), POLICY, START + timedelta(minutes=minutes)))
    assert words in tripped if words else tripped == ""


@pytest.mark.parametrize(
    ("attempt", "all_attempts", "words"),
    [
        (499, 499, ""),
        (500, 500, "the token cap of phase 1 is reached: 500 of 500 (tokens_per_phase)"),
        (100, 700, ""),  # the cap of a phase is the cap of one attempt at it
    ],
)
def test_a_phase_has_a_token_cap_of_its_own_for_each_attempt(attempt: int, all_attempts: int, words: str) -> None:
    policy = Policy(budget=Budget(tokens=1_000, tokens_per_phase=500))
    phase = make_phase(attempt_usage=Usage(tokens_in=attempt), usage=Usage(tokens_in=all_attempts))
    assert message(phase_tripped(make_state(phase), policy, START)) == words
    assert first_tripped(make_state(phase), policy, START) is None, "it is not the run's"
    done = make_phase(status=PhaseStatus.COMPLETED, attempt_usage=Usage(tokens_in=900))
    assert phase_tripped(make_state(done), policy, START) is None, "what is over spends no more"


def test_what_the_parts_of_a_phase_spend_is_spent_by_the_phase() -> None:
    policy = Policy(budget=Budget(tokens_per_phase=500))
    part = replace(make_phase(attempt_usage=Usage(tokens_in=200)), parent=ONE)
    whole = make_phase(attempt_usage=Usage(tokens_in=100), parts=(PhaseId("1a"), PhaseId("1b")))
    state = make_state(whole, parts={PhaseId("1a"): part, PhaseId("1b"): part})
    tripped = "the token cap of phase 1 is reached: 500 of 500 (tokens_per_phase)"
    assert message(phase_tripped(state, policy, START)) == tripped


@pytest.mark.parametrize(
    ("started", "active", "now", "trips"),
    [(0, 0, 119, False), (0, 0, 120, True), (-900, 0, 119, False), (60, 0, 179, False), (60, 0, 180, True)],
)
def test_a_phase_has_a_time_cap_that_counts_no_minute_in_which_nobody_was_awake(
    started: int, active: int, now: int, trips: bool
) -> None:
    """From its start or from the last resume, whichever came later."""
    begun, since, at = (START + timedelta(minutes=minutes) for minutes in (started, active, now))
    state = make_state(make_phase(started_at=begun), active_since=since)
    assert bool(phase_tripped(state, Policy(), at)) is trips


def test_the_time_of_a_phase_begins_anew_with_the_verdict_of_a_person() -> None:
    """The night in which it waited for that, and others were at work, is not its own."""
    judged = Deferral(Justification("01-99", "pay once", 1, 1), (), 4.0, "work", "issues_found", ("late",), START)
    waited = {"status": PhaseStatus.NEEDS_HUMAN_VERIFICATION, "deferral": judged, "on_own_branch": True}
    state = make_state(
        make_phase(started_at=START - timedelta(hours=9), **waited), active_since=START - timedelta(days=1)
    )
    assert phase_tripped(state, Policy(), START + timedelta(minutes=119)) is None
    assert phase_tripped(state, Policy(), START + timedelta(minutes=120))


def test_time_is_counted_from_the_last_start_or_resume() -> None:
    resumed = make_state(started_at=START - timedelta(days=9), active_since=START)
    assert first_tripped(resumed, POLICY, START + timedelta(minutes=29)) is None


def test_caps_are_on_by_default() -> None:
    assert first_tripped(make_state(usage=Usage(tokens_out=5_000_000)), Policy(), START)
    assert first_tripped(make_state(usage=Usage(usd=20.0)), Policy(), START)
    assert first_tripped(make_state(), Policy(), START + timedelta(hours=24))


@pytest.mark.parametrize(
    ("estimate", "calls", "named", "cap"),
    [
        (0, (), 0, 500_000),  # nothing is known: the least
        (100_000, (), 0, 500_000),
        (324_000, (), 0, 972_000),  # three times its estimate
        (324_000, (), 200_000, 200_000),  # whoever names a cap has it
        (100_000, (10_000, 60_000, 60_000), 0, 3 * 7 * 60_000),  # calls here are larger than the estimate knows
        (100_000, (10_000, 20_000, 9_000_000), 0, 500_000),  # one that ran away does not raise it
        (9_000_000, (), 0, 5_000_000),  # never above the run's
    ],
)
def test_the_cap_of_a_phase_comes_from_its_estimate_and_from_the_calls_made(
    estimate: int, calls: tuple[int, ...], named: int, cap: int
) -> None:
    phase = make_phase(estimate=estimate)
    asked = tuple(Asked(Role.PLANNER, "claude", 9 * tokens, "completed", counted=tokens) for tokens in calls)
    phase = replace(phase, agents=replace(phase.agents, asked=asked))
    assert phase_cap(make_state(phase), phase, Policy(budget=Budget(tokens_per_phase=named))) == cap
