"""The journal's events in the words of ``state.json``'s event log; docs/events.md lists them all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

from autopilot.events import happened as h
from autopilot.events import provision as p
from autopilot.events.earlier_journals import blocked_by
from autopilot.events.entry import Stored
from autopilot.events.fold import fold
from autopilot.events.state import RunState
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.intent import Purpose
from autopilot.model.run import RunStatus, Step, StepStatus
from autopilot.reports.debugging.event_log import session_named
from autopilot.reports.event_log.closing import batch_named, closing_named
from autopilot.reports.event_log.people import people_named
from autopilot.reports.event_log.recovery import recovery_named
from autopilot.reports.event_log.refinement import Named
from autopilot.reports.issue.event_log import issue_named
from autopilot.reports.markdown import stamp
from autopilot.reports.status.files import STATE, confidence_path
from autopilot.reports.status.scores import is_unsatisfied

BAD = (StepStatus.FAIL, StepStatus.ERROR, StepStatus.UNPROVEN, StepStatus.REFUSED, StepStatus.POSTPONED)


def event_log(entries: Iterable[Stored]) -> list[dict[str, Any]]:
    return EventLog().extend(entries).rows


class EventLog:
    """The rows of one run so far, and the state that the next ones are told from."""

    def __init__(self, state: RunState | None = None, rows: list[Any] | None = None) -> None:
        self.state = state or RunState()
        self.rows = rows or []

    def extend(self, entries: Iterable[Stored]) -> Self:
        for stored in entries:
            # What stands apart from any run, as a message to one that was never begun, has no state to speak of.
            if self.state.run or isinstance(stored.event, h.RunStarted):
                self.state = fold(self.state, stored)
            self.rows += log_rows(stored, self.state)
        return self


def log_rows(stored: Stored, state: RunState) -> list[dict[str, Any]]:
    """``state`` is the one after it: some rows say more than their event alone knows."""
    phase = getattr(stored.event, "phase", None)
    return [
        {"timestamp": stamp(stored.time), "phase": phase, "step": step or None, "event": name, "details": details}
        for step, name, details in _named(stored.event, state)
    ]


def _named(event: h.Event, state: RunState) -> list[Named]:
    match event:
        case h.RunStarted() | h.RunResumed():
            return _run_named(event)
        case h.RunStopped():
            return [*batch_named(state), *_run_named(event)]
        case h.PhaseStarted() | h.PhaseCompleted() | h.PhaseFailed() | h.PhaseSkipped():
            return [*_forced(event, state), *_phase_named(event)]
        case h.StepStarted() | h.StepEnded():
            return _step_named(event)
        case h.TaskVerified(task=task, commit=commit, outcome=outcome):
            name = "task_completed" if outcome is Outcome.PASS else "task_failed"
            return [("mini_verify", name, {"task": task, "commit": commit})]
        case h.TaskRefused(task=task, reason=reason):
            return [("execute", "task_failed", {"task": task, "reason": reason})]
        case p.AgentSwitched(role=role, old=old, new=new, because=because):
            return [("", "agent_switched", {"role": role.value, "from": old, "to": new, "reason": because})]
        case p.WaitStarted(until=until, because=because):
            return [("", "wait_started", {"until": stamp(until), "reason": because})]
        case p.Woken(waited_s=waited_s):
            return [("", "wait_ended", {"waited_s": round(waited_s, 3)})]
        case h.RolledBack(commit=commit, diagnostic=diagnostic):
            return [("rollback", "rollback_completed", {"commit": commit, "diagnostic_branch": diagnostic})]
        case h.RecordsCommitted(commit=commit):
            return [("land", "checkpoint_written", {"path": STATE, "checkpoint_sha": commit})]
        case _:
            named = recovery_named(event) or people_named(event, state) or closing_named(event, state)
            return named or issue_named(event) or session_named(event)


def _run_named(event: h.RunStarted | h.RunResumed | h.RunStopped) -> list[Named]:
    match event:
        case h.RunStarted(run=run, phases=phases):
            return [("", "run_started", {"run_id": run, "phases": [p.id for p in phases]})]
        case h.RunResumed():
            return [("", "run_resumed", {"spec_changed": bool(event.spec_changed_to)})]
        case h.RunStopped(status, reason, exit_status):
            name = "run_completed" if status is RunStatus.COMPLETED else "run_halted"
            details = {"status": status.value, "reason": reason, "exit_status": exit_status}
            return [("", "checkpoint_written", {"path": STATE, "checkpoint_sha": None}), ("", name, details)]


def _phase_named(event: h.LifeEvent) -> list[Named]:
    match event:
        case h.PhaseStarted(attempt=attempt, base=base):
            return [("", "phase_started", {"attempt": attempt, "base": base})]
        case h.PhaseCompleted(phase=phase, score=score, commit=commit):
            # A phase that only a person could settle has no score; earlier journals recorded it with zero.
            done: Named = ("", "phase_completed", {"alignment_score": score or None, "commit": commit})
            if not score or not is_unsatisfied(score):
                return [done]
            written = {"phase_id": phase, "alignment_score": score, "diagnostic_path": confidence_path(phase)}
            return [done, ("", "confidence_diagnostic_written", written)]
        case h.PhaseFailed(reason=reason, category=category, step=step):
            return [(step.value, "phase_failed", {"reason": reason, "category": category})]
        case h.PhaseSkipped(phase=phase, reason=reason):
            blocking = {"blocking_phase": found} if (found := blocked_by(event)) else {}
            return [("", "phase_skipped", {"phase_id": phase, "reason": reason, **blocking})]


def _forced(event: h.LifeEvent, state: RunState) -> list[Named]:
    if not isinstance(event, h.PhaseStarted) or event.attempt > 1 or event.phase not in state.phases:
        return []
    brief = state.phases[event.phase].brief
    if brief.purpose is not Purpose.REDO:
        return []
    score = brief.earlier.score if brief.earlier else None
    details = {"phase_id": event.phase, "previous_score": score, "previous_status": "completed"}
    return [("", "force_reexecution_started", details)]


def _step_named(event: h.StepStarted | h.StepEnded) -> list[Named]:
    step = event.step.value
    match event:
        case h.StepStarted(step=Step.ROLLBACK, number=1):
            return [(step, "rollback_initiated", {})]
        case h.StepStarted(step=Step.DEBUG, number=1, task=task, attempt=attempt):
            debug: Named = (step, "debug_attempt", {"task": task or None, "attempt": attempt})
            return [(step, "task_retried", {"task": task}), debug] if task else [debug]
        case h.StepStarted(attempt=attempt, number=number, task=task):
            started: Named = (step, "step_started", {"attempt": attempt, "try": number, "task": task or None})
            if event.step is Step.PLAN and attempt > 1 and number == 1:
                return [(step, "replan_attempt", {"phase_id": event.phase, "round": attempt}), started]
            return [started]
        case h.StepEnded(status=status, detail=detail, task=task):
            details = {"status": status, "detail": detail, "task": task or None}
            return [(step, "step_failed" if status in BAD else "step_completed", details)]
