"""Additions to a test file hold up nothing that was there. covers: T8.S"""

from __future__ import annotations

import pytest

from autopilot.gates.evidence.added import judge_added
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


@pytest.mark.parametrize(
    "trial",
    [
        without(Seen.PASSED, report(old=Ended.PASSED)),
        without(Seen.FAILED, report(old=Ended.PASSED, legacy=Ended.FAILED)),
    ],
)
def test_what_holds_without_the_additions_is_right(trial: Trial) -> None:
    assert judge_added("1.c1", NOW, trial) == ()
