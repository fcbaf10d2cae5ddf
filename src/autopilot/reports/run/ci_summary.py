"""A run in a few lines of Markdown, for the summary page of a CI job."""

from __future__ import annotations

from autopilot.events.state import PhaseState, RunState
from autopilot.model.run import PhaseStatus
from autopilot.reports.evidence.promised import ratio_words, run_standing
from autopilot.reports.evidence.unchecked import unchecked_in_run
from autopilot.reports.inert import make_inert
from autopilot.reports.markdown import bullets, how_long, seconds, shorten, table
from autopilot.reports.run.audit import audit_summary
from autopilot.reports.run.batch import notes_of
from autopilot.reports.run.metrics import run_metrics
from autopilot.reports.run.trend import Trend
from autopilot.reports.run.ways_on import next_lines
from autopilot.reports.status.brief import stop_words
from autopilot.reports.status.scores import in_words, score_of
from autopilot.reports.status.status_text import money_words

MARKS = {
    PhaseStatus.COMPLETED: "✅",
    PhaseStatus.FAILED: "❌",
    PhaseStatus.SKIPPED: "⏭️",
    PhaseStatus.NEEDS_HUMAN_VERIFICATION: "🙋",
}


def render_ci_summary(state: RunState, trend: Trend | None) -> str:
    figures, used = run_metrics(state), state.totals.usage
    standing = run_standing(state)
    lines = [
        *([standing] if standing else []),
        f"{figures.phases_succeeded}/{figures.phases_attempted} phases succeeded, {figures.phases_failed} failed, "
        f"{figures.phases_skipped} skipped; mean score {in_words(figures.avg_alignment_score)}",
        f"{how_long(seconds(state.started_at, state.now))}, {used.tokens:,} tokens, "
        f"{money_words(used.usd, used.usd_is_estimate)}",
    ]
    if (audit := audit_summary(state)) is not None:
        lines.append(f"self-audit: {audit['gaps_remaining']} of {audit['gaps_found']} gaps remaining")
    if state.completion.release is not None and state.completion.release.new:
        lines.append(f"version {state.completion.release.old} -> {state.completion.release.new}")
    if trend is not None and trend.warning:
        lines.append(f"**{trend.warning}**")
    parts = [
        f"## Autopilot: {state.status.value}\n",
        f"{shorten(stop_words(state) or 'still running', 300)}\n",
        bullets(lines) + "\n",
        table(("Phase", "", "Proven", "Score", "Notes"), (_row(state, phase) for phase in state.phases.values())),
        f"{bullets(next_lines(state))}\n",
        f"### Not checked\n\n{bullets(unchecked_in_run(state))}\n",
    ]
    return make_inert("\n".join(parts))


def _row(state: RunState, phase: PhaseState) -> tuple[str, ...]:
    return (
        f"{phase.id} {phase.brief.name}",
        f"{MARKS.get(phase.status, '')} {phase.status.value}".strip(),
        ratio_words(phase).replace(" proven", "", 1),
        in_words(score_of(state, phase)),
        notes_of(state, phase),
    )
