"""The gate step: what of the record reaches the gate, and in which word it is recorded (GATE, T2)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from autopilot.engine.performing import STEPS
from autopilot.events.happened import GateJudged
from autopilot.events.state import TaskState
from autopilot.model.criterion import Form, Kind
from autopilot.model.evidence import Observation, Seen
from autopilot.model.run import Step
from autopilot.model.verdict import Outcome
from autopilot.steps.context import Result, StepContext
from tests.unit.making import (
    make_brief,
    make_criterion,
    make_judgement,
    make_observation,
    make_phase,
    make_state,
    make_task,
    make_verification,
)

# covers: GATE, T2, ALREADY
REVIEWED: dict[str, Any] = {"verification": make_verification(), "judgement": make_judgement(), "score": 9.6}
TASKS = {"01-01": TaskState(make_task(), "verified")}
RED = (make_observation("01-01.c1", Seen.FAILED),)
ALREADY = make_criterion("phase.c1", kind=Kind.ALREADY)
HOLDS = (make_observation("phase.c1"),)


def green(*subjects: str) -> tuple[Observation, ...]:
    return tuple(make_observation(subject) for subject in subjects or ("01-01.c1",))


def judge(**fields: Any) -> tuple[Result, GateJudged]:
    brief = fields.pop("brief", make_brief())
    phase = replace(make_phase(observed_commit="c1", **{**REVIEWED, **fields}), brief=brief)
    running = STEPS[Step.GATE](StepContext(make_state(phase), phase, Step.GATE, 1, "", ports=None))  # type: ignore[arg-type]
    with pytest.raises(StopIteration) as end:
        next(running)
    result: Result = end.value.value
    [event] = result.events
    assert isinstance(event, GateJudged)
    return result, event


@pytest.mark.parametrize(
    ("fields", "outcome", "status"),
    [
        ({"tasks": TASKS, "red": RED, "observations": green()}, Outcome.PASS, "pass"),
        ({"tasks": TASKS, "red": RED, "observations": RED}, Outcome.FAIL, "fail"),
        ({"tasks": TASKS, "red": green(), "observations": green()}, Outcome.UNPROVEN, "fail"),  # the work's fault
        ({"tasks": TASKS, "red": RED, "observations": ()}, Outcome.UNPROVEN, "unproven"),  # ours: we did not look
        (
            {"tasks": TASKS, "red": RED, "observations": (make_observation("01-01.c1", Seen.NOTHING),)},
            Outcome.UNPROVEN,
            "unproven",
        ),
        ({}, Outcome.UNPROVEN, "fail"),  # nothing was checked: nobody's sandbox is to blame
        ({"tasks": TASKS, "red": RED, "observations": green(), "score": 8.9}, Outcome.FAIL, "fail"),
        (
            {"criteria": (ALREADY,), "triage": green("phase.c1"), "observations": green("phase.c1")},
            Outcome.PASS,
            "pass",
        ),
    ],
)
def test_only_what_is_ours_is_recorded_as_unproven(fields: dict[str, Any], outcome: Outcome, status: str) -> None:
    result, event = judge(**fields)
    assert (event.outcome, result.status) == (outcome, status)
    assert event.commit == "c1"


def test_a_red_check_fails_a_phase_whose_criteria_all_hold() -> None:
    seen = (*green(), make_observation("test", Seen.FAILED))
    _, event = judge(tasks=TASKS, red=RED, observations=seen)
    assert (event.outcome, event.reason) == (Outcome.FAIL, "test: the command failed")


def test_a_task_that_was_never_taken_in_fails_the_phase_however_green_it_is() -> None:
    refused = {"01-01": TaskState(make_task(), "refused", refusal="it committed nothing")}
    _, event = judge(tasks=refused, red=RED, observations=green())
    assert (event.outcome, event.reason) == (Outcome.FAIL, "task 01-01: it committed nothing")


def test_a_task_for_a_person_is_not_judged_by_commands_and_leaves_the_phase_unproven() -> None:
    manual = make_task("01-02", type="checkpoint:human-verify")
    seen = green("01-01.c1", "01-02.c1")
    result, event = judge(tasks={**TASKS, "01-02": TaskState(manual)}, red=RED, observations=seen)
    assert [verdict.subject for verdict in event.verdicts] == ["01-01.c1", "task 01-02"]
    assert (event.outcome, result.status) == (Outcome.UNPROVEN, "fail")
    assert event.reason == "task 01-02: it asks a person, and nobody was asked"


@pytest.mark.parametrize(
    ("base", "after", "outcome"),
    [
        (Seen.FAILED, Seen.PASSED, Outcome.PASS),
        (Seen.FAILED, Seen.FAILED, Outcome.FAIL),  # the plan holds, the phase does not
        (Seen.PASSED, Seen.PASSED, Outcome.PASS),  # it held before the phase began
        (Seen.PASSED, Seen.FAILED, Outcome.FAIL),  # and does no more
        (Seen.TIMED_OUT, Seen.PASSED, Outcome.UNPROVEN),
        (Seen.FAILED, None, Outcome.UNPROVEN),
    ],
)
@pytest.mark.parametrize("ours", [True, False])
def test_the_roadmaps_own_criteria_must_hold_beside_those_of_the_plan(
    base: Seen, after: Seen | None, outcome: Outcome, ours: bool
) -> None:
    brief = make_brief(criteria=(make_criterion("phase.c1"), make_criterion("phase.c2", form=Form.PROSE, command="")))
    seen = (*green(), make_observation("phase.c1", after)) if after else green()
    red = (*RED, make_observation("phase.c1", base))
    _, event = judge(brief=brief, tasks=TASKS, red=red, observations=seen, plan_ours=ours)
    assert [verdict.subject for verdict in event.verdicts] == ["01-01.c1", "phase.c1"]
    assert event.outcome is outcome


def test_what_holds_before_the_work_counts_in_a_users_plan_beside_something_new() -> None:
    task = make_task("01-01", make_criterion("01-01.c1"), make_criterion("01-01.c2", "two"))
    fields = {"tasks": {"01-01": TaskState(task)}, "red": (*RED, *green("01-01.c2"))}
    both = green("01-01.c1", "01-01.c2")
    assert judge(**fields, observations=both, plan_ours=False)[1].outcome is Outcome.PASS
    assert judge(**fields, observations=both, plan_ours=True)[1].outcome is Outcome.UNPROVEN
