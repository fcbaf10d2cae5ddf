"""Runs about one issue, for tests of what people see and say: at each of its gates, halted, handed off."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from autopilot.events import happened as h
from autopilot.events.entry import Stored
from autopilot.events.fold import fold_all
from autopilot.events.issue import happened as i
from autopilot.events.people import HumanAnswered, HumanAsked
from autopilot.events.recovery import BaselineObserved
from autopilot.events.state import RunState
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.testing import Grade, Tally
from autopilot.model.human import GateKind, HumanQuestion
from autopilot.model.issue.issue import (
    ATDD,
    DESIGN,
    IMPL,
    PLAN_AND_TESTS,
    REPRODUCING,
    STORIES,
    AuditRow,
    Cause,
    Decision,
    HaltReason,
    IssueBrief,
    IssueOptions,
    Link,
    OracleState,
    RedRow,
    Route,
    SeedFinding,
)
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import PhaseBrief, RunStatus
from tests.unit.making import make_observation, make_started, store

FOLDER = "docs/issues/024-csv"
BRIEF = IssueBrief(24, "Export as CSV", "csv", FOLDER, "rows as commas")
PRD, PLAN, TESTS = f"{FOLDER}/prd.md", f"{FOLDER}/plan.md", f"{FOLDER}/acceptance-tests.md"
USER_STORIES = f"{FOLDER}/user-stories.md"
BRIEFS = tuple(PhaseBrief(id, id, BRIEF.title, (), (), FOLDER) for id in (DESIGN, IMPL))
BRANCH, TIP = "autopilot/issue-24-csv", "d" * 40
DECISIONS = (
    Decision(USER_STORIES, 4, "only the shown columns"),
    Decision(PLAN, 7, "the csv module, not our own quoting"),
)
QUESTIONS = (HumanQuestion("q1", "Which separator?", "design"), HumanQuestion("q2", "A header row?", "design"))
CAUSE_QUESTION = HumanQuestion("cause", "one of A, B, C; proposed: C", "design")
ROUTE_ASKED = HumanAsked("route-24", GateKind.ROUTE, "this looks like bugfix", (HumanQuestion("route", "ok or"),))
REQUIREMENTS = HumanAsked("requirements-24-1", GateKind.REQUIREMENTS, "requirements of issue 24: approve?", QUESTIONS)
DESIGN_ASKED = HumanAsked("design-24-1", GateKind.DESIGN, "design of issue 24: approve?", (), DESIGN)
CAUSE_ASKED = HumanAsked("cause-24-1", GateKind.CAUSE, "cause of issue 24: agree?", (CAUSE_QUESTION,), DESIGN)
WAITS = h.RunStopped(RunStatus.WAITING, "it waits for you", 3)
CAUSE = Cause("C", "the header is written twice", "tests/test_csv.py::test_header", ("tests/test_csv.py",))


def started() -> h.RunStarted:
    return replace(make_started(*BRIEFS), roadmap="")


def opened(route: Route | None = Route.FULL, **more: Any) -> i.IssueOpened:
    fields = {
        "options": IssueOptions(route=route),
        "recommended": Route.BUGFIX,
        "reasons": ("label bug",),
        "has_prd": True,
    }
    return i.IssueOpened(BRIEF, **{**fields, **more})


def pinned(phase: PhaseId) -> i.AnchorPinned:
    pin = "autopilot-prd.pin" if phase == DESIGN else "autopilot-design.pin"
    return i.AnchorPinned(phase, pin, (PRD,), "f" * 64, f"pin-{phase}", 0)


def row(step: str, verdict: str = "PASS", iteration: int = 1) -> AuditRow:
    return AuditRow(iteration, step, verdict, f"{iteration}" * 64, "2025-01-01T12:00:00Z")


def worked(phase: PhaseId, step: str, commit: str = TIP, **more: Any) -> tuple[h.Event, ...]:
    return i.WorkTaken(phase, step, 1, commit, **more), i.IterationRecorded(phase, step, row(step), commit, 1, "h")


BEGUN = (started(), opened(), i.RouteTaken(Route.FULL, "you"))
APPROVED = (*BEGUN, i.RequirementsApproved("you"), h.PhaseStarted(DESIGN, 1, "base"), pinned(DESIGN))
DESIGNED = (
    *APPROVED,
    *worked(DESIGN, STORIES, files=(USER_STORIES,), decisions=DECISIONS[:1]),
    *worked(DESIGN, PLAN_AND_TESTS, files=(PLAN, TESTS), decisions=DECISIONS[1:]),
    i.Converged(DESIGN, (STORIES, PLAN_AND_TESTS), TIP),
)
SHOWN = (*DESIGNED, i.Presented(DESIGN, 1, BRANCH, TIP, "b" * 64))
AT_DESIGN = (*SHOWN, DESIGN_ASKED)
IN_IMPL = (
    *AT_DESIGN,
    HumanAnswered("design-24-1", {}, "you", approved=True),
    i.DesignApproved("you"),
    h.PhaseStarted(IMPL, 1, "base"),
    pinned(IMPL),
    BaselineObserved(IMPL, "pin-impl", (make_observation("lint", Seen.FAILED, command="ruff check"),)),
)
RED = RedRow("red", "r" * 40, "i" * 40, TESTS, "2025-01-01T12:00:00Z", 1, ("tests/test_csv.py::test_at_001",))
LINKS = (
    Link("AT-001", ("AC-1",), ("tests/test_csv.py::test_at_001",)),
    Link("AT-002", ("AC-2",), (), "it was not run"),
)
UNCOVERED = SeedFinding("AT-002", "it was not run")


def judged(holds: bool, iteration: int = 1, step: str = ATDD) -> i.OracleJudged:
    state = OracleState(True, True, holds, () if holds else ("AC-2",))
    seen = make_observation("at", command="pytest -q", commit="i" * 40, tests=Tally("pytest", Grade.REPORT, passed=2))
    lint = make_observation("lint", Seen.FAILED, command="ruff check", commit="i" * 40)
    replay = make_observation("replay:at", Seen.FAILED, commit="x")
    canary = make_observation("canary:pytest", Seen.FAILED, commit="y")
    return i.OracleJudged(
        IMPL,
        step,
        iteration,
        "i" * 40,
        state,
        () if holds else (UNCOVERED,),
        (seen, lint),
        (replay, canary),
        (),
        LINKS[: 1 if holds else 2],
        RED,
    )


def iteration(number: int, *, holds: bool) -> tuple[h.Event, ...]:
    recorded = row(ATDD, "PASS" if holds else "FAIL", number)
    return (
        i.WorkTaken(IMPL, ATDD, number, "i" * 40, "r" * 40, ("csv.py",)),
        judged(holds, number),
        i.IterationRecorded(IMPL, ATDD, recorded, "a" * 40, number, "h"),
    )


HALTED = (
    *IN_IMPL,
    *iteration(1, holds=False),
    *iteration(2, holds=False),
    i.ConvergenceHalted(IMPL, ATDD, HaltReason.SAMENESS, (UNCOVERED,), "e" * 40, 3, "h", "twice the same"),
    h.RunStopped(RunStatus.FAILED, "COMPLETED_WITH_DEBT", 1),
)
CONVERGED = (*IN_IMPL, *iteration(1, holds=True), i.Converged(IMPL, (ATDD,), "a" * 40))
HANDED_OFF = (
    *CONVERGED,
    i.HandedOff(IMPL, BRANCH, "9" * 40, "b" * 64),
    h.RunStopped(RunStatus.COMPLETED, f"CONVERGED: {BRANCH} is ready for you to merge", 0),
)
BUG = (
    started(),
    opened(Route.BUGFIX),
    i.RequirementsApproved("the issue as it is written"),
    h.PhaseStarted(DESIGN, 1, "base"),
    pinned(DESIGN),
    i.WorkTaken(DESIGN, REPRODUCING, 1, TIP, files=CAUSE.files, cause=CAUSE),
    i.OracleJudged(
        DESIGN,
        REPRODUCING,
        1,
        TIP,
        OracleState(True, True, True),
        red_seen=make_observation("at", Seen.FAILED, command="pytest -q", commit=TIP, excerpt="1 failed\n```\nhi"),
    ),
    i.IterationRecorded(DESIGN, REPRODUCING, row(REPRODUCING), TIP, 1, "h"),
    i.Converged(DESIGN, (REPRODUCING,), TIP),
    i.Presented(DESIGN, 1, BRANCH, TIP, "b" * 64),
    CAUSE_ASKED,
    WAITS,
)
EVERY = {
    "opened": BEGUN,
    "requirements": (*BEGUN, REQUIREMENTS, WAITS),
    "route": (started(), opened(None), ROUTE_ASKED, WAITS),
    "designing": APPROVED,
    "design": (*AT_DESIGN, WAITS),
    "cause": BUG,
    "implementing": (*IN_IMPL, *iteration(1, holds=False)),
    "halted": HALTED,
    "handed off": HANDED_OFF,
}


def entries_of(*events: h.Event) -> list[Stored]:
    return store(*events)


def state_of(*events: h.Event) -> RunState:
    return fold_all(store(*events))
