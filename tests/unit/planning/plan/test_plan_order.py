"""Plans that wait for each other. covers: PLAN-03, PCHK"""

from __future__ import annotations

import pytest

from autopilot.model.planning.complaint import Severity
from autopilot.model.planning.plan import Dialect, Plan
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Commands
from autopilot.planning.plan.order import order_findings
from autopilot.planning.plan.plan import parse_plan


def plan(name: str, *depends_on: str) -> Plan:
    return Plan(f"p/{name}", Dialect.GSD, depends_on=depends_on, depends_line=5)


def said(*plans: Plan) -> list[tuple[Severity, str]]:
    return [(c.severity, str(c)) for c in order_findings(plans)]


@pytest.mark.parametrize("spelling", ["02-01", "2-1", "02-01-PLAN", "02-01-PLAN.md", "02-pot/02-01-PLAN.md", "01"])
def test_two_plans_that_wait_for_each_other_are_blocked_however_they_are_named(spelling: str) -> None:
    (finding,) = said(plan("02-01-PLAN.md", "02-02"), plan("02-02-PLAN.md", spelling))
    assert finding == (
        Severity.BLOCKER,
        "p/02-01-PLAN.md:5: plans depend on each other: 02-01-PLAN.md -> 02-02-PLAN.md -> 02-01-PLAN.md",
    )


def test_the_circle_is_named_without_what_only_leads_to_it() -> None:
    plans = (plan("02-01-PLAN.md", "02-02"), plan("02-02-PLAN.md", "02-03"), plan("02-03-PLAN.md", "02-02"))
    assert said(*plans)[0][1].endswith("02-02-PLAN.md -> 02-03-PLAN.md -> 02-02-PLAN.md")


def test_a_plan_that_waits_for_itself_is_a_circle_but_a_bare_number_means_a_phase() -> None:
    assert said(plan("02-02-PLAN.md", "02-02"))[0][0] is Severity.BLOCKER
    assert said(plan("02-02-PLAN.md", "02")) == []


@pytest.mark.parametrize(
    "depends_on", [(), ("02-01",), ("01-02", "01-03"), ("t5",), ("v1.0.0 foundation",), ("11", "12"), ("",)]
)
def test_what_is_in_order_or_not_understood_is_no_finding(depends_on: tuple[str, ...]) -> None:
    assert said(plan("02-01-PLAN.md"), plan("02-02-PLAN.md", *depends_on)) == []


def test_a_plan_that_is_not_there_is_a_warning() -> None:
    assert said(plan("02-02-PLAN.md", "02-07")) == [
        (Severity.WARNING, "p/02-02-PLAN.md:5: depends on 02-07, which is no plan of this phase")
    ]


def test_the_line_is_that_of_the_key() -> None:
    read = parse_plan("---\nphase: 2\ndepends_on:\n  - 02-01\n---\n", "p/02-01-PLAN.md", PhaseId("2"), Commands())
    assert (read.depends_on, read.depends_line) == (("02-01",), 3)


def test_nested_plans_are_known_by_their_number() -> None:
    plans = (plan("plans/PLAN-01-a.md", "02"), plan("plans/PLAN-02-b.md", "PLAN-01"))
    assert said(*plans)[0][0] is Severity.BLOCKER
