"""An issue that is taken up again: nothing a person said is lost, nothing judged by an older design counts.

covers: AL-1, AL-2, ISSUE-ENDINGS
"""

from __future__ import annotations

from autopilot.events import happened as h
from autopilot.events.issue import happened as i
from autopilot.events.issue.state import IssueState
from autopilot.events.people import HumanAsked
from autopilot.flows.command import Record, RunStep
from autopilot.flows.issue.deciding import next_for_issue
from autopilot.model.issue.issue import (
    ATDD,
    DESIGN,
    IMPL,
    PLAN_AND_TESTS,
    STORIES,
    HaltReason,
    IssueOptions,
    Route,
    SeedFinding,
)
from autopilot.model.policy import Budget
from autopilot.model.run import PhaseStatus, RunStatus, Step
from tests.unit import issue_runs as runs

RESUMED = h.RunResumed("0", 0, Budget())
SAID = SeedFinding("mind the umlauts")
BACK = i.SentBack(DESIGN, "reopened-1", (SAID,))
PINNED = {runs.PRD: "f" * 64}


def reentered(*findings: SeedFinding, anchors: dict[str, str] | None = None) -> i.IssueReentered:
    return i.IssueReentered(IssueOptions(), findings, anchors or PINNED)


def issue_of(*events: h.Event) -> IssueState:
    issue = runs.state_of(*events).issue
    assert issue is not None
    return issue


def test_a_design_that_is_opened_again_takes_what_was_implemented_by_the_old_one_with_it() -> None:
    state = runs.state_of(*runs.CONVERGED, RESUMED, reentered(SAID), BACK)
    assert [phase.status for phase in state.phases.values()] == [PhaseStatus.NOT_STARTED] * 2
    approved = runs.state_of(*runs.CONVERGED, BACK, *runs.worked(DESIGN, STORIES), i.DesignApproved("you"))
    assert approved.phase(IMPL).status is not PhaseStatus.COMPLETED


def test_a_step_under_way_by_the_old_design_is_not_gone_on_with() -> None:
    begun = h.StepStarted(IMPL, Step.ORACLE, 1, 1, ATDD)
    state = runs.state_of(*runs.IN_IMPL, begun, RESUMED, reentered(SAID), BACK)
    assert state.phase(IMPL).open is None
    assert not any(isinstance(c, RunStep) and c.phase == IMPL for c in next_for_issue(state))


def test_what_is_said_in_mid_cycle_is_given_to_the_next_iteration_once() -> None:
    events = (*runs.IN_IMPL, *runs.iteration(1, holds=False), RESUMED, reentered(SAID))
    assert issue_of(*events).remarks == (SAID,)
    after = issue_of(*events, *runs.iteration(2, holds=False))
    assert after.convergence.rounds[ATDD].seeds == (runs.UNCOVERED, SAID)
    assert after.remarks == ()


def test_what_is_said_before_a_design_is_implemented_outlives_its_approval() -> None:
    assert issue_of(*runs.AT_DESIGN, reentered(SAID), i.DesignApproved("you")).remarks == (SAID,)


def test_both_steps_of_a_design_are_given_what_was_said_and_what_sends_it_back_is_said_once() -> None:
    begun = issue_of(*runs.APPROVED, reentered(SAID), *runs.worked(DESIGN, STORIES))
    assert issue_of(*runs.APPROVED, reentered(SAID), *runs.worked(DESIGN, STORIES)).convergence.seeds == (SAID,)
    assert begun.convergence.rounds[STORIES].seeds == (SAID,)
    back = issue_of(*runs.IN_IMPL, reentered(SAID), BACK, *runs.worked(DESIGN, PLAN_AND_TESTS))
    assert back.convergence.rounds[PLAN_AND_TESTS].seeds == (SAID,)


def test_a_halt_before_any_iteration_loses_nothing_that_was_to_be_mended() -> None:
    halted = i.ConvergenceHalted(DESIGN, "freeze", HaltReason.PIN, detail="changed")
    stopped = h.RunStopped(RunStatus.FAILED, "COMPLETED_WITH_DEBT", 1)
    assert issue_of(*runs.AT_DESIGN, BACK, halted, stopped, RESUMED).convergence.seeds == (SAID,)


def test_requirements_that_moved_in_the_checkout_are_looked_at_after_a_kill_too() -> None:
    assert issue_of(*runs.APPROVED, RESUMED, reentered()).frozen == DESIGN
    assert issue_of(*runs.APPROVED, RESUMED, reentered(anchors={runs.PRD: "0" * 64})).frozen is None


def test_what_broke_down_is_tried_again_when_somebody_asks_for_it() -> None:
    broken = tuple(
        event
        for n in (1, 2)
        for event in (
            h.StepStarted(DESIGN, Step.DESIGN, n, 1, STORIES),
            h.StepEnded(DESIGN, Step.DESIGN, n, "error", STORIES, "no"),
        )
    )
    stopped = h.RunStopped(RunStatus.FAILED, "no", 1)
    (command,) = next_for_issue(runs.state_of(*runs.APPROVED, *broken, stopped, RESUMED, reentered()))
    assert isinstance(command, RunStep)


def test_a_later_run_about_an_issue_uses_no_name_of_a_gate_again() -> None:
    begun = (runs.started(), runs.opened(asked=2), i.RouteTaken(Route.FULL, "you"))
    (command,) = next_for_issue(runs.state_of(*begun))
    assert isinstance(command, Record)
    assert [event.gate for event in command.events if isinstance(event, HumanAsked)] == ["requirements-24-3"]
    assert issue_of(*begun, i.Presented(DESIGN, 1, runs.BRANCH, runs.TIP, "b" * 64)).middle_gate == "design-24-3"
