"""What was left to a person: why, what was tried, and what the person said."""

from __future__ import annotations

from autopilot.events.pieces import Deferral
from autopilot.events.state import PhaseState
from autopilot.reports.markdown import bullets, stamp, table

EVIDENCE_HEAD = ("Criterion", "Methods Attempted", "Why Insufficient")


def deferral_section(phase: PhaseState) -> str:
    """ "" when nothing was left to anybody."""
    if phase.deferral is None:
        return _not_deferred(phase)
    deferral, asked = phase.deferral, phase.deferral.justification
    lines = [
        f"Checkpoint: {asked.label}, {asked.task_description}",
        f"Automatic tasks passed: {asked.auto_tasks_passed}/{asked.auto_tasks_total}",
        f"Autonomous confidence: {deferral.confidence:g}/10",
        f"The work waits on branch `{deferral.branch}`"
        if not deferral.verdict
        else f"Verdict: {verdict_words(deferral)}",
        *(f"Issue: {issue}" for issue in deferral.issues),
    ]
    return f"## Deferred to a person\n\n{bullets(lines)}\n\n{_evidence(phase)}"


def verdict_words(deferral: Deferral) -> str:
    return f"{deferral.verdict}, {stamp(deferral.verdict_at)}" if deferral.verdict_at else deferral.verdict


def _not_deferred(phase: PhaseState) -> str:
    if phase.reviews.verification is None or not phase.reviews.verification.deferral_evidence:
        return ""
    confidence = f"{phase.reviews.verification.autonomous_confidence:g}/10"
    text = f"The verifier could not prove every criterion (autonomous confidence {confidence}); no person was asked."
    return f"## Not proven by the verifier alone\n\n{text}\n\n{_evidence(phase)}"


def _evidence(phase: PhaseState) -> str:
    unproven = phase.reviews.verification.deferral_evidence if phase.reviews.verification else ()
    items = phase.deferral.evidence if phase.deferral else unproven
    rows = [(item.criterion, "; ".join(item.methods_attempted), item.why_insufficient) for item in items]
    return table(EVIDENCE_HEAD, rows) if rows else ""
