"""Work that holds in the surroundings of its check alone is told from work that holds anywhere. covers: T8.H"""

from __future__ import annotations

import pytest

from autopilot.gates.evidence.otherwise.other_surroundings import judge_other_surroundings, red_elsewhere
from autopilot.gates.evidence.sabotage import Trial
from autopilot.model.evidence.objection import Weight
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.testing import Grade, TestReport
from tests.unit.gates.reports import report

GREEN = report("ok a", "ok b")


@pytest.mark.parametrize(
    ("seen", "there", "red"),
    [
        (Seen.FAILED, report("red a", "ok b"), {"a"}),
        (Seen.FAILED, report("red a", "err b | KeyError"), {"a", "b"}),
        (Seen.FAILED, report("red c", "ok a"), None),  # it was not green here
        (Seen.FAILED, report("err a | ModuleNotFoundError: x"), None),
        (Seen.FAILED, report("load a"), None),
        (Seen.FAILED, report("red a", problem="cut off"), None),
        (Seen.FAILED, report("red a", grade=Grade.EXIT), None),
        (Seen.FAILED, None, None),
        (Seen.TIMED_OUT, report("red a"), None),
        (Seen.NOTHING, None, None),
        (Seen.PASSED, GREEN, None),
    ],
)
def test_only_a_test_that_says_no_there_counts(seen: Seen, there: TestReport | None, red: set[str] | None) -> None:
    assert red_elsewhere(GREEN, Trial("another zone", seen, there)) == red


def test_a_command_without_tests_counts_as_one() -> None:
    assert red_elsewhere(None, Trial("another zone", Seen.FAILED)) == frozenset()
    assert red_elsewhere(None, Trial("another zone", Seen.PASSED)) is None


@pytest.mark.parametrize(("certain", "weight"), [(True, Weight.REFUSE), (False, Weight.FLAG)])
def test_it_names_what_was_otherwise(certain: bool, weight: Weight) -> None:
    (found,) = judge_other_surroundings("c1", "a.py", frozenset({"a"}), "umask 077", certain=certain)
    assert (found.weight, found.where) == (weight, "a.py")
    assert "with umask 077 these fail: a" in found.description
    (found,) = judge_other_surroundings("c1", "a.py", frozenset(), "umask 077", certain=certain)
    assert "with umask 077 it fails" in found.description
