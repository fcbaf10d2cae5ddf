"""Who implements an issue: the plain model until it could not converge, the designer's from then on, never back."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from autopilot.events.issue.fold import reenter
from autopilot.events.issue.happened import ConvergenceHalted
from autopilot.events.issue.state import IssueState
from autopilot.events.provision import AgentSwitched
from autopilot.events.state import RunState
from autopilot.flows.agent_assignment import assign_agent
from autopilot.flows.command import Record, RunStep
from autopilot.model.agent import Role
from autopilot.model.issue.issue import DESIGN, IMPL, HaltReason, IssueBrief
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import Step
from autopilot.rails.assignment import NoAgent, acting, assigned_agent, find_assignment
from tests.unit.making import alter, make_phase, make_policy, make_state

POLICY = make_policy(agents={"designer": ("claude:opus", "codex"), "implementer": "claude:haiku", "default": "other"})
BRIEF = IssueBrief(24, "sort the shelf", "sort-the-shelf", "docs/issues/024-sort-the-shelf")
IMPLEMENT = RunStep(IMPL, Step.IMPLEMENT, 1, 1, "running-atdd-cycle")


def issue(escalated: bool, **more: object) -> RunState:
    state = IssueState(BRIEF, escalated=escalated)
    phases = (make_phase(DESIGN), make_phase(IMPL))
    return make_state(*phases, policy=POLICY, issue=state, **more)


@pytest.mark.parametrize(
    ("state", "role", "asked"),
    [
        (issue(False), Role.IMPLEMENTER, "claude:haiku"),
        (issue(True), Role.IMPLEMENTER, "claude:opus"),
        (issue(True), Role.DESIGNER, "claude:opus"),
        (issue(True), Role.ANALYST, "other"),
        (issue(True), Role.EXECUTOR, "other"),
        (make_state(policy=POLICY), Role.IMPLEMENTER, "claude:haiku"),  # no issue at all
    ],
)
def test_only_the_implementer_of_an_escalated_issue_is_another(state: RunState, role: Role, asked: str) -> None:
    assert str(find_assignment(state, POLICY, role)) == assigned_agent(state, POLICY, role) == asked


def test_an_escalated_implementer_has_the_designers_chain_and_whoever_stepped_in_there() -> None:
    gone = issue(True, out={"claude": "signed out"})
    assert str(find_assignment(gone, POLICY, Role.IMPLEMENTER)) == "codex"
    assert assigned_agent(issue(True, serving={"designer": "codex"}), POLICY, Role.IMPLEMENTER) == "codex"
    everyone = issue(True, out={"claude": "signed out", "codex": "not there"})
    assert find_assignment(everyone, POLICY, Role.IMPLEMENTER) == NoAgent("claude: signed out; codex: not there")


def test_an_escalated_implementation_is_begun_without_a_switch_and_one_that_is_needed_is_the_designers() -> None:
    assert assign_agent(issue(True), POLICY, IMPLEMENT) == IMPLEMENT
    assert assign_agent(issue(False), POLICY, IMPLEMENT) == IMPLEMENT
    switched = assign_agent(issue(True, out={"claude": "signed out"}), POLICY, IMPLEMENT)
    assert isinstance(switched, Record)
    assert switched.events == (AgentSwitched(Role.DESIGNER, "claude:opus", "codex", "signed out"),)


def halted(phase: PhaseId, reason: HaltReason, escalated: bool = False) -> RunState:
    state = issue(escalated)
    assert state.issue is not None
    stopped = ConvergenceHalted(phase, "running-atdd-cycle", reason)
    return replace(state, issue=alter(state.issue, halted=stopped))


@pytest.mark.parametrize("reason", HaltReason)
@pytest.mark.parametrize("phase", [DESIGN, IMPL])
def test_the_next_cycle_is_escalated_only_after_an_implementation_that_did_not_converge(
    phase: PhaseId, reason: HaltReason
) -> None:
    blamed = reason in (HaltReason.MAX_ITERATIONS, HaltReason.SAMENESS, HaltReason.STUCK)
    expected = Role.DESIGNER if blamed and phase == IMPL else Role.IMPLEMENTER
    assert acting(halted(phase, reason), Role.IMPLEMENTER) is Role.IMPLEMENTER  # not before a person acted
    assert acting(reenter(halted(phase, reason)), Role.IMPLEMENTER) is expected


@pytest.mark.parametrize("reason", HaltReason)
def test_an_escalated_issue_stays_so_whatever_stops_it_next(reason: HaltReason) -> None:
    assert acting(reenter(halted(IMPL, reason, escalated=True)), Role.IMPLEMENTER) is Role.DESIGNER
