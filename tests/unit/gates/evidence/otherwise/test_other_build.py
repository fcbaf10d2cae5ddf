"""Work that holds in one build alone is told from work that holds in all. covers: T8.H, T8.lies"""

from __future__ import annotations

import pytest

from autopilot.gates.evidence.otherwise.other_build import judge_other_build
from autopilot.gates.evidence.sabotage import Trial
from autopilot.model.evidence.objection import Weight
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.testing import By, Ended, Grade, TestReport, TestResult

GREEN = TestReport("go test", Grade.REPORT, (TestResult("shop.TestTotal", Ended.PASSED),))


def red(id: str, by: By = By.ASSERTION, message: str = "got 3, want 7") -> TestReport:
    return TestReport("go test", Grade.REPORT, (TestResult(id, Ended.FAILED, by, message=message),))


@pytest.mark.parametrize(
    ("seen", "report", "refuses"),
    [
        (Seen.FAILED, red("shop.TestTotal"), True),
        (Seen.FAILED, red("shop.TestMoney"), True),  # that no plain run knows
        (Seen.FAILED, red("shop.TestTotal", By.ERROR, "cannot find module"), True),
        (Seen.FAILED, red("shop.TestTotal", By.ERROR, "ENOENT: no such file"), False),
        (Seen.FAILED, red("shop.TestMoney", By.ERROR, "connection refused"), False),
        (Seen.FAILED, red("shop", By.LOADING), False),  # it does not build
        (Seen.FAILED, None, False),
        (Seen.TIMED_OUT, red("shop.TestTotal"), False),
        (Seen.PASSED, GREEN, False),
    ],
)
def test_tests_that_fail_in_another_build_are_held_against_the_work(
    seen: Seen, report: TestReport | None, *, refuses: bool
) -> None:
    found = judge_other_build("c1", GREEN, Trial("build tag release", seen, report), certain=True)
    assert [objection.weight for objection in found] == [Weight.REFUSE] * refuses


def test_where_the_build_may_rightly_differ_it_is_a_flag() -> None:
    trial = Trial("NODE_ENV production", Seen.FAILED, red("shop.TestTotal"))
    (found,) = judge_other_build("c1", GREEN, trial, certain=False)
    assert found.weight is Weight.FLAG
    assert "with the NODE_ENV production these fail: shop.TestTotal" in found.description
