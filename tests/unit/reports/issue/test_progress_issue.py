"""Every event of an issue is told in a line, with where it is; steps that take a while are told as they begin.

covers: PROG, ISSUE-ENDINGS, ISSUE-AUDIT
"""

from __future__ import annotations

from typing import get_args

import pytest

from autopilot.events import happened as h
from autopilot.events.fold import fold_all
from autopilot.events.issue import happened as i
from autopilot.model.agent import Ending, Usage
from autopilot.model.issue.issue import (
    ATDD,
    DESIGN,
    FLAKY_RUNS,
    IMPL,
    HaltReason,
    IssueOptions,
    Rate,
    Route,
    SeedFinding,
)
from autopilot.model.step import ISSUE_STEPS, Role, Step
from autopilot.reports.issue.halts import HALTS, WITHOUT_DETAIL, halt_lines
from autopilot.reports.issue.progress import ISSUE
from autopilot.reports.issue.wording import left_to_fix
from autopilot.reports.progress.lines import progress_lines
from autopilot.reports.run.ending import render_ending
from tests.unit import issue_runs as runs
from tests.unit.making import store

URL = "https://forge.example.org/pull/7"
PREFIX = "[Issue 24 · impl · running-atdd-cycle · iteration"


def shown(*events: h.Event) -> list[str]:
    """The lines of the last event."""
    entries = store(*events)
    return list(progress_lines(entries[-1], fold_all(entries)))


@pytest.mark.parametrize(
    ("before", "event", "lines"),
    [
        (runs.BEGUN[:1], runs.opened(None), ["[Issue 24] Recommended route: bugfix (label bug)"]),
        (runs.BEGUN, i.RequirementsApproved("you"), ["[Issue 24] Gate 1 of 3, requirements: approved (you)"]),
        (runs.APPROVED, i.DesignApproved("you", runs.CAUSE), ["[Issue 24] Gate 2 of 3, cause C: approved (you)"]),
        (runs.BEGUN, i.RouteTaken(Route.FLAKY, "you"), ["[Issue 24] Route: flaky (you)"]),
        (
            runs.BEGUN,
            i.IssueReentered(IssueOptions(), (SeedFinding("the header"),)),
            ["[Issue 24] Cycle 1: 1 finding to fix, 1 of them yours"],
        ),
        (
            runs.AT_DESIGN,
            i.SentBack(DESIGN, "design-24-1", (SeedFinding("AC-2\nis missing"), SeedFinding("too large"))),
            ["[Issue 24 · design] Sent back at design-24-1: 2 findings", "[Issue 24 · design]   AC-2 is missing"],
        ),
        (
            runs.AT_DESIGN,
            i.SentBack(DESIGN, "reopened-3", (SeedFinding("louder"),)),
            ["[Issue 24 · design] Sent back: 1 finding"],
        ),
        (
            runs.APPROVED,
            i.AnchorPinned(DESIGN, "autopilot-prd.pin", (runs.PRD,), "f" * 64, "c", 0, verified=True),
            [f"[Issue 24 · design] Frozen: {runs.PRD} as it was pinned (ffffffffffff)"],
        ),
        (
            runs.IN_IMPL,
            i.WorkTaken(IMPL, ATDD, 1, refusal="the agent committed nothing"),
            [f"{PREFIX} 1/8] Rejected: the agent committed nothing"],
        ),
        (
            runs.IN_IMPL,
            i.WorkTaken(IMPL, ATDD, 1, drift=(runs.PRD,)),
            [f"{PREFIX} 1/8] Rejected: the agent changed {runs.PRD}, which it may not change"],
        ),
        (
            runs.IN_IMPL,
            i.WorkTaken(IMPL, ATDD, 1, "c" * 40, files=("a.py",), dropped=("red.jsonl",)),
            [f"{PREFIX} 1/8] Accepted: 1 file at cccccccccccc", f"{PREFIX} 1/8] Left out: red.jsonl"],
        ),
        (
            runs.IN_IMPL,
            runs.judged(holds=False),
            [f"{PREFIX} 1/8] Oracle: red yes, green yes, covered no -- AT-002: it was not run"],
        ),
        (
            (*runs.IN_IMPL, *runs.iteration(1, holds=False), *runs.iteration(2, holds=False)[:-1]),
            runs.iteration(2, holds=False)[-1],
            [f"{PREFIX} 2/8] Checks of this iteration: FAIL"],
        ),
        (
            runs.APPROVED,
            i.RateMeasured(DESIGN, Rate("c", "test_a", FLAKY_RUNS, 3)),
            ["[Issue 24 · design] Failures before: 3 of 10 runs of test_a"],
        ),
        (
            runs.BEGUN,
            i.Defined(DESIGN, "c" * 40, ("which?",)),
            [f"[Issue 24 · design] Drafted: {runs.PRD} at cccccccccccc; 1 question for you"],
        ),
        (
            runs.CONVERGED,
            i.HandedOff(IMPL, runs.BRANCH, "c", "b", URL, labelled=True),
            [
                f"[Issue 24 · impl] Handed off: .autopilot/issues/024/hand-off.md; branch {runs.BRANCH}, "
                "labelled merge-ready",
                f"[Issue 24 · impl] Gate 3 of 3, merge (only you can): `gh pr ready {URL} && gh pr merge {URL}`",
            ],
        ),
    ],
)
def test_what_happens_to_an_issue_is_told_with_where_it_is(
    before: tuple[h.Event, ...], event: h.Event, lines: list[str]
) -> None:
    found = shown(*before, event)
    assert [line for line in lines if line not in found] == []


