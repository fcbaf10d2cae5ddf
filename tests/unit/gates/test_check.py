"""A configured check must be green at the end; after one task it must not be redder than before the work."""

from __future__ import annotations

from typing import Any

import pytest

from autopilot.gates.check import judge_check, judge_check_of_task, judge_checks, judge_checks_of_task
from autopilot.model.evidence.likeness import Compared, Likeness
from autopilot.model.evidence.observation import Seen, Trouble
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


LIKE = Likeness
NOT_RUN = {"trouble": Trouble.NOT_RUN, "reason": "ruff is not installed"}


@pytest.mark.parametrize(
    ("compared", "more", "at_the_end", "after_a_task", "because"),
    [
        (Compared(LIKE.FINDINGS, old=12), {}, PASS, PASS, "its 12 findings were there before the work began"),
        (Compared(LIKE.OUTPUT), {}, PASS, PASS, "prints the same now"),
        (Compared(LIKE.NEW, 12, 4, ("a.py: F401 x",)), {}, FAIL, FAIL, "new since the work began: a.py: F401 x (and 3"),
        (Compared(LIKE.UNREADABLE, because="so"), {}, FAIL, PASS, "cannot be compared with before: so"),
        (Compared(LIKE.UNREADABLE, because="so", was_readable=True), {}, FAIL, FAIL, "cannot be compared"),
        (Compared(LIKE.UNREADABLE, was_readable=True), NOT_RUN, FAIL, FAIL, "it ran before the work: ruff is not"),
        (None, NOT_RUN, FAIL, FAIL, "not run: ruff is not installed"),  # it was green before
        (None, {}, FAIL, PASS, "the command failed"),
    ],
)
def test_a_red_lint_is_held_against_the_work_by_what_is_new_in_it(
    compared: Compared | None, more: dict[str, Any], at_the_end: Outcome, after_a_task: Outcome, because: str
) -> None:
    seen = make_observation("lint", FAILED, compared=compared, **more)
    assert judge_check(seen).outcome is at_the_end
    assert because in judge_check(seen).because
    assert judge_check_of_task(seen, make_observation("lint", FAILED)).outcome is after_a_task


def test_a_check_that_never_ran_is_not_counted_and_tests_that_never_ran_leave_the_phase_unproven() -> None:
    never = Compared(LIKE.NEVER_RAN)
    lint, test = (make_observation(name, FAILED, compared=never, **NOT_RUN) for name in ("lint", "test"))
    assert judge_checks([lint, make_observation("01-01.c1")]) == ()
    (verdict,) = judge_checks([test])
    assert (verdict.outcome, verdict.ours) == (UNPROVEN, False)
    assert verdict.because.startswith("not run, neither before the work nor after it: ruff is not installed (project.")
    assert verdict.of_config, "no debug round could change it"
    assert judge_checks_of_task([lint, test], {}) == ()


def test_what_ran_before_and_does_not_run_any_more_counts() -> None:
    gone = make_observation("lint", FAILED, **NOT_RUN)
    assert [v.outcome for v in judge_checks([gone])] == [FAIL]
    assert [v.outcome for v in judge_checks_of_task([gone], {"lint": make_observation("lint", FAILED)})] == [FAIL]


def test_how_many_are_left_red_is_said() -> None:
    assert "1 test was red before" in judge_check(make_observation("test", FAILED, legacy=1)).because
    assert "2 tests were red before" in judge_check(make_observation("test", FAILED, legacy=2)).because
