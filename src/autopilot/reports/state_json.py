"""``state.json``: the run in the shape other tools read. A projection: never read to decide anything."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autopilot.events.state import PhaseState, RunState
from autopilot.model.evidence import Seen
from autopilot.model.policy import CHECKS
from autopilot.model.run import PhaseStatus, Step
from autopilot.reports.markdown import seconds, stamp

# What is done to one task stands with that task; a rollback is told by the branch it leaves.
ELSEWHERE = (Step.MINI_VERIFY, Step.DEBUG, Step.ROLLBACK)
STEPS = tuple(step.value for step in Step if step not in ELSEWHERE)


def state_document(state: RunState, log: Sequence[dict[str, Any]]) -> dict[str, Any]:
    current = state.current
    return {
        "_meta": _meta(state, current),
        "spec": {
            "path": state.spec.path,
            "hash": f"sha256:{state.spec.sha256}",
            "locked_at": stamp(state.started_at),
        },
        "roadmap_path": state.roadmap,
        "phases": {phase.id: _phase(state, phase) for phase in state.phases.values()},
        "circuit_breaker": {
            "state": "closed",
            "consecutive_no_progress": 0,
            "consecutive_same_error": 0,
            "last_error": None,
            "cooldown_until": None,
        },
        "event_log": list(log),
        "metrics": _metrics(state),
    }


def _meta(state: RunState, current: PhaseState | None) -> dict[str, Any]:
    settled = [p for p in state.phases.values() if p.settled]
    done = sum(p.status is PhaseStatus.COMPLETED for p in settled)
    return {
        "version": "1.0",
        "run_id": state.run,
        "autopilot_version": state.version,
        "started_at": stamp(state.started_at),
        "last_checkpoint": stamp(state.now),
        "status": state.status.value,
        "stop_reason": state.stop_reason,
        "exit_status": state.exit_status,
        "total_phases": len(state.phases),
        "current_phase": current.id if current else None,
        "current_step": current.open.step.value if current and current.open else None,
        "orchestrator_context_pct": 0,
        "human_deferred_count": 0,
        "total_phases_processed": len(settled),
        "pass_threshold": state.policy.pass_threshold,
        "autonomous_resolution_rate": round(done / len(settled), 3) if settled else 0.0,
        "deferral_rate_target": 0.05,
        "deferral_confidence_threshold": 6.0,
        "deferral_threshold": 0.05,
        "deferral_history": [],
        "last_checkpoint_sha": state.tip,
        "sandboxed": state.policy.confined,
    }


def _phase(state: RunState, phase: PhaseState) -> dict[str, Any]:
    return {
        "name": phase.brief.name,
        "phase_type": None,
        "status": phase.status.value,
        "attempt": phase.attempt,
        "started_at": stamp(phase.started_at) or None,
        "completed_at": stamp(phase.completed_at) or None,
        "steps": {name: _step(state, phase, name) for name in STEPS if name in phase.steps or _has(phase, name)},
        "alignment_score": phase.score,
        "commit_shas": [t.commit for t in phase.tasks.values() if t.commit],
        "automated_checks": _checks(state, phase),
        "debug_attempts": sum(t.debugs for t in phase.tasks.values()),
        "replan_attempts": max(0, phase.plan_rounds - 1),
        "tokens_used": phase.usage.tokens,
        "estimated_tokens": None,
        "checkpoint_sha": phase.records_commit or None,
        "landing": phase.landing.state or None,
        "failure": phase.failure or None,
        "failure_category": phase.failure_category or None,
        "diagnostic_branch": phase.diagnostic_branch or None,
        "human_verify_justification": None,
        "human_verdict": None,
        "force_incomplete": False,
        "diagnostic_path": None,
        "remediation_cycles": 0,
    }


def _has(phase: PhaseState, name: str) -> bool:
    return name == "execute" and bool(phase.tasks)


def _step(state: RunState, phase: PhaseState, name: str) -> dict[str, Any]:
    step = phase.steps.get(name)
    base: dict[str, Any] = {"status": step.status, "timestamp": stamp(step.started_at)} if step else {}
    folder = phase.brief.folder
    match name:
        case "research" if phase.research:
            base |= {"output": f"{folder}/RESEARCH.md", "hash": f"sha256:{phase.research}"}
        case "plan" if phase.plan_commit:
            plan = next((digest for path, digest in phase.plan_documents if path.endswith("PLAN.md")), "")
            base |= {"output": f"{folder}/PLAN.md", "hash": f"sha256:{plan}" if plan else None}
            base |= {"validation_rounds": phase.plan_rounds}
        case "plan_check" if phase.plan_check:
            base |= {"confidence": phase.plan_check.confidence}
        case "execute" if phase.tasks:
            done = all(t.status == "verified" for t in phase.tasks.values())
            base = {"status": "completed" if done else "partial", "tasks": _tasks(phase)}
        case "verify" if phase.observations is not None:
            creep = phase.verification.scope_creep if phase.verification else ()
            base |= {"automated": _checks(state, phase), "scope_creep": list(creep)}
        case "judge" if phase.judgement:
            word, concerns = phase.judgement.recommendation.value, list(phase.judgement.concerns)
            base |= {"recommendation": word, "concerns": concerns}
        case "rate" if phase.score is not None:
            base |= {"alignment_score": phase.score, "score_band": phase.band}
    return base


def _tasks(phase: PhaseState) -> dict[str, Any]:
    words = {"verified": "completed", "refused": "failed"}
    return {
        t.task.id: {"status": words.get(t.status, t.status), "commit": t.commit or None, "retries": t.debugs}
        for t in phase.tasks.values()
    }


def _checks(state: RunState, phase: PhaseState) -> dict[str, Any]:
    # What could not be run is neither true nor false.
    seen = {o.subject: o.seen is Seen.PASSED for o in phase.observations or () if o.seen is not Seen.NOTHING}
    return {name: seen.get(name, "n/a" if not getattr(state.policy.commands, name) else None) for name in CHECKS}


def _metrics(state: RunState) -> dict[str, Any]:
    phases = state.phases.values()
    return {
        "total_tokens_used": state.usage.tokens,
        "total_usd": round(state.usage.usd, 4),
        "total_duration_minutes": seconds(state.started_at, state.now) // 60,
        "phases_completed": sum(p.status is PhaseStatus.COMPLETED for p in phases),
        "phases_failed": sum(p.status is PhaseStatus.FAILED for p in phases),
        "debug_loops_total": sum(t.debugs for p in phases for t in p.tasks.values()),
        "replan_count": sum(max(0, p.plan_rounds - 1) for p in phases),
    }
