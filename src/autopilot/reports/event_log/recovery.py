"""Other tries, other cuts, people and stops, in the words of ``state.json``'s event log."""

from __future__ import annotations

from typing import Any

from autopilot.events import happened as h
from autopilot.events import recovery as r
from autopilot.model.ruling import NEEDLESS_DEFERRAL
from autopilot.reports.event_log.refinement import Named, refinement_named
from autopilot.reports.status.files import confidence_path

TIERS = {1: "rubber_stamp_warning", 2: "rubber_stamp_enhanced", 3: "rubber_stamp_critical"}


def recovery_named(event: h.Event) -> list[Named]:
    match event:
        case r.TaskAlreadyThere(task=task, made_by=commit):
            done = {"task": task, "commit": commit or None, "already_implemented": not commit}
            return [("execute", "task_completed", done)]
        case r.StepEnforced(step=step, notice=notice):
            return [(step.value, "step_failed", {"status": "enforced", "detail": notice, "task": None})]
        case r.IntegrityChecked(phase=phase, findings=findings):
            needless = (finding.message for finding in findings if finding.check == NEEDLESS_DEFERRAL)
            return [("gate", "unnecessary_deferral_warning", {"phase_id": phase, "reason": w}) for w in needless]
        case r.ScoresUniform(tier=tier, count=count, low=low, high=high, phases=phases):
            return [("", TIERS[min(tier, 3)], {"phases": list(phases), "count": count, "min": low, "max": high})]
        case r.PhaseHeld(phase=phase, reason=reason):
            return [("", "phase_held", {"phase_id": phase, "reason": reason})]
        case r.BreakerOpened(reason, exit_status):
            return [("", "circuit_breaker_opened", {"reason": reason, "exit_status": exit_status})]
        case r.BreakerClosed(reason):
            return [("", "circuit_breaker_closed", {"reason": reason})]
        case r.RemediationStarted(flag=flag) | r.RemediationEnded(flag=flag) if flag:
            return [refinement_named(event)]
        case r.RemediationStarted() | r.RemediationEnded() | r.Replanned() | r.MarkedIncomplete():
            return [_retry_named(event)]
        case r.Exhausted():
            return [refinement_named(event)]
        case r.ResolvedAlone() | r.VerdictGiven() | r.DeferralAdjusted() | r.DeferRateHigh():
            return [_person_named(event)]
        case _:
            return []


def _retry_named(event: r.RemediationStarted | r.RemediationEnded | r.Replanned | r.MarkedIncomplete) -> Named:
    phase: dict[str, Any] = {"phase_id": event.phase}
    match event:
        case r.RemediationStarted(cycle=cycle, score=score, threshold=threshold, tasks=tasks, by_person=by_person):
            items = sum(line.startswith("- ") for task in tasks for line in task.action.splitlines())
            details = {"cycle": cycle, "current_score": score, "pass_threshold": threshold, "feedback_items": items}
            return "", "remediation_started", {**phase, **details, "by_person": by_person}
        case r.RemediationEnded(cycle=cycle, old_score=old, new_score=new, threshold=threshold):
            details = {
                "cycle": cycle,
                "old_score": old,
                "new_score": new,
                "improved": new is not None and (old is None or new > old),
                "reached_threshold": new is not None and new >= threshold,
            }
            return "", "remediation_completed", {**phase, **details}
        case r.Replanned(score=score, issues=issues):
            return "gate", "replan_attempt", {**phase, "alignment_score": score, "issues": list(issues)}
        case r.MarkedIncomplete(phase=id_, score=score, threshold=threshold, cycles=cycles):
            details = {"final_score": score, "pass_threshold": threshold, "remediation_cycles": cycles}
            return "", "force_incomplete_marked", {**phase, **details, "diagnostic_path": confidence_path(id_)}


def _person_named(event: r.ResolvedAlone | r.VerdictGiven | r.DeferralAdjusted | r.DeferRateHigh) -> Named:
    match event:
        case r.ResolvedAlone(phase=phase, task=task, confidence=confidence):
            details = {"phase_id": phase, "task": task, "autonomous_confidence": confidence}
            return "gate", "autonomous_resolution_success", details
        case r.VerdictGiven(phase=phase, verdict=verdict, issues=issues, by=by):
            details = {"phase_id": phase, "verdict": verdict, "issues": list(issues), "by": by}
            return "", "human_verdict_recorded", details
        case r.DeferralAdjusted(old, new, reason):
            return "", "deferral_threshold_adjusted", {"old": old, "new": new, "reason": reason}
        case r.DeferRateHigh(text):
            return "", "high_defer_rate_warning", {"text": text, "deferral_rate_target": 0.05}
