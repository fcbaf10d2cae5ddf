"""The canary must die; where it lives, no green of that tool counts (T8.R)."""

from __future__ import annotations

import pytest

from autopilot.gates.evidence.canary import judge_canary
from autopilot.model.evidence.objection import Weight
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.testing import TestReport
from tests.unit.gates.reports import report

# covers: T8.R, T8.lies
NAME = "test_canary_must_fail"
ID = f"tests/test_canary.py::{NAME}"
REFUSE, FLAG, OURS = Weight.REFUSE, Weight.FLAG, Weight.OURS


@pytest.mark.parametrize(
    ("seen", "exit_code", "told", "weight"),
    [
        (Seen.FAILED, 1, report(f"red {ID}"), None),
        (Seen.FAILED, 1, report(f"err {ID}"), None),
        (Seen.FAILED, 1, report(f"huh {ID}"), None),
        (Seen.PASSED, 0, report(f"red {ID}"), REFUSE),  # the exit status lies
        (Seen.PASSED, 0, report(), REFUSE),
        (Seen.PASSED, 0, None, REFUSE),
        (Seen.FAILED, 0, report(f"red {ID}"), REFUSE),
        (Seen.FAILED, 1, report(f"ok {ID}"), REFUSE),
        (Seen.FAILED, 1, report(f"skip {ID}"), REFUSE),
        (Seen.FAILED, 1, report(f"xfail {ID}"), REFUSE),
        (Seen.FAILED, 1, report(f"red {ID}", f"ok {ID}"), REFUSE),
        (Seen.FAILED, 5, report(), FLAG),
        (Seen.FAILED, 2, None, FLAG),
        (Seen.FAILED, 2, report(f"load {ID}"), FLAG),
        (Seen.FAILED, 1, report("red tests/test_a.py::test_other"), FLAG),
        (Seen.TIMED_OUT, None, None, FLAG),
        (Seen.NOTHING, None, None, OURS),
    ],
)
def test_a_canary_must_die_by_name(
    seen: Seen, exit_code: int | None, told: TestReport | None, weight: Weight | None
) -> None:
    objections = judge_canary("pytest", NAME, seen, exit_code, told)
    assert [o.weight for o in objections] == ([weight] if weight else [])
    assert all(o.description and (o.satisfy or o.weight is not REFUSE) for o in objections)
