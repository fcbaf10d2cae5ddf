"""Additions to a test file hold up nothing that was there. covers: T8.S"""

from __future__ import annotations

import pytest

from autopilot.gates.evidence.added import judge_added, judge_helpers, judge_new_files, judge_rewritten
from autopilot.gates.evidence.sabotage import Trial
from autopilot.model.evidence.objection import Layer, Weight
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.testing import Ended, Grade, TestReport, TestResult


def report(problem: str = "", loading: tuple[str, ...] = (), **ended: Ended) -> TestReport:
    results = tuple(TestResult(f"t.py::{name}", end, file="t.py") for name, end in ended.items())
    return TestReport("pytest", Grade.REPORT, results, problem, loading)


NOW = report(old=Ended.PASSED, new=Ended.PASSED, legacy=Ended.FAILED)


def without(seen: Seen, found: TestReport | None) -> Trial:
    return Trial("nothing added to these test files", seen, found)


@pytest.mark.parametrize(
    ("trial", "words", "weight"),
    [
        (without(Seen.FAILED, report(old=Ended.FAILED)), "red without the tests", Weight.REFUSE),
        (without(Seen.FAILED, report(loading=("t.py: no name",))), "t.py: no name", Weight.REFUSE),
        (without(Seen.FAILED, report(problem="cut off")), "the command fails", Weight.REFUSE),
        (without(Seen.FAILED, None), "the command fails", Weight.REFUSE),
        (without(Seen.NOTHING, None), "could not be run", Weight.OURS),
    ],
)
def test_what_is_red_without_the_additions_is_refused(trial: Trial, words: str, weight: Weight) -> None:
    (objection,) = judge_added("1.c1", NOW, trial)
    assert words in objection.description and objection.weight is weight and objection.layer is Layer.RUN


def test_a_test_that_is_red_in_one_of_two_runs_is_flaky() -> None:
    red = without(Seen.FAILED, report(old=Ended.FAILED))
    assert judge_new_files("test", PASSED, red, without(Seen.PASSED, report(old=Ended.PASSED))) == ()
    assert judge_new_files("test", PASSED, red, without(Seen.FAILED, report(other=Ended.FAILED))) == ()
    assert judge_new_files("test", PASSED, red, red) == judge_new_files("test", PASSED, red)


@pytest.mark.parametrize(
    "trial",
    [
        without(Seen.PASSED, report(old=Ended.PASSED)),
        without(Seen.FAILED, report(old=Ended.PASSED, legacy=Ended.FAILED)),
    ],
)
def test_what_holds_without_the_additions_is_right(trial: Trial) -> None:
    assert judge_added("1.c1", NOW, trial) == ()


PASSED = frozenset({"t.py::old"})


@pytest.mark.parametrize(
    ("trial", "words", "weight"),
    [
        (without(Seen.FAILED, report(old=Ended.FAILED)), "red without the new test files", Weight.REFUSE),
        (without(Seen.NOTHING, None), "could not be run", Weight.OURS),
    ],
)
def test_a_test_that_is_green_by_a_new_file_alone_is_refused(trial: Trial, words: str, weight: Weight) -> None:
    (objection,) = judge_new_files("test", PASSED, trial)
    assert words in objection.description and objection.weight is weight and objection.layer is Layer.RUN


@pytest.mark.parametrize(
    "trial",
    [
        without(Seen.PASSED, report(old=Ended.PASSED)),
        without(Seen.FAILED, report(old=Ended.PASSED, legacy=Ended.FAILED)),
        without(Seen.FAILED, report(changed=Ended.FAILED)),  # not among the unchanged ones
        without(Seen.FAILED, report(problem="it names a new file")),
        without(Seen.FAILED, None),
    ],
)
def test_a_run_that_says_nothing_of_unchanged_tests_is_held_against_nobody(trial: Trial) -> None:
    assert judge_new_files("test", PASSED, trial) == ()


def test_what_came_or_is_listed_may_fail_without_what_was_added() -> None:
    trial = without(Seen.FAILED, report(old=Ended.FAILED, loading=("t.py: no fixture",)))
    assert judge_added("1.c1", NOW, trial, frozenset({"t.py"})) == ()
    assert judge_added("1.c1", NOW, trial, frozenset({"u.py"})) != ()


HELPERS = ("kit/plain.py",)


@pytest.mark.parametrize(
    ("trial", "words", "weight"),
    [
        (without(Seen.FAILED, report(old=Ended.FAILED)), "only tests load kit/plain.py", Weight.REFUSE),
        (without(Seen.NOTHING, None), "could not be run", Weight.OURS),
    ],
)
def test_tests_that_lean_on_a_changed_helper_are_refused(trial: Trial, words: str, weight: Weight) -> None:
    (objection,) = judge_helpers("1.c1", PASSED, trial, HELPERS)
    assert words in objection.description and objection.weight is weight


@pytest.mark.parametrize(
    "trial",
    [
        without(Seen.PASSED, report(old=Ended.PASSED)),
        without(Seen.FAILED, report(new=Ended.FAILED)),
        without(Seen.FAILED, report(loading=("t.py: no name",))),
    ],
)
def test_a_helper_that_nothing_known_leans_on_may_change(trial: Trial) -> None:
    assert judge_helpers("1.c1", PASSED, trial, HELPERS) == ()


def test_a_run_that_rewrites_what_tests_read_is_refused() -> None:
    (objection,) = judge_rewritten("phase", ["cases/one"])
    assert "cases/one" in objection.description and objection.weight is Weight.REFUSE
    assert judge_rewritten("phase", []) == ()
