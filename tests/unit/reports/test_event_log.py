"""The event log of state.json: the sources' names and rows, with details (STATE)."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from autopilot.events import happened as h
from autopilot.model.policy import Budget
from autopilot.model.run import RunStatus, Step
from autopilot.model.verdict import Outcome
from autopilot.reports.event_log import event_log
from tests.unit.events.golden.reading import FOLDER, read_golden
from tests.unit.making import ONE, make_brief, make_started, store

# covers: STATE
NAMES = {
    "run_started", "run_completed", "run_halted", "run_resumed", "phase_started", "phase_completed", "phase_failed",
    "phase_skipped", "step_started", "step_completed", "step_failed", "task_completed", "task_failed", "task_retried",
    "debug_attempt", "rollback_initiated", "rollback_completed",
}  # fmt: skip


@pytest.mark.parametrize(
    ("event", "names"),
    [
        (make_started(make_brief(ONE)), ["run_started"]),
        (h.RunResumed("0.1.0", (), Budget()), ["run_resumed"]),
        (h.RunStopped(RunStatus.COMPLETED, "every phase passed", 0), ["run_completed"]),
        (h.RunStopped(RunStatus.PAUSED, "cap", 4), ["run_halted"]),
        (h.RunStopped(RunStatus.FAILED, "phase 1 failed", 1), ["run_halted"]),
        (h.PhaseStarted(ONE, 1, "base"), ["phase_started"]),
        (h.PhaseCompleted(ONE, 9.6, "c1"), ["phase_completed"]),
        (h.PhaseFailed(ONE, "why", "tool_failure", Step.PREFLIGHT), ["phase_failed"]),
        (h.PhaseSkipped(ONE, "blocked"), ["phase_skipped"]),
        (h.StepStarted(ONE, Step.PLAN, 1), ["step_started"]),
        (h.StepStarted(ONE, Step.DEBUG, 1, 1, "01-01"), ["task_retried", "debug_attempt"]),
        (h.StepStarted(ONE, Step.ROLLBACK, 1), ["rollback_initiated"]),
        (h.StepEnded(ONE, Step.PLAN, 1, "completed"), ["step_completed"]),
        (h.StepEnded(ONE, Step.VERIFY, 1, "fail"), ["step_failed"]),
        (h.StepEnded(ONE, Step.VERIFY, 1, "error"), ["step_failed"]),
        (h.StepEnded(ONE, Step.VERIFY, 1, "unproven"), ["step_failed"]),
        (h.StepEnded(ONE, Step.EXECUTE, 1, "refused", "01-01"), ["step_failed"]),
        (h.TaskVerified(ONE, "01-01", "c1", (), (), Outcome.PASS), ["task_completed"]),
        (h.TaskVerified(ONE, "01-01", "c1", (), (), Outcome.FAIL), ["task_failed"]),
        (h.TaskVerified(ONE, "01-01", "c1", (), (), Outcome.UNPROVEN), ["task_failed"]),
        (h.TaskRefused(ONE, "01-01", "nothing"), ["task_failed"]),
        (h.RolledBack(ONE, "c1", "diagnostic"), ["rollback_completed"]),
        (h.Landed(ONE, "c1"), []),
    ],
)
def test_an_event_has_the_names_of_the_sources(event: h.Event, names: list[str]) -> None:
    rows = event_log(store(event))
    assert [row["event"] for row in rows] == names
    for row in rows:
        assert set(row) == {"timestamp", "phase", "step", "event", "details"}
        assert row["timestamp"] == "2025-01-01T12:00:01Z"
        assert row["phase"] == getattr(event, "phase", None)
        assert isinstance(json.loads(json.dumps(row))["details"], dict)


def test_a_row_says_what_the_sources_say_with_it() -> None:
    [row] = event_log(store(h.TaskVerified(ONE, "01-01", "abc1234", (), (), Outcome.PASS)))
    assert (row["phase"], row["details"]) == ("1", {"task": "01-01", "commit": "abc1234"})


def test_the_log_of_a_real_run_is_balanced() -> None:
    counted = Counter(row["event"] for row in event_log(read_golden(FOLDER / "journal-1.jsonl")))
    assert set(counted) <= NAMES
    assert counted["phase_started"] == counted["phase_completed"] == 3
    assert counted["debug_attempt"] == 1
    assert counted["step_started"] + counted["debug_attempt"] == counted["step_completed"] + counted["step_failed"]
