"""JUDGE-REPORT.md: a second, independent reading, and where it differs from the verifier's."""

from __future__ import annotations

from collections.abc import Sequence

from autopilot.events.state import PhaseState
from autopilot.model.assessment import JudgeFindings, Judgement, Recommendation
from autopilot.model.evidence.verdict import Outcome
from autopilot.reports.documents.behavioral_traces import trace_table
from autopilot.reports.documents.shortfalls import shortfalls
from autopilot.reports.markdown import bullets


def render_judge_report(phase: PhaseState, judgement: Judgement) -> str:
    parts = [
        f"# Phase {phase.id} Judge Report: {phase.brief.name}\n",
        f"**Recommendation:** {judgement.recommendation.value}\n",
        _against_evidence(phase, judgement),
        f"## Independent findings\n\n{_findings(phase, phase.reviews.findings or judgement)}",
        f"## Divergence Analysis\n\n{_divergence(judgement)}",
        _added(phase, judgement),
    ]
    return "\n".join(part for part in parts if part)


def _against_evidence(phase: PhaseState, judgement: Judgement) -> str:
    """A judge cannot raise what evidence refuses: where the two differ, the report says which one counts."""
    missing = [str(found) for found in shortfalls(phase) if found.outcome is not Outcome.PASS]
    if judgement.recommendation is not Recommendation.PROCEED or not missing:
        return ""
    return f"The evidence says otherwise, and it decides:\n\n{bullets(missing)}\n"


def _findings(phase: PhaseState, found: JudgeFindings | Judgement) -> str:
    """Of a judge that spoke once, all it said."""
    when = (
        f"Recorded before the judge saw the verifier's report; its recommendation then: {found.recommendation.value}.\n"
        if phase.reviews.findings is not None
        else "No separate findings were recorded before the verifier's report was shown.\n"
    )
    sections = (
        ("Concerns", found.concerns),
        ("Independent evidence", found.independent_evidence),
        ("Missing requirements", found.missing_requirements),
        ("Scope creep", found.scope_creep),
    )
    parts = [when, *(_list(title, lines) for title, lines in sections)]
    if found.traces:
        parts.append(f"### Behavioral Traces\n\n{trace_table(found.traces, phase)}")
    if found.notes.strip():
        parts.append(f"### Notes\n\n{' '.join(found.notes.split())}\n")
    return "\n".join(parts)


def _divergence(judgement: Judgement) -> str:
    agrees = "agrees" if judgement.verifier_agreement else "does not agree on every point"
    sections = (
        ("Agreements", judgement.agreements),
        ("Disagreements", judgement.disagreements),
        ("Missed by the verifier", judgement.verifier_missed),
        ("Missed by the judge", judgement.judge_missed),
    )
    return "\n".join([f"The judge {agrees} with the verifier.\n", *(_list(title, lines) for title, lines in sections)])


def _added(phase: PhaseState, judgement: Judgement) -> str:
    """What the joint judgement holds beyond the first findings."""
    first = phase.reviews.findings
    if first is None:
        return ""
    known = {*first.concerns, *first.independent_evidence, *first.missing_requirements, *first.scope_creep}
    joint = (*judgement.concerns, *judgement.independent_evidence)
    later = [text for text in (*joint, *judgement.missing_requirements, *judgement.scope_creep) if text not in known]
    return f"## Added after the comparison\n\n{bullets(later)}\n" if later else ""


def _list(title: str, lines: Sequence[str]) -> str:
    return f"### {title}\n\n{bullets(lines)}\n"
