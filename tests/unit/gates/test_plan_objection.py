"""What a checker thinks of a user's plan stops nothing; what a rule or an observation says as well does."""

from __future__ import annotations

import pytest

from autopilot.gates.plan_objection import Ground, sort_objections
from autopilot.model.assessment import PlanCheck, PlanIssue

# covers: PCHK, PLAN, T2
IDLE = Ground("01-01", "nothing that task 01-01 promises fails before the work")
GREEN = Ground("SC-1", "SC-1 is mapped to checks that hold before any work")


def issue(text: str, about: str = "", severity: str = "blocker") -> PlanIssue:
    return PlanIssue("PLAN.md", "criteria", severity, text, "add a test", about)


ROWS = [
    ("about the task itself", issue("proves nothing", "01-01"), True),
    ("about a criterion of the task", issue("proves nothing", "01-01.c1"), True),
    ("named in its words alone", issue("the check of 01-01 proves nothing"), False),  # no prose decides
    ("about a promise that was seen green", issue("it would pass anyway", "SC-1"), True),
    ("about a task of which nothing is known", issue("proves nothing", "01-02"), False),
    ("about the plan as a whole", issue("the approach is too complicated"), False),
    ("an id that only begins alike", issue("proves nothing", "01-011"), False),
]


@pytest.mark.parametrize(("said", "is_founded"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_an_objection_counts_with_a_ground_about_the_same_thing(said: PlanIssue, is_founded: bool) -> None:
    sorted_ = sort_objections(PlanCheck(False, (said,), 3.0), 7.0, (IDLE, GREEN))
    assert (bool(sorted_.founded), bool(sorted_.opinions)) == (is_founded, not is_founded)
    assert said.description in (*sorted_.founded, *sorted_.opinions)[0]
    assert not is_founded or any(ground.because in sorted_.founded[0] for ground in (IDLE, GREEN))


@pytest.mark.parametrize(
    ("check", "opinions"),
    [
        (PlanCheck(True, (), 9.0), ()),
        (PlanCheck(True, (), 6.9), ("the checker's confidence is 6.9/10",)),
        (PlanCheck(False, (), 9.0), ("the checker's confidence is 9/10",)),
        (PlanCheck(True, (issue("a nit", "01-01", "warning"),), 9.0), ()),
        (PlanCheck(False, (issue("a nit", "01-01", "info"),), 4.0), ("the checker's confidence is 4/10",)),
    ],
)
def test_a_low_confidence_alone_is_an_opinion(check: PlanCheck, opinions: tuple[str, ...]) -> None:
    sorted_ = sort_objections(check, 7.0, (IDLE,))
    assert (sorted_.founded, sorted_.opinions) == ((), opinions)
