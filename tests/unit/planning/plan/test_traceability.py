"""Every requirement has a task. covers: PLAN, PLAN-03, PCHK"""

from __future__ import annotations

import pytest

from autopilot.model.planning.complaint import Severity
from autopilot.model.planning.plan import Plan
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Commands
from autopilot.planning.plan.plan import parse_plan
from autopilot.planning.plan.traceability import is_task, requirement_findings

TASKS = '<task id="02-01">\n</task>\n<task id="02-02">\n</task>\n'


def plan(table: str = "", requirements: str = "", path: str = "p/02-01-PLAN.md") -> Plan:
    head = f"---\nrequirements: [{requirements}]\n---\n" if requirements else ""
    rows = f"# Plan\n\n## Traceability\n\n| Requirement | Task |\n|---|---|\n{table}\n\n" if table else ""
    return parse_plan(head + rows + TASKS, path, PhaseId("2"), Commands())


def said(plans: tuple[Plan, ...], *requirements: str, ours: bool) -> list[tuple[Severity, str]]:
    return [(c.severity, str(c)) for c in requirement_findings(plans, requirements, ours)]


@pytest.mark.parametrize(
    "table",
    [
        "| A-01 | 02-01 |\n| A-02 | 02-02 |",
        "| A-01, A-02 | 02-01 |",
        "| A-01 to A-02 | 02-01 |",
        "| A-01..02 | Task 1 |",
        "| `A-01` | all tasks |\n| **A-02**: words | 2-2 |",
        "| a-01 – a-03 | Every task |",
    ],
)
@pytest.mark.parametrize("ours", [True, False])
def test_a_requirement_with_a_task_is_answered_for(table: str, ours: bool) -> None:
    assert said((plan(table),), "A-01", "A-02", ours=ours) == []


def test_a_requirement_without_a_task_blocks_with_the_place_of_the_table() -> None:
    for ours in (True, False):
        assert said((plan("| A-01 | 02-01 |"),), "A-01", "A-02", ours=ours) == [
            (Severity.BLOCKER, "p/02-01-PLAN.md:3: requirement A-02 has no task")
        ]


def test_a_requirement_traced_to_a_task_that_is_not_there_has_none() -> None:
    assert said((plan("| A-01 | 02-09 |"),), "A-01", ours=True) == [
        (Severity.BLOCKER, "p/02-01-PLAN.md:3: requirement A-01 is traced to 02-09, which is no task here")
    ]


def test_no_table_blocks_our_plan_and_warns_in_a_users() -> None:
    words = "p/02-01-PLAN.md:1: no traceability table says which task answers for A-01"
    assert said((plan(),), "A-01", ours=True) == [(Severity.BLOCKER, words)]
    assert said((plan(),), "A-01", ours=False) == [(Severity.WARNING, words)]
    assert said((plan(),), ours=True) == []


def test_a_users_frontmatter_answers_for_its_requirements_in_whichever_plan() -> None:
    plans = (plan(requirements="A-01"), plan(requirements="A-02", path="p/02-02-PLAN.md"))
    assert said(plans, "A-01", "A-02", ours=False) == []
    assert said(plans, "A-01", "A-03", ours=False) == [
        (Severity.WARNING, "p/02-01-PLAN.md:1: requirement A-03 is listed by no plan")
    ]
    assert said(plans, "A-01", ours=True)[0][0] is Severity.BLOCKER


def test_a_users_table_about_other_things_blocks_nothing() -> None:
    assert said((plan("| The tea is hot | 02-01 |"),), "A-01", ours=False) == [
        (Severity.WARNING, "p/02-01-PLAN.md:3: requirement A-01 has no task")
    ]
    assert said((plan("| The tea is hot | 02-01 |", "A-01"),), "A-01", ours=False) == []


def test_a_longer_name_is_another_requirement() -> None:
    assert len(said((plan("| A-011 | 02-01 |\n| BA-01 | 02-01 |"),), "A-01", ours=True)) == 1


@pytest.mark.parametrize(
    ("ref", "ids", "named"),
    [
        ("02-01", ["02-01"], True),
        ("2-1", ["02-01"], True),
        ("1", ["02-01"], True),
        ("2", ["02-01"], False),
        ("02-01", ["02-01.3"], True),
        ("02-02", ["02-01.2"], False),
        ("W2-T3", ["W2-T3"], True),
        ("03-01", ["02-01"], False),
    ],
)
def test_a_task_may_be_named_in_short(ref: str, ids: list[str], named: bool) -> None:
    assert is_task(ref, ids) is named


def test_tasks_with_names_are_found_in_the_table() -> None:
    text = '## Traceability\n| A | boil, W2-T3 |\n\n<task id="boil">\n</task>\n<task id="W2-T3">\n</task>\n'
    assert parse_plan(text, "PLAN.md", PhaseId("2"), Commands()).traceability == (("A", ("boil", "W2-T3")),)
