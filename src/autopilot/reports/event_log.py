"""The journal's events in the words of ``state.json``'s event log."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from autopilot.events import happened as h
from autopilot.events.entry import Stored
from autopilot.model.run import RunStatus, Step
from autopilot.model.verdict import Outcome
from autopilot.reports.markdown import stamp

Named = tuple[str, str, dict[str, Any]]  # step, event, details


def event_log(entries: Iterable[Stored]) -> list[dict[str, Any]]:
    return [row for stored in entries for row in log_rows(stored)]


def log_rows(stored: Stored) -> list[dict[str, Any]]:
    phase = getattr(stored.event, "phase", None)
    return [
        {"timestamp": stamp(stored.at), "phase": phase, "step": step or None, "event": name, "details": details}
        for step, name, details in _named(stored.event)
    ]


def _named(event: h.Event) -> list[Named]:
    match event:
        case h.RunStarted(run=run, phases=phases):
            return [("", "run_started", {"run_id": run, "phases": [p.id for p in phases]})]
        case h.RunResumed():
            return [("", "run_resumed", {"spec_changed": bool(event.spec_changed_to)})]
        case h.RunStopped(status, reason, exit_status):
            name = "run_completed" if status is RunStatus.COMPLETED else "run_halted"
            return [("", name, {"status": status.value, "reason": reason, "exit_status": exit_status})]
        case h.PhaseStarted(attempt=attempt, base=base):
            return [("", "phase_started", {"attempt": attempt, "base": base})]
        case h.PhaseCompleted(score=score, commit=commit):
            return [("", "phase_completed", {"alignment_score": score, "commit": commit})]
        case h.PhaseFailed(reason=reason, category=category, step=step):
            return [(step.value, "phase_failed", {"reason": reason, "category": category})]
        case h.PhaseSkipped(reason=reason):
            return [("", "phase_skipped", {"reason": reason})]
        case h.StepStarted() | h.StepEnded():
            return _step_named(event)
        case h.TaskVerified(task=task, commit=commit, outcome=outcome):
            name = "task_completed" if outcome is Outcome.PASS else "task_failed"
            return [("mini_verify", name, {"task": task, "commit": commit})]
        case h.TaskRefused(task=task, reason=reason):
            return [("execute", "task_failed", {"task": task, "reason": reason})]
        case h.RolledBack(commit=commit, diagnostic=diagnostic):
            return [("rollback", "rollback_completed", {"commit": commit, "diagnostic_branch": diagnostic})]
        case _:
            return []


def _step_named(event: h.StepStarted | h.StepEnded) -> list[Named]:
    step = event.step.value
    match event:
        case h.StepStarted(step=Step.ROLLBACK):
            return [(step, "rollback_initiated", {})]
        case h.StepStarted(step=Step.DEBUG, task=task):
            return [(step, "task_retried", {"task": task}), (step, "debug_attempt", {"task": task})]
        case h.StepStarted(attempt=attempt, number=number, task=task):
            return [(step, "step_started", {"attempt": attempt, "try": number, "task": task or None})]
        case h.StepEnded(status=status, detail=detail, task=task):
            bad = status in ("fail", "error", "unproven", "refused")
            details = {"status": status, "detail": detail, "task": task or None}
            return [(step, "step_failed" if bad else "step_completed", details)]
