"""What a person's verdict on deferred work taught, as an entry of the learnings (LRNG-04)."""

from __future__ import annotations

from autopilot.events.state import PhaseState
from autopilot.model.run import PersonVerdict


def render_calibration(phase: PhaseState) -> str:
    deferral = phase.deferral
    assert deferral is not None, "only deferred work is calibrated"
    passed, total = deferral.justification.auto_tasks_passed, deferral.justification.auto_tasks_total
    score = phase.reviews.score or "none"
    kind = f"{phase.intake.phase_type or 'mixed'} phase, {passed}/{total} automatic tasks passed, score {score}"
    heading = f"### Human Verdict: Phase {phase.id} -- {deferral.verdict.upper()} (confidence calibration)"
    if deferral.verdict == PersonVerdict.PASS:
        result = f"Phase {phase.id} ({phase.brief.name}) was deferred to a person, who found nothing wrong."
        rule = f"Work like this ({kind}) can be verified with more confidence: the deferral was unnecessary."
    else:
        issues = "; ".join(deferral.issues) or "no issue was named"
        result = f"Phase {phase.id} ({phase.brief.name}) was deferred to a person, who found: {issues}."
        rule = f"Review work like this ({kind}) more strictly; watch for: {issues}."
    return f"{heading}\n{result}\n**Calibration:** {rule}\n"
