"""A reproduction may be new cases of a test that was there: the old cases say what they said.

covers: AL-3
"""

from __future__ import annotations

import pytest

from autopilot.gates.issue.oracle import Ran
from autopilot.gates.issue.reproduction import Brought, judge_reproduction
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.testing import By, Ended, Grade, TestReport, TestResult
from autopilot.model.issue.issue import Cause

FILE = "tests/test_words.py"
TEST = f"{FILE}::test_plural"
CAUSE = Cause("C", "the rule is too wide", TEST, (FILE,))
BROUGHT = Brought((FILE,))


def ran(**ends: Ended) -> Ran:
    """By the name of the case; ``other`` is a test of its own."""
    ids = {case: f"{FILE}::test_other" if case == "other" else f"{TEST}[{case}]" for case in ends}
    results = tuple(
        TestResult(ids[case], end, By.ASSERTION if end is Ended.FAILED else None, FILE) for case, end in ends.items()
    )
    seen = Seen.FAILED if Ended.FAILED in ends.values() else Seen.PASSED
    return Ran(Observation("at", "pytest", "c" * 40, seen), TestReport("pytest", Grade.REPORT, results))


P, F, S = Ended.PASSED, Ended.FAILED, Ended.SKIPPED
BASE = ran(cat=P, dog=P, other=P)


@pytest.mark.parametrize(
    ("now", "holds"),
    [
        (ran(cat=P, dog=P, human=F, other=P), True),
        (ran(cat=P, dog=P, potato=P, human=F, other=P), True),
        (ran(args0=P, args1=P, args2=F, other=P), True),  # known by their places, which moved
        (ran(cat=P, human=F, other=P), False),
        (ran(args0=P, args1=F, other=P), False),
        (ran(cat=P, dog=S, human=F, other=P), False),
        (ran(cat=P, dog=P, human=F), False),
        (ran(cat=P, dog=P, human=F, other=F), False),
    ],
)
def test_new_cases_may_be_red_and_no_old_one_is_lost(now: Ran, holds: bool) -> None:
    oracle = judge_reproduction(CAUSE, BASE, now, [now], BROUGHT)
    assert oracle.state.holds is holds, oracle.findings


def test_a_test_that_was_there_may_itself_be_what_is_red_now() -> None:
    now = ran(cat=P, dog=F, other=P)
    assert judge_reproduction(CAUSE, BASE, now, [now], BROUGHT).state.holds
