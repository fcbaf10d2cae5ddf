"""The event log of state.json: the sources' names and rows, with details, every one of them shown to occur (STATE)."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from autopilot.events import closing as c
from autopilot.events import happened as h
from autopilot.events import people as e
from autopilot.events import provision as p
from autopilot.events import recovery as r
from autopilot.events.debugging import happened as d
from autopilot.events.issue import happened as i
from autopilot.events.recovery import PhaseHeld
from autopilot.model.agent import Role
from autopilot.model.audit import Gap, IntegrationReport
from autopilot.model.debugging.session import (
    SESSION,
    Candidate,
    DebugBrief,
    Hypothesis,
    HypothesisResult,
    Prediction,
    Repeats,
    Status,
    Symptoms,
)
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.human import GateKind, HumanQuestion
from autopilot.model.intent import Earlier, Intent, Purpose
from autopilot.model.issue.issue import DESIGN, IMPL, HaltReason, IssueOptions, Rate, Route, SeedFinding
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Budget
from autopilot.model.proposal import GrayArea
from autopilot.model.ruling import Finding
from autopilot.model.run import RunStatus, Step
from autopilot.reports.event_log.log import event_log
from tests.unit import issue_runs as runs
from tests.unit.events.golden.reading import FOLDER, read_golden
from tests.unit.making import ONE, START, THREE, TWO, make_brief, make_started, make_task, store

# covers: STATE, STAT-04, CMPL-02, CHK-5, CHK-14, CENF-01, CENF-02, CENF-03, CB
DOCUMENT = Path(__file__).parents[4] / "docs" / "events.md"
NAMES = """
    run_started run_completed run_halted run_resumed phase_started phase_completed phase_failed step_started
    step_completed step_failed task_completed task_failed task_retried circuit_breaker_opened circuit_breaker_closed
    checkpoint_written debug_attempt replan_attempt rollback_initiated rollback_completed human_verdict_recorded
    unnecessary_deferral_warning high_defer_rate_warning autonomous_resolution_success deferral_threshold_adjusted
    self_audit_started self_audit_completed self_audit_gap_found self_audit_gap_fixed phase_skipped
    batch_completion_report context_mapping_started context_mapping_completed remediation_started
    remediation_completed confidence_diagnostic_written force_incomplete_marked
    force_reexecution_started quality_remediation_started quality_remediation_completed quality_exhausted
    gaps_iteration_started gaps_iteration_completed gaps_exhausted discuss_session_started discuss_answers_recorded
    flag_mutual_exclusivity_error
    rubber_stamp_warning rubber_stamp_enhanced rubber_stamp_critical
"""
SOURCES = set(NAMES.split())
# Of those who do the work, and of those who are asked, the sources do not speak.
OWN = {"phase_held", "agent_switched", "wait_started", "wait_ended", "human_gate_opened", "human_gate_answered"}
# Nor do they speak of issues here.
OF_ISSUES = """
    issue_opened issue_reentered route_taken requirements_approved design_approved gate_sent_back requirements_drafted
    anchor_pinned design_presented work_taken work_refused oracle_judged failure_rate_measured iteration_recorded
    convergence_halted phase_converged issue_handed_off
"""
OF_SESSIONS = """
    session_opened session_continued session_closed symptoms_gathered gathering_refused reproduction_seen
    bisection_begun commit_tested hypothesis_stated hypothesis_refused hypothesis_tested fix_taken
    fix_refused fix_judged
