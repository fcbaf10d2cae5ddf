"""`--quality` and `--gaps`, in the words of ``state.json``'s event log."""

from __future__ import annotations

from typing import Any

from autopilot.events import recovery as r

Named = tuple[str, str, dict[str, Any]]  # step, event, details
GAPS = "gaps"


def refinement_named(event: r.RemediationStarted | r.RemediationEnded | r.Exhausted) -> Named:
    """A cycle towards more than the threshold; one that works at gaps calls it an iteration."""
    return _gaps_named(event) if event.flag == GAPS else _quality_named(event)


def _quality_named(event: r.RemediationStarted | r.RemediationEnded | r.Exhausted) -> Named:
    phase: dict[str, Any] = {"phase_id": event.phase}
    match event:
        case r.RemediationStarted(cycle=cycle, score=score, threshold=target):
            return (
                "",
                "quality_remediation_started",
                {**phase, "cycle": cycle, "current_score": score, "target": target},
            )
        case r.RemediationEnded(cycle=cycle, old_score=old, new_score=new, threshold=target):
            scores = {"cycle": cycle, "old_score": old, "new_score": new, "target": target}
            return "", "quality_remediation_completed", {**phase, **scores}
        case r.Exhausted(score=score, target=target, cycles=cycles):
            return "", "quality_exhausted", {**phase, "final_score": score, "target": target, "cycles": cycles}


def _gaps_named(event: r.RemediationStarted | r.RemediationEnded | r.Exhausted) -> Named:
    phase: dict[str, Any] = {"phase_id": event.phase, "remaining_deficiencies": event.left}
    match event:
        case r.RemediationStarted(cycle=cycle, score=score, threshold=target, deficiency=deficiency):
            aim = {"iteration": cycle, "deficiency": deficiency, "current_score": score, "target": target}
            return "", "gaps_iteration_started", {**phase, **aim}
        case r.RemediationEnded(cycle=cycle, old_score=old, new_score=new, deficiency=deficiency):
            came = {"iteration": cycle, "deficiency_addressed": deficiency, "old_score": old, "new_score": new}
            return "", "gaps_iteration_completed", {**phase, **came}
        case r.Exhausted(score=score, target=target, cycles=cycles):
            return "", "gaps_exhausted", {**phase, "final_score": score, "target": target, "iterations": cycles}
