"""What comes next for an issue, from its record alone.

covers: AL-1, AL-6, ISSUE-DEFINE, ISSUE-DESIGN, ISSUE-IMPL, ISSUE-ROUTES, ISSUE-PREAPPROVED, ISSUE-ENDINGS, ISSUE-MODELS
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from autopilot.events.entry import Stored
from autopilot.events.fold import fold_all
from autopilot.events.happened import Event, PhaseStarted, RunResumed, RunStarted, RunStopped
from autopilot.events.issue import happened as i
from autopilot.events.people import HumanAnswered, HumanAsked
from autopilot.events.state import RunState
from autopilot.flows.command import Command, Halt, Record, RunStep
from autopilot.flows.issue.deciding import next_for_issue
from autopilot.flows.roadmap import needs_agent
from autopilot.model.human import GateKind
from autopilot.model.issue.issue import (
    ATDD,
    DESIGN,
    IMPL,
    PLAN_AND_TESTS,
    STORIES,
    AuditRow,
    HaltReason,
    IssueBrief,
    IssueOptions,
    OracleState,
    Route,
    SeedFinding,
)
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Budget, Policy
from autopilot.model.run import PhaseBrief, RunStatus, SpecLock, Step

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
BRIEF = IssueBrief(24, "Shouting", "shout", "docs/issues/024-shout")
BRIEFS = tuple(PhaseBrief(id, id, "", (), (), BRIEF.folder) for id in (DESIGN, IMPL))
STARTED = RunStarted(
    *("run-1", "0", BRIEFS, BRIEFS, "", SpecLock("", ""), Policy(), "main", "h", "base", (), (), (), (), "balanced")
)


def at(*events: Event) -> RunState:
    entries = (STARTED, *events)
    return fold_all(
        Stored(n, BEGAN + timedelta(seconds=n), "run-1", str(n), event) for n, event in enumerate(entries, 1)
    )


def opened(
    *, options: IssueOptions | None = None, approved: str = "", prd: bool = True, recommended: Route | None = None
) -> i.IssueOpened:
    return i.IssueOpened(BRIEF, options or IssueOptions(), recommended, ("label docs",), approved, prd)


def next_of(*events: Event) -> Command:
    (command,) = next_for_issue(at(*events))
    return command


def recorded(*events: Event) -> list[Event]:
    command = next_of(*events)
    assert isinstance(command, Record), command
    return list(command.events)


ROUTE = i.RouteTaken(Route.FULL, "you")
APPROVED = (opened(approved="you"), ROUTE)


def pinned(phase: PhaseId) -> i.AnchorPinned:
    pin = "autopilot-prd.pin" if phase == DESIGN else "autopilot-design.pin"
    return i.AnchorPinned(phase, pin, (), "f", f"pin-{phase}", 0)


def passed(phase: PhaseId, step: str, *, verdict: str = "PASS", iteration: int = 1) -> tuple[Event, ...]:
    row = AuditRow(iteration, step, verdict, f"{step}-{verdict}-{iteration}", "")
    taken = i.WorkTaken(phase, step, iteration, f"c-{step}-{iteration}", "red")
    return taken, i.IterationRecorded(phase, step, row, f"a-{step}-{iteration}", 1, "h")


DESIGNED = (
    *APPROVED,
    PhaseStarted(DESIGN, 1, "base"),
    pinned(DESIGN),
    *passed(DESIGN, STORIES),
    *passed(DESIGN, PLAN_AND_TESTS),
    i.Converged(DESIGN, (STORIES, PLAN_AND_TESTS), f"a-{PLAN_AND_TESTS}-1"),
)
SHOWN = (*DESIGNED, i.Presented(DESIGN, 1, "autopilot/x", f"a-{PLAN_AND_TESTS}-1", "body"))
ASKED = (*SHOWN, HumanAsked("design-24-1", GateKind.DESIGN, "?"))
AGREED = (*ASKED, HumanAnswered("design-24-1", {}, "you", approved=True), i.DesignApproved("you"))
IN_IMPL = (*AGREED, PhaseStarted(IMPL, 1, "base"), pinned(IMPL))


@pytest.mark.parametrize(
    ("events", "kind"),
    [
        ((opened(), ROUTE), GateKind.REQUIREMENTS),
        (SHOWN, GateKind.DESIGN),
        ((opened(recommended=Route.EXPRESS, approved="you"),), GateKind.ROUTE),
    ],
)
def test_a_person_is_asked_where_only_a_person_can_say(events: tuple[Event, ...], kind: GateKind) -> None:
    (asked,) = recorded(*events)
    assert isinstance(asked, HumanAsked) and asked.kind is kind
    waits = next_of(*events, asked)
    assert isinstance(waits, Halt) and (waits.status, waits.exit_status) == (RunStatus.WAITING, 3)


@pytest.mark.parametrize(
    ("events", "phase", "step", "task"),
    [
        ((*APPROVED, PhaseStarted(DESIGN, 1, "base")), DESIGN, Step.FREEZE, ""),
        ((*APPROVED, PhaseStarted(DESIGN, 1, "base"), pinned(DESIGN)), DESIGN, Step.DESIGN, STORIES),
        (DESIGNED[:-3], DESIGN, Step.DESIGN, PLAN_AND_TESTS),
        (DESIGNED, DESIGN, Step.PRESENT, ""),
        (IN_IMPL, IMPL, Step.IMPLEMENT, ATDD),
        ((*IN_IMPL, passed(IMPL, ATDD)[0]), IMPL, Step.ORACLE, ATDD),
        ((*IN_IMPL, i.WorkTaken(IMPL, ATDD, 1, refusal="nothing")), IMPL, Step.RECORD, ATDD),
        ((*IN_IMPL, *passed(IMPL, ATDD, verdict="FAIL")), IMPL, Step.IMPLEMENT, ATDD),
        ((*IN_IMPL, *passed(IMPL, ATDD), i.Converged(IMPL, (ATDD,), "c")), IMPL, Step.HAND_OFF, ""),
        (
            (opened(prd=False, options=IssueOptions(define=True)), ROUTE, PhaseStarted(DESIGN, 1, "b")),
            DESIGN,
            Step.DEFINE,
            "",
        ),
    ],
)
def test_the_next_step_follows_from_how_far_it_is(
    events: tuple[Event, ...], phase: PhaseId, step: Step, task: str
) -> None:
    command = next_of(*events)
    assert isinstance(command, RunStep)
    assert (command.phase, command.step, command.task) == (phase, step, task)


def test_nothing_is_implemented_before_the_middle_gate_is_passed() -> None:
    for count in range(len(ASKED) + 1):
        command = next_of(opened(approved="you"), *ASKED[1:count])
        assert not (isinstance(command, RunStep) and command.phase == IMPL)


@pytest.mark.parametrize(
    ("said", "route"),
    [("ok", Route.EXPRESS), ("bugfix", Route.BUGFIX), ("express", Route.EXPRESS), ("full", Route.FULL)],
)
def test_advice_is_followed_only_by_the_users_word(said: str, route: Route) -> None:
    advised = (opened(recommended=Route.EXPRESS, approved="you"), HumanAsked("route-24", GateKind.ROUTE, "?"))
    (taken,) = recorded(*advised, HumanAnswered("route-24", {"route": said}, "you"))
    assert isinstance(taken, i.RouteTaken) and taken.route is route


def test_a_rejection_sends_the_whole_back_and_counts_iterations_anew() -> None:
    rejected = (*ASKED, HumanAnswered("design-24-1", {}, "you", approved=False, comment="- one\n- two"))
    (sent,) = recorded(*rejected)
    assert isinstance(sent, i.SentBack) and len(sent.findings) == 2
    state = at(*rejected, sent)
    assert state.issue is not None
    assert state.issue.convergence.rounds == {} and len(state.issue.audit.rows) == 2
    (begun,) = recorded(*rejected, sent)
    assert isinstance(begun, PhaseStarted) and begun.phase == DESIGN


@pytest.mark.parametrize(
    ("answer", "needed"),
    [
        (HumanAnswered("design-24-1", {}, "you", approved=False, comment="again"), True),
        (HumanAnswered("design-24-1", {}, "you", approved=True), True),
        (None, False),
    ],
)
def test_an_answered_gate_needs_an_agent_before_a_record(answer: HumanAnswered | None, needed: bool) -> None:
    state = at(*ASKED, *((answer,) if answer else ()))
    assert needs_agent(state, state.policy) is needed


def test_in_hand_off_mode_the_gates_are_passed_by_who_handed_it_off_and_it_is_still_not_merged() -> None:
    options = IssueOptions(hand_off=True)
    (approved,) = recorded(opened(options=options), ROUTE)
    assert isinstance(approved, i.RequirementsApproved) and approved.by == "queue"
    (said,) = recorded(opened(options=options, approved="queue"), *ASKED[1:])
    assert isinstance(said, HumanAnswered) and said.approved and said.by == "hand-off"


def test_what_an_agent_drafted_nobody_has_approved_beforehand() -> None:
    drafted = (
        opened(options=IssueOptions(hand_off=True, define=True), prd=False),
        ROUTE,
        PhaseStarted(DESIGN, 1, "base"),
    )
    (asked,) = recorded(*drafted, i.Defined(DESIGN, "c"))
    assert isinstance(asked, HumanAsked) and asked.kind is GateKind.REQUIREMENTS


def test_findings_of_the_first_call_reach_the_first_iteration() -> None:
    said = i.IssueReentered(IssueOptions(), (SeedFinding("the mark is missing"),))
    state = at(opened(), said, ROUTE, i.RequirementsApproved("you"), *DESIGNED[2:5])
    assert state.issue is not None
    assert state.issue.convergence.rounds[STORIES].seeds == said.findings


def test_a_halt_ends_with_debt_and_the_next_cycle_begins_with_what_it_left() -> None:
    left = (SeedFinding("tests/test_a.py::test_b", "failed"),)
    halted = i.ConvergenceHalted(IMPL, ATDD, HaltReason.STUCK, left, "halt", 3, "h", "it goes in circles")
    events = (*IN_IMPL, *passed(IMPL, ATDD, verdict="FAIL"), halted)
    end = next_of(*events)
    assert isinstance(end, Halt) and end.exit_status == 1
    assert end.reason == ("it goes in circles (COMPLETED_WITH_DEBT {step: running-atdd-cycle, reason: stuck})")
    again = at(*events, RunStopped(RunStatus.FAILED, end.reason, 1), RunResumed("0", (), Budget()))
    assert again.issue is not None
    assert again.issue.convergence.seeds == left and again.issue.cycle == 2 and again.issue.escalated
    assert again.issue.baseline.commit == "pin-impl"


@pytest.mark.parametrize("reason", list(HaltReason))
def test_only_a_failure_to_converge_asks_for_a_stronger_model(reason: HaltReason) -> None:
    halted = i.ConvergenceHalted(IMPL, ATDD, reason, (SeedFinding("x"),), "halt")
    again = at(*IN_IMPL, halted, RunStopped(RunStatus.FAILED, "", 1), RunResumed("0", (), Budget()))
    assert again.issue is not None
    converges = (HaltReason.MAX_ITERATIONS, HaltReason.SAMENESS, HaltReason.STUCK)
    assert again.issue.escalated is (reason in converges)


def test_green_and_covered_without_red_goes_to_a_person_unless_its_author_can_mend_it() -> None:
    taken, row = passed(IMPL, ATDD, verdict="FAIL")
    state = OracleState(at_green=True, coverage_ok=True)
    for fixable, step in ((False, Step.HALT), (True, Step.IMPLEMENT)):
        judged = i.OracleJudged(IMPL, ATDD, 1, "c", state, fixable=fixable)
        command = next_of(*IN_IMPL, taken, judged, row)
        assert isinstance(command, RunStep) and command.step is step


def test_who_wants_the_design_alone_stops_there() -> None:
    only = opened(options=IssueOptions(only=DESIGN), approved="you")
    end = next_of(only, *AGREED[1:])
    assert isinstance(end, Halt) and end.exit_status == 0