"""
OWN |= {*OF_ISSUES.split(), *OF_SESSIONS.split()}
SYMPTOMS = Symptoms("two rows", "one row", "none", "./shows", "always")
IDEA = Hypothesis(1, "it is cut off", "./cut", Prediction.FAILS)
FEEDBACK = make_task("01-r1", action="- it works: no test (scored 8.0)\n- it is quick: slow (scored 8.4)")
QUALITY = r.RemediationStarted(ONE, 1, 8.7, 9.5, (FEEDBACK,))
AUDIT = PhaseId("audit")
GAP = Gap("REQ-2", "1", "no test for zero", "small")
UNIFORM = r.ScoresUniform(THREE, 1, 3, 9.1, 9.2, (ONE, TWO, THREE))
DIAGNOSTIC = ".autopilot/diagnostics/phase-1-confidence.md"
CASES: list[tuple[h.Event, list[str]]] = [
    (make_started(make_brief(ONE)), ["run_started"]),
    (h.RunResumed("0.1.0", (), Budget()), ["run_resumed"]),
    (h.RunStopped(RunStatus.COMPLETED, "every phase passed", 0), ["checkpoint_written", "run_completed"]),
    (h.RunStopped(RunStatus.PAUSED, "cap", 4), ["checkpoint_written", "run_halted"]),
    (h.RunStopped(RunStatus.FAILED, "phase 1 failed", 1), ["checkpoint_written", "run_halted"]),
    (h.RunStopped(RunStatus.WAITING, "phase 1 waits for you", 3), ["checkpoint_written", "run_halted"]),
    (h.PhaseStarted(ONE, 1, "base"), ["phase_started"]),
    (h.PhaseCompleted(ONE, 9.0, "c1"), ["phase_completed"]),
    (h.PhaseCompleted(ONE, 8.9, "c1"), ["phase_completed", "confidence_diagnostic_written"]),
    (h.PhaseCompleted(ONE, None, "c1"), ["phase_completed"]),
    (h.PhaseCompleted(ONE, 0.0, "c1"), ["phase_completed"]),
    (h.PhaseFailed(ONE, "why", "tool_failure", Step.PREFLIGHT), ["phase_failed"]),
    (h.PhaseSkipped(ONE, "blocked"), ["phase_skipped"]),
    (PhaseHeld(ONE, "the check fills the scratch space"), ["phase_held"]),
    (h.StepStarted(ONE, Step.PLAN, 1), ["step_started"]),
    (h.StepStarted(ONE, Step.PLAN, 2), ["replan_attempt", "step_started"]),
    (h.StepStarted(ONE, Step.PLAN, 2, 2), ["step_started"]),
    (h.StepStarted(ONE, Step.DEBUG, 1, 1, "01-01"), ["task_retried", "debug_attempt"]),
    (h.StepStarted(ONE, Step.DEBUG, 1), ["debug_attempt"]),
    (h.StepStarted(ONE, Step.DEBUG, 1, 2), ["step_started"]),
    (h.StepStarted(ONE, Step.ROLLBACK, 1), ["rollback_initiated"]),
    (h.StepStarted(ONE, Step.ROLLBACK, 1, 2), ["step_started"]),
    (h.StepEnded(ONE, Step.PLAN, 1, "completed"), ["step_completed"]),
    (h.StepEnded(ONE, Step.VERIFY, 1, "fail"), ["step_failed"]),
    (h.StepEnded(ONE, Step.VERIFY, 1, "error"), ["step_failed"]),
    (h.StepEnded(ONE, Step.VERIFY, 1, "unproven"), ["step_failed"]),
    (h.StepEnded(ONE, Step.EXECUTE, 1, "refused", "01-01"), ["step_failed"]),
    (r.StepEnforced(ONE, Step.JUDGE, "it agrees without evidence"), ["step_failed"]),
    (h.TaskVerified(ONE, "01-01", "c1", (), (), Outcome.PASS), ["task_completed"]),
    (h.TaskVerified(ONE, "01-01", "c1", (), (), Outcome.FAIL), ["task_failed"]),
    (h.TaskVerified(ONE, "01-01", "c1", (), (), Outcome.UNPROVEN), ["task_failed"]),
    (h.TaskRefused(ONE, "01-01", "nothing"), ["task_failed"]),
    (r.TaskAlreadyThere(ONE, "01-01"), ["task_completed"]),
    (h.RecordsCommitted(ONE, "c1", ()), ["checkpoint_written"]),
    (h.RolledBack(ONE, "c1", "diagnostic"), ["rollback_completed"]),
    (h.Landed(ONE, "c1"), []),
    (r.Replanned(ONE, 6.1, ("it is the wrong way",)), ["replan_attempt"]),
    (r.RemediationStarted(ONE, 1, 8.2, 9.0, (FEEDBACK,)), ["remediation_started"]),
    (r.RemediationEnded(ONE, 1, 8.2, 9.1, 9.0), ["remediation_completed"]),
    (r.MarkedIncomplete(ONE, 8.0, 9.0, 2), ["force_incomplete_marked"]),
    (r.IntegrityChecked(ONE, (Finding(3, False, None, "fast"),)), []),
    (r.IntegrityChecked(ONE, (Finding(14, True, Step.VERIFY, "look"),)), ["unnecessary_deferral_warning"]),
    (r.ResolvedAlone(ONE, "01-02", 8.0), ["autonomous_resolution_success"]),
    (r.VerdictGiven(ONE, "issues_found", ("the logo is cut off",), "you"), ["human_verdict_recorded"]),
    (r.DeferralAdjusted(6.0, 5.5, "3 of 3 passed"), ["deferral_threshold_adjusted"]),
    (r.DeferRateHigh("1 of 2 phases wait for a person"), ["high_defer_rate_warning"]),
    (r.BreakerOpened("no progress"), ["circuit_breaker_opened"]),
    (r.BreakerClosed("a step of work made progress"), ["circuit_breaker_closed"]),
    (UNIFORM, ["rubber_stamp_warning"]),
    (replace(UNIFORM, tier=2, count=5), ["rubber_stamp_enhanced"]),
    (replace(UNIFORM, tier=3, count=8), ["rubber_stamp_critical"]),
    (p.AgentSwitched(Role.JUDGE, "claude", "codex", "claude is limited"), ["agent_switched"]),
    (p.WaitStarted(START, "claude is limited"), ["wait_started"]),
    (p.Woken(29.5), ["wait_ended"]),
    (e.FlagsRefused(("--gaps", "--force"), "they exclude each other"), ["flag_mutual_exclusivity_error"]),
    (e.PhasePassedOver(TWO, "run-0", START), ["phase_skipped"]),
    (e.MappingStarted((ONE,), "autopilot run --map"), ["context_mapping_started"]),
    (e.MappingEnded({}, 2, 1), ["context_mapping_completed"]),
    (e.HumanAsked("checkpoint-1", GateKind.CHECKPOINT, "go on?"), ["human_gate_opened"]),
    (e.HumanAsked("areas-1", GateKind.AREAS, "which?", phase=ONE), ["discuss_session_started", "human_gate_opened"]),
    (e.HumanAnswered("checkpoint-1", {}, "you", approved=True), ["human_gate_answered"]),
    (replace(QUALITY, flag="quality"), ["quality_remediation_started"]),
    (r.RemediationEnded(ONE, 1, 8.7, 9.2, 9.5, "quality"), ["quality_remediation_completed"]),
    (r.Exhausted(ONE, "quality", 9.2, 9.5, 3), ["quality_exhausted"]),
    (replace(QUALITY, flag="gaps", deficiency="no test"), ["gaps_iteration_started"]),
    (r.RemediationEnded(ONE, 1, 9.0, 9.3, 9.5, "gaps", "no test", 2), ["gaps_iteration_completed"]),
    (r.Exhausted(ONE, "gaps", 9.3, 9.5, 5, 1), ["gaps_exhausted"]),
    (r.Withdrawn(ONE, "it scored lower"), []),
    (c.AuditStarted(AUDIT, (ONE, TWO), "SPEC.md"), ["self_audit_started"]),
    (c.IntegrationChecked(AUDIT, IntegrationReport(False), (GAP,)), ["self_audit_gap_found"]),
    (c.Audited(AUDIT, 0, (), (GAP, GAP)), ["self_audit_gap_found"] * 2),
    (c.Audited(AUDIT, 1, (), (GAP,), ("REQ-2",)), ["self_audit_gap_fixed"]),
    (c.AuditEnded(AUDIT, 9, 7, 2, 1, (GAP,), 2), ["self_audit_completed"]),
    (runs.opened(), ["issue_opened"]),
    (i.IssueReentered(IssueOptions()), ["issue_reentered"]),
    (i.RouteTaken(Route.BUGFIX, "you"), ["route_taken"]),
    (i.RequirementsApproved("you"), ["requirements_approved"]),
    (i.DesignApproved("you", runs.CAUSE), ["design_approved"]),
    (i.SentBack(DESIGN, "design-24-1", (SeedFinding("AC-2 is missing"),)), ["gate_sent_back"]),
    (i.Defined(DESIGN, "c1", ("which?",)), ["requirements_drafted"]),
    (runs.pinned(DESIGN), ["anchor_pinned"]),
    (i.Presented(DESIGN, 1, "autopilot/x", "c1", "b"), ["design_presented"]),
    (i.WorkTaken(IMPL, "s", 1, "c1"), ["work_taken"]),
    (i.WorkTaken(IMPL, "s", 1, refusal="nothing"), ["work_refused"]),
    (runs.judged(holds=False), ["oracle_judged"]),
    (i.RateMeasured(DESIGN, Rate("c1", "t", 10, 3)), ["failure_rate_measured"]),
    (i.IterationRecorded(IMPL, "s", runs.row("s"), "c1", 1, "h"), ["iteration_recorded"]),
    (i.ConvergenceHalted(IMPL, "s", HaltReason.STUCK), ["convergence_halted"]),
    (i.Converged(IMPL, ("s",), "c1"), ["phase_converged"]),
    (i.HandedOff(IMPL, "autopilot/x", "c1", "b"), ["issue_handed_off"]),
    (d.SessionOpened(DebugBrief("rows", "a row is missing")), ["session_opened"]),
    (d.SessionContinued("look there"), ["session_continued"]),
    (d.SymptomsGathered(SESSION, SYMPTOMS, "c1"), ["symptoms_gathered"]),
    (d.GatheringRefused(SESSION, "no command"), ["gathering_refused"]),
    (d.ReproductionSeen(SESSION, "c1", Repeats(20, 3), None), ["reproduction_seen"]),
    (d.BisectionBegun(SESSION, "c0", 200), ["bisection_begun"]),
    (d.CommitTested(SESSION, 7, "c7", Candidate.GOOD, "more"), ["commit_tested"]),
    (d.HypothesisStated(SESSION, IDEA), ["hypothesis_stated"]),
    (d.HypothesisRefused(SESSION, IDEA, "it was eliminated"), ["hypothesis_refused"]),
    (d.HypothesisTested(SESSION, 1, HypothesisResult.ELIMINATED, "exit 0", ()), ["hypothesis_tested"]),
    (d.FixTaken(SESSION, 1, "c2", ("page.py",)), ["fix_taken"]),
    (d.FixTaken(SESSION, 1, refusal="nothing"), ["fix_refused"]),
    (d.FixJudged(SESSION, 1, "c2", True, Repeats(1, 0), 1), ["fix_judged"]),
    (d.SessionClosed(SESSION, Status.RESOLVED, "the fix is proven"), ["session_closed"]),
]
# What only a run as a whole can tell: the events before, the last one, and its rows.
REDO = make_brief(ONE, purpose=Purpose.REDO, earlier=Earlier("run-0", START, 8.4))
STARTED = make_started(make_brief(ONE), intent=Intent(complete=True))
QUESTIONS = (HumanQuestion("1.1", "how many?", area="limits"), HumanQuestion("1.2", "how long?", area="limits"))
TALKED = (
    make_started(make_brief(ONE)),
    e.AreasFound(ONE, "data", "", (GrayArea("limits", "", ()),)),
    e.HumanAsked("discuss-1-0", GateKind.DISCUSS, "limits", QUESTIONS, ONE),
)
STORIES: list[tuple[tuple[h.Event, ...], h.Event, list[str]]] = [
    ((make_started(REDO),), h.PhaseStarted(ONE, 1, "base"), ["force_reexecution_started", "phase_started"]),
    ((make_started(REDO),), h.PhaseStarted(ONE, 2, "base"), ["phase_started"]),
    (
        (STARTED, h.PhaseStarted(ONE, 1, "base"), h.PhaseCompleted(ONE, 9.4, "c1")),
        h.RunStopped(RunStatus.COMPLETED, "every phase passed", 0),
        ["batch_completion_report", "checkpoint_written", "run_completed"],
    ),
    (
        (STARTED, h.PhaseStarted(ONE, 1, "base")),
        h.RunStopped(RunStatus.PAUSED, "cap", 4),
        ["checkpoint_written", "run_halted"],
    ),
    (
        TALKED,
        e.HumanAnswered("discuss-1-0", {"1.1": "three", "1.2": " "}, "you"),
        ["human_gate_answered", "discuss_answers_recorded"],
    ),
]


@pytest.mark.parametrize(("event", "names"), CASES)
def test_an_event_has_the_names_of_the_sources(event: h.Event, names: list[str]) -> None:
    rows = event_log(store(event))
    assert [row["event"] for row in rows] == names
    for row in rows:
        assert set(row) == {"timestamp", "phase", "step", "event", "details"}
        assert row["timestamp"] == "2025-01-01T12:00:01Z"
        assert row["phase"] == getattr(event, "phase", None)
        assert isinstance(json.loads(json.dumps(row))["details"], dict)


@pytest.mark.parametrize(("before", "event", "names"), STORIES)
def test_some_rows_are_told_by_the_run_as_a_whole(
    before: tuple[h.Event, ...], event: h.Event, names: list[str]
) -> None:
    assert [row["event"] for row in rows_of(before, event)] == names


def rows_of(before: tuple[h.Event, ...], event: h.Event) -> list[dict[str, Any]]:
    """Those of the last event."""
    rows = event_log(store(*before, event))
    return [row for row in rows if row["timestamp"] == f"2025-01-01T12:00:0{len(before) + 1}Z"]


def documented() -> dict[str, set[str]]:
    """Event to what its details hold, by the table of docs/events.md."""
    lines = [line for line in DOCUMENT.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {row[0].strip("`"): set(re.findall(r"[a-z_]+", row[3])) - {"or"} for row in rows}


def test_the_document_lists_exactly_the_events_of_the_sources_and_our_own() -> None:
    assert len(SOURCES) == 50
    assert set(documented()) == SOURCES | OWN


def test_every_event_of_the_document_is_written_by_something_that_happens() -> None:
    told = {name for _, names in CASES for name in names} | {name for *_, names in STORIES for name in names}
    assert told == set(documented())


def test_a_row_holds_the_details_that_the_document_promises() -> None:
    promised = documented()
    rows = [row for event, _ in CASES for row in event_log(store(event))]
    rows += [row for before, event, _ in STORIES for row in rows_of(before, event)]
    assert [row for row in rows if not set(row["details"]) <= promised[row["event"]] | {"already_implemented"}] == []


def details(event: h.Event) -> dict[str, Any]:
    found: dict[str, Any] = event_log(store(event))[-1]["details"]
    return found


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (h.TaskVerified(ONE, "01-01", "abc1234", (), (), Outcome.PASS), {"task": "01-01", "commit": "abc1234"}),
        (
            r.RemediationStarted(ONE, 1, 8.2, 9.0, (FEEDBACK,)),
            {"phase_id": "1", "cycle": 1, "current_score": 8.2, "pass_threshold": 9.0, "feedback_items": 2}
            | {"by_person": False},
        ),
        (
            r.RemediationEnded(ONE, 1, 8.2, 9.1, 9.0),
            {"phase_id": "1", "cycle": 1, "old_score": 8.2, "new_score": 9.1, "improved": True}
            | {"reached_threshold": True},
        ),
        (
            r.RemediationEnded(ONE, 2, 8.2, 8.2, 9.0),
            {"phase_id": "1", "cycle": 2, "old_score": 8.2, "new_score": 8.2, "improved": False}
            | {"reached_threshold": False},
        ),
        (
            r.RemediationEnded(ONE, 1, None, 8.2, 9.0),
            {"phase_id": "1", "cycle": 1, "old_score": None, "new_score": 8.2, "improved": True}
            | {"reached_threshold": False},
        ),
        (
            h.PhaseCompleted(ONE, 8.9, "c1"),
            {"phase_id": "1", "alignment_score": 8.9, "diagnostic_path": DIAGNOSTIC},
        ),
        (
            r.MarkedIncomplete(ONE, 8.0, 9.0, 2),
            {"phase_id": "1", "final_score": 8.0, "pass_threshold": 9.0, "remediation_cycles": 2}
            | {"diagnostic_path": DIAGNOSTIC},
        ),
        (
            r.VerdictGiven(ONE, "fail", ("no",), "you"),
            {"phase_id": "1", "verdict": "fail", "issues": ["no"], "by": "you"},
        ),
        (
            h.PhaseSkipped(TWO, "blocked_by_phase_1"),
            {"phase_id": "2", "reason": "blocked_by_phase_1", "blocking_phase": "1"},
        ),
        (
            e.PhasePassedOver(TWO, "run-0", START),
            {"phase_id": "2", "reason": "already_completed", "original_run_timestamp": "2025-01-01T12:00:00Z"}
            | {"original_run_id": "run-0"},
        ),
        (
            r.RemediationEnded(ONE, 1, 9.0, 9.3, 9.5, "gaps", "no test", 2),
            {"phase_id": "1", "iteration": 1, "deficiency_addressed": "no test", "old_score": 9.0, "new_score": 9.3}
            | {"remaining_deficiencies": 2},
        ),
        (
            c.AuditEnded(AUDIT, 9, 7, 2, 1, (GAP,), 2),
            {"total_requirements_checked": 9, "passed_on_first_check": 7, "gaps_found": 2, "gaps_fixed": 1}
            | {"gaps_remaining": 1, "audit_cycles": 2},
        ),
        (UNIFORM, {"phases": ["1", "2", "3"], "count": 3, "min": 9.1, "max": 9.2}),
    ],
)
def test_a_row_says_what_the_sources_say_with_it(event: h.Event, expected: dict[str, Any]) -> None:
    assert details(event) == expected


def test_rows_of_a_whole_run_say_what_it_knows() -> None:
    forced, batch, answered = (rows_of(before, event)[n]["details"] for (before, event, _), n in TOLD)
    assert forced == {"phase_id": "1", "previous_score": 8.4, "previous_status": "completed"}
    counts = {"phases_attempted": 1, "phases_succeeded": 1, "phases_failed": 0, "phases_skipped": 0}
    assert batch == {**counts, "completion_percentage": 100.0, "report_path": ".autopilot/completion-report.md"}
    assert answered == {"phase_id": "1", "questions_asked": 2, "questions_answered": 1}


TOLD = ((STORIES[0], 0), (STORIES[2], 0), (STORIES[4], 1))


def test_a_debug_round_says_whether_it_is_about_one_task_or_the_whole_phase() -> None:
    assert details(h.StepStarted(ONE, Step.DEBUG, 2, 1, "01-01")) == {"task": "01-01", "attempt": 2}
    assert details(h.StepStarted(ONE, Step.DEBUG, 1)) == {"task": None, "attempt": 1}


def test_the_log_of_a_real_run_is_balanced() -> None:
    counted = Counter(row["event"] for row in event_log(read_golden(FOLDER / "journal-1.jsonl")))
    assert set(counted) <= SOURCES
    assert counted["phase_started"] == counted["phase_completed"] == 3
    assert counted["checkpoint_written"] == 4
    assert counted["debug_attempt"] == 1
    assert counted["step_started"] + counted["debug_attempt"] == counted["step_completed"] + counted["step_failed"]
