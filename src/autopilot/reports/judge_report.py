"""JUDGE-REPORT.md: a second, independent reading."""

from __future__ import annotations

from autopilot.events.state import PhaseState
from autopilot.model.assessment import Judgement
from autopilot.reports.markdown import bullets


def render_judge_report(phase: PhaseState, judgement: Judgement) -> str:
    sections = (
        ("Concerns", judgement.concerns),
        ("Independent evidence", judgement.independent_evidence),
        ("Missing requirements", judgement.missing_requirements),
        ("Scope creep", judgement.scope_creep),
    )
    parts = [
        f"# Phase {phase.id} Judge Report: {phase.brief.name}\n",
        f"**Recommendation:** {judgement.recommendation.value}\n",
        *(f"## {title}\n\n{bullets(lines)}\n" for title, lines in sections),
    ]
    if judgement.notes:
        parts.append(f"## Notes\n\n{judgement.notes}\n")
    return "\n".join(parts)
