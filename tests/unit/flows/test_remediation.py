"""Targeted tasks: only what was found wanting, one task or one a file, and nothing that held may break (CENF-01)."""

from __future__ import annotations

from typing import Any

import pytest

from autopilot.events.pieces import Deferral, TaskState
from autopilot.events.state import PhaseState
from autopilot.flows.remediation import find_deficiencies, plan_remediation
from autopilot.model.planning.criterion import Form, Kind
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.result import Justification
from autopilot.model.ruling import Deduction
from tests.unit.making import make_criterion, make_judgement, make_phase, make_task

# covers: CENF-01, GATE, STAT-05
WORKS = make_criterion("01-01.c1", "it works")
FAST = make_criterion("01-01.c2", "it is fast")
PRETTY = make_criterion("01-01.c3", "it is pretty", form=Form.PROSE, command="")


def lost(criterion: str = "it works", score: float = 8.0, file: str = "a.py") -> Deduction:
    return Deduction(criterion, score, 10 - score, 0.5, "no test covers it", file)


def scored(*deductions: Deduction, concerns: tuple[str, ...] = (), **fields: Any) -> PhaseState:
    task = make_task("01-01", WORKS, FAST, PRETTY)
    reviews = {"deductions": deductions, "judgement": make_judgement(concerns=concerns)}
    return make_phase(tasks={"01-01": TaskState(task, "verified")}, **{**reviews, "gate_reason": "8.2", **fields})


@pytest.mark.parametrize(
    ("phase", "texts"),
    [
        (scored(lost()), ["it works: no test covers it (scored 8.0)"]),
        (scored(lost(score=9.4)), ["it works: no test covers it (scored 9.4)"]),
        (scored(lost(score=8.0), lost("it is fast", 9.5)), ["it works: no test covers it (scored 8.0)", "slow"]),
        (scored(lost("it is fast", 9.6)), ["it is fast: no test covers it (scored 9.6)"]),  # nothing else to go by
        (scored(), ["slow"]),
        (scored(judgement=None), ["8.2"]),  # the gate's own words, when nobody said more
    ],
)
def test_what_scored_below_nine_and_a_half_is_wanting_and_worries_fill_up(phase: PhaseState, texts: list[str]) -> None:
    if phase.reviews.judgement is not None:
        phase = scored(*phase.reviews.deductions, concerns=("slow",))
    assert [item.text for item in find_deficiencies(phase)] == texts


def test_one_task_names_every_deficiency_and_its_file_and_asks_for_nothing_else() -> None:
    [task] = plan_remediation(scored(lost(), lost("it is fast", 7.5, "b.py"), lost("it is fast", 7.0, "a.py")), 2)
    assert (task.id, task.is_extra, task.is_automatic, task.files) == ("01-r2", True, True, ("a.py", "b.py"))
    assert task.action.splitlines() == [
        "- it works: no test covers it (scored 8.0)",
        "- it is fast: no test covers it (scored 7.5)",
        "- it is fast: no test covers it (scored 7.0)",
    ]
    assert "fix 3 deficiencies of phase 1" in task.title


@pytest.mark.parametrize(
    ("files", "ids"),
    [
        (["a", "b", "c"], ["01-r1"]),
        (["a", "a", "b", "c"], ["01-r1"]),  # four issues, three files
        (["a", "b", "c", "d"], ["01-r1.1", "01-r1.2", "01-r1.3", "01-r1.4"]),
        (["a", "b", "c", "d", "a"], ["01-r1.1", "01-r1.2", "01-r1.3", "01-r1.4"]),
        (["", "", "", "", ""], ["01-r1"]),
    ],
)
def test_what_is_too_much_for_one_agent_is_one_task_a_file(files: list[str], ids: list[str]) -> None:
    tasks = plan_remediation(scored(*(lost(f"c{n}", 8.0, file) for n, file in enumerate(files))), 1)
    assert [task.id for task in tasks] == ids
    assert sum(task.action.count("\n") + 1 for task in tasks) == len(files), "nothing is lost and nothing is added"


@pytest.mark.parametrize("named", ["it is fast", "It is\nfast"])
def test_remediation_promises_nothing_new_what_it_touches_must_hold_still(named: str) -> None:
    [task] = plan_remediation(scored(lost(named)), 1)
    assert [(c.id, c.text, c.kind, c.command) for c in task.criteria] == [
        ("01-r1.k1", "it is fast", Kind.KEEP, "check 01-01.c2")
    ]


def test_where_no_criterion_is_meant_everything_that_can_be_run_must_hold_still() -> None:
    [task] = plan_remediation(scored(concerns=("the log is noisy",)), 1)
    assert [(c.text, c.kind) for c in task.criteria] == [("it works", Kind.KEEP), ("it is fast", Kind.KEEP)]
    verified = make_phase(criteria=(make_criterion("phase.c1", "it runs"),), gate_reason="8.2")
    [task] = plan_remediation(verified, 1)
    assert [c.text for c in task.criteria] == ["it runs"], "a phase without a plan has the roadmap's"


def test_a_persons_issues_stand_before_any_scorecard() -> None:
    deferral = Deferral(Justification("01-99", "pay", 1, 1), (), 4.0, "b", "issues_found", ("no receipt", "no sound"))
    [task] = plan_remediation(scored(lost(), deferral=deferral), 1, by_person=True)
    assert task.action == "- no receipt\n- no sound"
    [task] = plan_remediation(scored(lost(), deferral=deferral), 1)
    assert "no receipt" not in task.action, "in a later cycle the scorecard speaks again"


@pytest.mark.parametrize(("id", "name"), [("1", "01-r1"), ("12", "12-r1"), ("6.1", "6.1-r1"), ("1a", "1a-r1")])
def test_its_tasks_are_named_after_the_phase_and_the_cycle(id: str, name: str) -> None:
    phase = make_phase(PhaseId(id), gate_reason="8.2")
    assert plan_remediation(phase, 1)[0].id == name
