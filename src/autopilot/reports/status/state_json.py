"""``state.json``: the run in the shape other tools read. A projection: never read to decide anything."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from autopilot.events.state import PhaseState, RunState
from autopilot.events.talk import HumanGate
from autopilot.model.policy import DEFERRAL_RATE_TARGET
from autopilot.model.run import BreakerStatus, PhaseStatus
from autopilot.reports.documents.tasks import parts_of
from autopilot.reports.evidence.unchecked import reach_of
from autopilot.reports.issue.record import issue_record
from autopilot.reports.markdown import seconds, stamp
from autopilot.reports.run.audit import audit_summary
from autopilot.reports.run.statistics import deferrals, processed
from autopilot.reports.status.phase_record import debugs_of, phase_record
from autopilot.reports.status.scores import find_suspects


def state_document(state: RunState, log: Sequence[dict[str, Any]]) -> dict[str, Any]:
    suspects = find_suspects(state)
    return {
        "_meta": _meta(state),
        "spec": {
            "path": state.inputs.spec.path,
            "hash": f"sha256:{state.inputs.spec.sha256}",
            "locked_at": stamp(state.started_at),
        },
        "roadmap_path": state.inputs.roadmap,
        "phases": {p.id: phase_record(state, p, is_suspect=p.id in suspects) for p in state.phases.values()},
        "passed_over": [
            {"phase_id": passed.phase, "run_id": passed.run, "completed_at": stamp(passed.completed_at)}
            for passed in state.inputs.passed_over
        ],
        "gates": [_gate(gate) for gate in state.people.gates.values()],
        "completion": _completion(state),
        "circuit_breaker": _breaker(state),
        "issue": issue_record(state),
        "event_log": list(log),
        "metrics": _metrics(state),
    }


def _meta(state: RunState) -> dict[str, Any]:
    current, needed = state.current, deferrals(state)
    return {
        "version": "1.0",
        "run_id": state.run,
        "autopilot_version": state.inputs.version,
        "started_at": stamp(state.started_at),
        "last_checkpoint": stamp(state.now),
        "status": state.status.value,
        "stopping": bool(state.session.cancelled_by) and not state.halted,
        "pausing": bool(state.session.pause_wanted_by) and not state.halted,
        "stop_reason": state.session.stop_reason,
        "exit_status": state.session.exit_status,
        "open_gates": len(state.open_gates),
        "total_phases": len(state.phases),
        "current_phase": current.id if current else None,
        "current_step": _open_step(state, current),
        "orchestrator_context_pct": 0,
        "human_deferred_count": needed.deferred,
        "total_phases_processed": needed.processed,
        "pass_threshold": state.policy.pass_threshold,
        "modes": _modes(state),
        "command": state.inputs.command or None,
        "autonomous_resolution_rate": round(needed.resolution_rate, 3),
        "deferral_rate_target": DEFERRAL_RATE_TARGET,
        "deferral_confidence_threshold": state.policy.deferral_confidence,
        "deferral_threshold": DEFERRAL_RATE_TARGET,
        "deferral_history": [_settled(phase) for phase in processed(state)],
        "last_checkpoint_sha": state.line.tip,
        "sandboxed": state.policy.confined,
        "open_egress": list(state.policy.open_agents),
        "checks_reach": reach_of(state),
    }


def _modes(state: RunState) -> dict[str, Any]:
    """The flags of the call: a run keeps those it began with."""
    modes: dict[str, Any] = msgspec.to_builtins(state.inputs.intent)
    return modes


def _gate(gate: HumanGate) -> dict[str, Any]:
    """A question to the user; open until it is answered."""
    asked, answer = gate.asked, gate.answered
    return {
        "gate": asked.gate,
        "kind": asked.kind.value,
        "title": asked.title,
        "phase": asked.phase,
        "open": answer is None,
        "asked_at": stamp(gate.asked_at),
        "answered_at": stamp(gate.answered_at) or None,
        "answered_by": answer.by if answer else None,
        "approved": answer.approved if answer else None,
        "questions": [
            {**msgspec.to_builtins(question), "answer": answer.answers.get(question.id) if answer else None}
            for question in asked.questions
        ],
    }


def _completion(state: RunState) -> dict[str, Any]:
    """What came after the phases; null where it did not come to that."""
    report, release = state.completion.audit.integration, state.completion.release
    return {
        "phases": {p.id: phase_record(state, p, is_suspect=False) for p in state.completion.closing.values()},
        "integration": msgspec.to_builtins(report) if report is not None else None,
        "self_audit": audit_summary(state),
        "version": msgspec.to_builtins(release) if release is not None else None,
    }


def _open_step(state: RunState, current: PhaseState | None) -> str | None:
    """Of a split phase, that of the first part in progress."""
    at_work = (current, *parts_of(state, current)) if current else ()
    return next((home.open.step.value for home in at_work if home.open), None)


def _settled(phase: PhaseState) -> dict[str, Any]:
    """How a phase was settled: with a person or without."""
    deferral, verification = phase.deferral, phase.reviews.verification
    alone = verification.autonomous_confidence if verification else None
    return {
        "phase_id": phase.id,
        "reason": "deferred" if deferral else phase.status.value,
        "autonomous_confidence": deferral.confidence if deferral else alone,
        "human_verdict": (deferral.verdict or None) if deferral else None,
        "timestamp": stamp(phase.ending.completed_at) or None,
    }


def _breaker(state: RunState) -> dict[str, Any]:
    breaker = state.breaker
    return {
        "state": breaker.state,
        "consecutive_no_progress": breaker.no_progress,
        "consecutive_same_error": breaker.same_error,
        "last_error": breaker.last_error or None,
        "cooldown_until": (stamp(breaker.until) or None) if breaker.state == BreakerStatus.OPEN else None,
        "total_retries": breaker.retries,
        "reason": breaker.reason or None,
    }


def _metrics(state: RunState) -> dict[str, Any]:
    phases = state.phases.values()
    return {
        "total_tokens_used": state.totals.usage.tokens,
        "total_estimated_tokens": sum(phase.intake.estimate or 0 for phase in phases),
        "total_usd": round(state.totals.usage.usd, 4),
        "usd_is_estimate": state.totals.usage.usd_is_estimate,
        "total_duration_minutes": seconds(state.started_at, state.now) // 60,
        "phases_completed": sum(p.status is PhaseStatus.COMPLETED for p in phases),
        "phases_failed": sum(p.status is PhaseStatus.FAILED for p in phases),
        "phases_human_deferred": sum(p.status is PhaseStatus.NEEDS_HUMAN_VERIFICATION for p in phases),
        "phases_force_incomplete": sum(p.remediation.incomplete for p in phases),
        "debug_loops_total": sum(debugs_of(state, p) for p in phases),
        "replan_count": sum(p.retries.replans for p in phases),
        "remediation_count": sum(len(p.remediation.cycles) for p in phases),
    }
