"""SCORECARD.md: the rater's scores, and the aggregate computed from them."""

from __future__ import annotations

from autopilot.events.state import PhaseState
from autopilot.model.assessment import Rating
from autopilot.reports.markdown import bullets, table
from autopilot.reports.verification import criteria_of


def render_scorecard(phase: PhaseState, rating: Rating) -> str:
    verdicts = {v.subject: v for v in phase.verdicts}
    by_text = {c.text: verdicts.get(c.id) for c in criteria_of(phase)}
    rows = []
    for entry in rating.scorecard:
        verdict = by_text.get(entry.criterion)
        observed = verdict.outcome.value if verdict else "not checked"
        rows.append((entry.criterion, f"{entry.score:.1f}", entry.evidence, observed, entry.justification))
    parts = [
        f"# Phase {phase.id} Scorecard: {phase.brief.name}\n",
        table(("Criterion", "Score", "Evidence", "Test Results", "Justification"), rows),
        f"**Alignment Score: {phase.score}/10** ({phase.band})\n",
        "The aggregate is the mean of the scores above after their caps (below 5.0 where the evidence failed, below "
        "7.0 without a file and line, below 9.5 with side effects), rounded down.\n",
        f"## Side effects\n\n{bullets(rating.side_effects)}\n",
    ]
    return "\n".join(parts)