def test_whoever_comes_back_to_a_gate_is_not_told_of_findings_that_were_mended() -> None:
    sent_back = i.SentBack(DESIGN, "design-24-1", (SeedFinding("louder"),))
    again = (h.PhaseStarted(DESIGN, 2, "base"), *runs.DESIGNED[len(runs.APPROVED) :])
    assert shown(*runs.AT_DESIGN, sent_back, i.IssueReentered(IssueOptions())) == [
        "[Issue 24] Cycle 2: 1 finding to fix"
    ]
    assert shown(*runs.AT_DESIGN, sent_back, *again, i.IssueReentered(IssueOptions())) == []
    assert left_to_fix(runs.state_of(*runs.AT_DESIGN, sent_back)) == sent_back.findings
    assert left_to_fix(runs.state_of(*runs.AT_DESIGN, sent_back, *again)) == ()


def test_every_event_of_an_issue_is_spoken_of() -> None:
    assert set(ISSUE) == {*get_args(i.IssueRunEvent), *get_args(i.IssueEvent)}
    for events in runs.EVERY.values():
        entries = store(*events)
        for n, stored in enumerate(entries, 1):
            lines = list(progress_lines(stored, fold_all(entries[:n])))
            assert all("\n" not in line and "0.0" not in line and "Phase" not in line for line in lines), lines


@pytest.mark.parametrize("reason", HaltReason)
def test_a_halt_says_what_happened_why_it_matters_and_the_command(reason: HaltReason) -> None:
    assert set(HALTS) == set(HaltReason)
    halted = i.ConvergenceHalted(IMPL, ATDD, reason, (SeedFinding("AC-2", "uncovered"),), detail="so it was seen")
    events = (*runs.IN_IMPL, *runs.iteration(1, holds=False), halted)
    assert shown(*events) == [f"--- {PREFIX} 1/8] COMPLETED_WITH_DEBT: {reason.value} ---"], "the ending says the rest"
    lines = render_ending(runs.state_of(*events)).splitlines()
    (happened,) = (line for line in lines if line.startswith("  what happened: "))
    assert happened.endswith(" (so it was seen)") is (reason not in WITHOUT_DETAIL)
    assert sum(line.startswith("  why it matters: ") for line in lines) == 1
    assert "  left to fix: AC-2: uncovered" in lines
    assert any(line.startswith("  what to do: ") and "`autopilot issue 24" in line for line in lines)


def test_what_has_to_be_said_again_is_in_every_command_of_a_halt() -> None:
    issue = runs.state_of(*runs.HALTED).issue
    assert issue is not None and issue.ending.halted is not None
    for reason in HaltReason:
        halted = i.ConvergenceHalted(IMPL, ATDD, reason)
        told = "\n".join(halt_lines(issue, halted, "cd x && ", " --script s"))
        assert told.count("`cd x && autopilot issue 24") == told.count(" --script s`") > 0


@pytest.mark.parametrize(
    ("endings", "is_program"),
    [
        ((Ending.CRASHED, Ending.CRASHED), True),
        ((Ending.REFUSED, Ending.TIMED_OUT), True),
        ((Ending.CRASHED, Ending.COMPLETED), False),
    ],
)
def test_a_program_that_fails_twice_is_not_told_what_to_do_but_looked_at(
    endings: tuple[Ending, ...], is_program: bool
) -> None:
    calls = [
        (
            h.AgentReplied(IMPL, Step.IMPLEMENT, Role.IMPLEMENTER, "a", ending, Usage(), 5, task=ATDD),
            i.WorkTaken(IMPL, ATDD, number, refusal="the agent committed nothing"),
        )
        for number, ending in enumerate(endings, 1)
    ]
    halted = i.ConvergenceHalted(IMPL, ATDD, HaltReason.SAMENESS)
    state = runs.state_of(*runs.IN_IMPL, *(event for call in calls for event in call), halted)
    told = render_ending(state)
    assert ("what to do: to find the cause: `autopilot doctor`" in told) is is_program
    assert ("what to do: then `autopilot issue 24`" in told) is is_program
    assert ("--finding" in told) is not is_program


def step(kind: Step, task: str = "", number: int = 1) -> h.StepStarted:
    return h.StepStarted(IMPL, kind, 1, number, task)


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ((*runs.IN_IMPL, step(Step.IMPLEMENT, ATDD)), f"{PREFIX} 1/8] Implementing"),
        (
            (*runs.IN_IMPL, *runs.iteration(1, holds=False), step(Step.IMPLEMENT, ATDD)),
            f"{PREFIX} 2/8] Implementing",
        ),
        (
            (*runs.IN_IMPL, runs.iteration(1, holds=False)[0], step(Step.ORACLE, ATDD, 2)),
            f"{PREFIX} 1/8] Checking red, green, coverage (try 2)",
        ),
        ((*runs.IN_IMPL, step(Step.FREEZE)), "[Issue 24 · impl] Checking that what you approved is unchanged"),
        (
            (*runs.IN_IMPL, step(Step.ORACLE, ATDD), h.StepEnded(IMPL, Step.ORACLE, 1, "unproven", ATDD, "no room")),
            f"{PREFIX} 1/8] Step: ORACLE could not run -- no room",
        ),
    ],
)
def test_a_step_is_told_by_its_place_and_not_by_a_count(events: tuple[h.Event, ...], expected: str) -> None:
    assert shown(*events) == [expected]


def test_steps_that_only_write_down_are_told_by_what_they_leave() -> None:
    quiet = {each for each in ISSUE_STEPS if not shown(*runs.IN_IMPL, step(each, ATDD))}
    assert quiet == {Step.RECORD, Step.HALT, Step.PRESENT, Step.HAND_OFF}
