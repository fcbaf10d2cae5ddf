"""An issue on its way, for steps that ask: sent back once, on any of its routes, with its cause where it has one."""

from __future__ import annotations

from typing import Any

from autopilot.events.issue.state import IssueState
from autopilot.events.pieces import StepState
from autopilot.events.state import RunState
from autopilot.model.issue.issue import DESIGN, IMPL, Cause, IssueBrief, Route, SeedFinding
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import Step
from autopilot.steps.context import StepContext
from tests.unit.making import START, alter, make_phase, make_state
from tests.unit.steps.sample import sample_phase, sample_state
from tests.unit.steps.world import World

FOLDER = "docs/issues/024-sort-the-shelf"
PRD = f"{FOLDER}/prd.md"
BRIEF = IssueBrief(24, "sort the shelf", "sort-the-shelf", FOLDER, "Books stand in no order.\n\n- by title\n")
SENT_BACK = SeedFinding("the year, not the title", "said at the gate", about="stories")
CAUSES = {
    Route.BUGFIX: Cause("C", "the key is the id", "tests/test_shelf.py::test_order", ("tests/test_shelf.py",)),
    Route.FLAKY: Cause("order", "the shelf is kept from test to test", "tests/test_shelf.py::test_order"),
}


def make_issue(route: Route = Route.FULL, **fields: Any) -> IssueState:
    cause = CAUSES.get(route)
    return alter(IssueState(BRIEF), **{"route": route, "agreed": cause, "seeds": (SENT_BACK,), **fields})


def issue_state(phase: PhaseId, issue: IssueState, name: str = "", **more: Any) -> RunState:
    """``name`` is the step that has begun."""
    steps = {name: StepState(started_at=START)} if name else {}
    known = [make_phase(each, steps=steps if each == phase else {}) for each in (DESIGN, IMPL)]
    policy = sample_state(sample_phase(Step.RESEARCH)).policy
    return make_state(*known, **{"tip": "tip", "policy": policy, "issue": issue, **more})


def issue_context(world: World, step: Step, task: str = "", **fields: Any) -> StepContext:
    issue = make_issue(fields.pop("route", Route.FULL), **fields)
    phase = IMPL if step is Step.IMPLEMENT and issue.route is not Route.EXPRESS else DESIGN
    state = issue_state(phase, issue, f"{step.value}.{task}" if task else step.value)
    return world.context(state, state.phases[phase], step, task)
