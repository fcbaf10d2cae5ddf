"""A configured check must be green at the end; after one task it must not be redder than before the work."""

from __future__ import annotations

import pytest

from autopilot.gates.check import judge_check, judge_check_of_task
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.verdict import Outcome
from tests.unit.making import make_observation

# covers: GATE, EXEC, T2, T8.R
PASS, FAIL, UNPROVEN = Outcome.PASS, Outcome.FAIL, Outcome.UNPROVEN
PASSED, FAILED, LATE, NOTHING = Seen.PASSED, Seen.FAILED, Seen.TIMED_OUT, Seen.NOTHING


@pytest.mark.parametrize(
    ("seen", "outcome", "ours"),
    [(PASSED, PASS, False), (FAILED, FAIL, False), (LATE, FAIL, False), (NOTHING, UNPROVEN, True)],
)
def test_a_configured_check_must_be_green(seen: Seen, outcome: Outcome, ours: bool) -> None:
    verdict = judge_check(make_observation("compile", seen))
    assert (verdict.subject, verdict.outcome, verdict.ours) == ("compile", outcome, ours)


def test_a_check_that_could_not_be_run_says_why() -> None:
    assert judge_check(make_observation("test", NOTHING, reason="no bwrap")).because == "no bwrap"


@pytest.mark.parametrize(
    ("before", "after", "outcome"),
    [
        (None, PASSED, PASS),
        (None, FAILED, FAIL),  # nobody saw it red before: it counts against the task
        (PASSED, PASSED, PASS),
        (PASSED, FAILED, FAIL),
        (PASSED, LATE, FAIL),
        (FAILED, PASSED, PASS),
        (FAILED, FAILED, PASS),  # red already: not this task's doing
        (LATE, FAILED, PASS),
        (FAILED, LATE, PASS),
        (NOTHING, FAILED, FAIL),  # that we could not look proves nothing
        (FAILED, NOTHING, UNPROVEN),
        (PASSED, NOTHING, UNPROVEN),
    ],
)
def test_after_one_task_a_check_may_be_as_red_as_before_the_work(
    before: Seen | None, after: Seen, outcome: Outcome
) -> None:
    baseline = make_observation("lint", before) if before else None
    verdict = judge_check_of_task(make_observation("lint", after), baseline)
    assert (verdict.subject, verdict.outcome, verdict.ours) == ("lint", outcome, outcome is UNPROVEN)


@pytest.mark.parametrize(
    ("seen", "legacy", "outcome"),
    [(FAILED, 1, PASS), (FAILED, 0, FAIL), (LATE, 1, FAIL), (NOTHING, 1, UNPROVEN), (PASSED, 0, PASS)],
)
def test_at_the_end_only_tests_that_were_red_before_may_be_red(seen: Seen, legacy: int, outcome: Outcome) -> None:
    assert judge_check(make_observation("test", seen, legacy=legacy)).outcome is outcome


def test_how_many_are_left_red_is_said() -> None:
    assert "1 test was red before" in judge_check(make_observation("test", FAILED, legacy=1)).because
    assert "2 tests were red before" in judge_check(make_observation("test", FAILED, legacy=2)).because
