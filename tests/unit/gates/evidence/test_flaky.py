"""Repeats: a green that comes and goes is no green, and how sure a steady one is (T8.R)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.gates.evidence.flaky import Runs, count, interval, judge_repeats, judge_tries, judge_undone
from autopilot.model.evidence.objection import Weight
from autopilot.model.evidence.observation import Seen

# covers: T8.R
REFUSE, FLAG = Weight.REFUSE, Weight.FLAG


@pytest.mark.parametrize(
    ("passed", "of", "low", "high"),
    [(3, 5, 0.231, 0.882), (0, 5, 0.0, 0.434), (5, 5, 0.566, 1.0), (1, 10, 0.018, 0.404), (0, 0, 0.0, 1.0)],
)
def test_the_interval_is_wilsons(passed: int, of: int, low: float, high: float) -> None:
    assert interval(Runs(passed, of)) == pytest.approx((low, high), abs=0.001)


@pytest.mark.parametrize(
    ("after", "base", "weight"),
    [
        (Runs(5, 5), None, None),
        (Runs(3, 5), None, REFUSE),
        (Runs(0, 5), None, REFUSE),
        (Runs(5, 5), Runs(2, 5), None),
        (Runs(3, 5), Runs(5, 5), REFUSE),
        (Runs(3, 5), Runs(2, 5), FLAG),
        (Runs(3, 5), Runs(0, 5), FLAG),  # red before, now and then green: no worse
        (Runs(0, 5), Runs(0, 5), FLAG),
        (Runs(1, 20), Runs(19, 20), REFUSE),
        (Runs(19, 20), Runs(1, 20), FLAG),
        (Runs(3, 5), Runs(0, 0), REFUSE),
        (Runs(0, 0), None, None),
    ],
)
def test_mixed_results_are_refused_unless_the_base_was_no_better(
    after: Runs, base: Runs | None, weight: Weight | None
) -> None:
    assert [o.weight for o in judge_repeats("c1", after, base)] == ([weight] if weight else [])


def test_what_was_seen_is_said_with_what_it_may_mean() -> None:
    (objection,) = judge_repeats("c1", Runs(3, 5))
    assert "green 3 of 5: 23% to 88%" in objection.description and objection.satisfy


@given(st.integers(1, 50), st.integers(0, 50))
def test_the_interval_holds_what_was_seen_and_stays_a_share(of: int, passed: int) -> None:
    passed = min(passed, of)
    low, high = interval(Runs(passed, of))
    assert 0.0 <= low <= passed / of + 1e-9 and passed / of - 1e-9 <= high <= 1.0


def test_a_run_that_our_sandbox_could_not_do_or_that_did_not_end_is_no_run() -> None:
    assert count([Seen.PASSED, Seen.NOTHING, Seen.FAILED, Seen.TIMED_OUT, Seen.PASSED]) == Runs(2, 3)
    assert count([Seen.NOTHING]) == Runs(0, 0)


def test_a_run_that_could_not_be_done_leaves_open_what_it_would_have_shown() -> None:
    assert judge_undone("c1", [Seen.PASSED, Seen.FAILED]) == ()
    [late] = judge_undone("c1", [Seen.PASSED, Seen.TIMED_OUT])
    assert (late.weight, "1 of 2 runs did not end in time" in late.description) == (FLAG, True)
    [objection] = judge_undone("c1", [Seen.PASSED, Seen.NOTHING])
    assert (objection.weight, objection.description) == (Weight.OURS, "1 of 2 runs could not be executed")


@pytest.mark.parametrize(
    ("passed", "by_chance", "is_chance_meant", "weights"),
    [
        (5, True, False, []),
        (1, True, False, [REFUSE]),
        (1, True, True, [FLAG]),
        (1, False, False, [FLAG]),
    ],
)
def test_tests_that_need_many_tries_rest_on_luck(
    passed: int, by_chance: bool, is_chance_meant: bool, weights: list[Weight]
) -> None:
    found = judge_tries("c1", Runs(passed, 5), by_chance=by_chance, is_chance_meant=is_chance_meant)
    assert [objection.weight for objection in found] == weights
