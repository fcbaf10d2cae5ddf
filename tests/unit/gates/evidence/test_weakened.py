"""A declared test may ask for something else, not for less (T8.E)."""

from __future__ import annotations

import pytest

from autopilot.gates.evidence.sabotage import Trial
from autopilot.gates.evidence.weakened import judge_demands, judge_weakened
from autopilot.model.evidence.objection import Weight
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.testing import TestReport
from tests.unit.gates.reports import report

# covers: T8.E, T8.lies
PASSED, FAILED, LATE, NOTHING = Seen.PASSED, Seen.FAILED, Seen.TIMED_OUT, Seen.NOTHING
REFUSE, FLAG, OURS = Weight.REFUSE, Weight.FLAG, Weight.OURS
A, B = "tests/test_a.py::test_one", "tests/test_a.py::test_two"
BOTH = frozenset((A, B))
UNLOADED = report(loading=("tests/test_a.py: ImportError",))


def pinned(seen: Seen, told: TestReport | None = None) -> Trial:
    return Trial("the test file as the plan knew it", seen, told)


def reverted(seen: Seen, told: TestReport | None = None) -> Trial:
    return Trial("the implementation reverted", seen, told)


@pytest.mark.parametrize(
    ("old_test", "old_code", "changed", "weights"),
    [
        (pinned(PASSED), reverted(PASSED), BOTH, []),
        (pinned(FAILED, report(f"red {A}", f"ok {B}")), reverted(PASSED, report(f"ok {A}", f"ok {B}")), BOTH, [REFUSE]),
        (pinned(FAILED, report(f"red {A}", f"ok {B}")), reverted(FAILED, report(f"red {A}", f"ok {B}")), BOTH, [FLAG]),
        (
            pinned(FAILED, report(f"red {A}", f"red {B}")),
            reverted(FAILED, report(f"red {A}", f"ok {B}")),
            BOTH,
            [REFUSE, FLAG],
        ),
        (pinned(FAILED, report(f"err {A}")), reverted(FAILED, UNLOADED), BOTH, [FLAG]),
        (pinned(FAILED, report(f"red {A}")), reverted(LATE), BOTH, [FLAG]),
        (pinned(FAILED, report(f"red {A}")), reverted(PASSED), BOTH, [REFUSE]),  # by exit status alone
        (pinned(FAILED), reverted(PASSED), BOTH, [REFUSE]),
        (pinned(FAILED), reverted(FAILED), BOTH, [FLAG]),
        (pinned(LATE), reverted(PASSED), BOTH, [REFUSE]),
        (pinned(FAILED), reverted(PASSED, report(f"ok {A}")), BOTH, [REFUSE]),
        (pinned(FAILED, report(f"red {A}")), reverted(FAILED, report(f"ok {A}", f"red {A}")), BOTH, [FLAG]),
        (pinned(FAILED, UNLOADED), reverted(PASSED, report(f"ok {A}", f"ok {B}")), BOTH, [REFUSE]),
        (pinned(FAILED, UNLOADED), reverted(FAILED, UNLOADED), BOTH, [FLAG]),  # a name changed, as declared
        # What is red in the old version and was not changed, or red before the work, is not asked about.
        (pinned(FAILED, report(f"red {A}")), reverted(PASSED, report(f"ok {A}")), frozenset((B,)), []),
        (pinned(FAILED, report(f"red {A}")), reverted(PASSED, report(f"ok {A}")), frozenset(), []),
        (pinned(FAILED, report(f"red {A}")), None, BOTH, [FLAG]),
        (pinned(NOTHING), reverted(PASSED), BOTH, [OURS]),
        (pinned(FAILED, report(f"red {A}")), reverted(NOTHING), BOTH, [OURS]),
    ],
)
def test_what_the_old_test_refuses_the_new_one_must_refuse_on_the_old_code(
    old_test: Trial, old_code: Trial | None, changed: frozenset[str], weights: list[Weight]
) -> None:
    objections = judge_weakened("task 01-01", old_test, old_code, changed)
    assert [o.weight for o in objections] == weights
    assert all(o.satisfy for o in objections if o.weight is REFUSE)


def test_a_weakened_test_is_named() -> None:
    old_test = pinned(FAILED, report(f"red {A}", f"red {B}"))
    weak, changed = judge_weakened("task 01-01", old_test, reverted(FAILED, report(f"red {A}", f"ok {B}")), BOTH)
    assert B in weak.description and A not in weak.description and A in changed.description and weak.where == B


@pytest.mark.parametrize(
    ("unmet", "text", "weights"),
    [
        (frozenset(), "Tidy up the tests.", []),
        (BOTH, "Tidy up the tests.", [REFUSE]),
        (frozenset((A,)), "test_one asks for an underscore from now on.", []),
        (BOTH, "test_one asks for an underscore from now on.", [REFUSE]),
        (frozenset(("shop.TestTotal/of_none",)), "TestTotal no longer expects a panic.", []),
    ],
)
def test_a_test_that_asked_for_the_work_is_met_and_not_rewritten(
    unmet: frozenset[str], text: str, weights: list[Weight]
) -> None:
    assert [objection.weight for objection in judge_demands("c1", unmet, text)] == weights
