"""Which criteria a phase has: those of its tasks and those of the roadmap, from one place."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from autopilot.events.criteria import all_criteria, criteria_of, criteria_to_keep, find_criterion, texts_of
from autopilot.events.pieces import TaskState
from autopilot.events.state import PhaseState
from autopilot.model.planning.criterion import Criterion, Form, Kind, Origin
from autopilot.model.planning.plan import REMEDIATION, Task
from tests.unit.making import alter, make_criterion, make_phase, make_task

RUN = make_criterion("phase.c1", "the roadmap's command")
PROSE = make_criterion("phase.c2", "the roadmap's prose", form=Form.PROSE, command="")
WORDS = make_criterion("01-01.c2", "the plan's prose", form=Form.PROSE, command="")
TASK = make_task("01-01", make_criterion("01-01.c1", "the plan's command"), WORDS)


def phase_with(*tasks: Task, triaged: tuple[Criterion, ...] = (), **fields: Any) -> PhaseState:
    phase = make_phase(tasks={task.id: TaskState(task) for task in tasks}, **fields)
    return alter(phase, brief=replace(phase.brief, criteria=(RUN, PROSE)), criteria=triaged)


def ids(criteria: tuple[Criterion, ...]) -> list[str]:
    return [criterion.id for criterion in criteria]


def test_a_planned_phase_is_held_to_its_plan_and_to_what_of_the_roadmap_can_be_run() -> None:
    assert ids(criteria_of(phase_with(TASK))) == ["01-01.c1", "01-01.c2", "phase.c1"]


def test_without_a_plan_a_phase_is_held_to_what_triage_went_by_and_before_triage_to_the_roadmap() -> None:
    triaged = (replace(RUN, kind=Kind.ALREADY), PROSE)
    assert criteria_of(phase_with(triaged=triaged)) == triaged
    assert criteria_of(phase_with()) == (RUN, PROSE)


def test_a_plan_that_leaves_all_to_a_person_is_not_held_to_the_roadmaps_prose() -> None:
    bare = replace(TASK, criteria=())
    assert criteria_of(phase_with(bare, triaged=(RUN, PROSE))) == (RUN,)


def test_all_criteria_are_those_of_every_task_and_every_sentence_of_the_roadmap_each_once_and_with_its_origin() -> None:
    later = make_task("01-r1", make_criterion("01-r1.k1"), type=REMEDIATION)
    found = all_criteria(phase_with(TASK, later, triaged=(RUN,)))
    assert [(c.id, c.origin) for c in found] == [
        ("01-01.c1", Origin.PLAN),
        ("01-01.c2", Origin.PLAN),
        ("01-r1.k1", Origin.PLAN),
        ("phase.c1", Origin.ROADMAP),
        ("phase.c2", Origin.ROADMAP),
    ]


def test_later_work_must_keep_every_command_of_the_plan_else_of_what_triage_went_by() -> None:
    assert ids(criteria_to_keep(phase_with(TASK, triaged=(RUN, PROSE)))) == ["01-01.c1"]
    assert ids(criteria_to_keep(phase_with(triaged=(RUN, PROSE)))) == ["phase.c1"]


def test_a_criterion_is_found_by_its_id_wherever_it_stands() -> None:
    phase = phase_with(TASK)
    assert find_criterion(phase, "phase.c2") == PROSE
    assert find_criterion(phase, "01-01.c2") == WORDS
    assert find_criterion(phase, "compile") is None
    assert texts_of(phase)["phase.c2"] == "the roadmap's prose"
