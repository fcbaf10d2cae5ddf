"""A run that is over, in a few lines: how many phases, how well, how long, and where to read more."""

from __future__ import annotations

from autopilot.events.state import RunState
from autopilot.model.audit import NO_VERSION_FILE
from autopilot.model.run import PhaseStatus
from autopilot.reports.markdown import how_long, seconds
from autopilot.reports.run.audit import audit_summary
from autopilot.reports.run.metrics import RunMetrics, count, is_over, run_metrics
from autopilot.reports.run.trend import Trend
from autopilot.reports.status.brief import brief
from autopilot.reports.status.files import HTML, completion_path
from autopilot.reports.status.scores import in_words, score_of
from autopilot.text.naming import plural

NO_REPORT = "its files could not be written; `autopilot report` prints it"


def refinement_results(state: RunState) -> list[str]:
    """What `--quality` and `--gaps` did not get to; none of it is a failure."""
    phases = state.phases.values()
    lines = [
        f"  phase {phase.id}: {flag}_exhausted at {in_words(score_of(state, phase))}"
        for phase in phases
        for flag in phase.remediation.exhausted
    ]
    return [
        *lines,
        *(
            f"  phase {p.id}: a refinement was withdrawn: {brief(p.remediation.withdrawn)}"
            for p in phases
            if p.remediation.withdrawn
        ),
    ]


def announcement(state: RunState, trend: Trend | None, *, has_report: bool = True) -> list[str]:
    """The run in figures, once it is over; a pause has nothing to announce. ``has_report``: it could be written."""
    if not is_over(state):
        return []
    figures = run_metrics(state)
    worked = how_long(seconds(state.started_at, state.now) - state.totals.rested_s)
    lines = [
        f"  Phases: {_counts(state, figures)}",
        f"  Average score: {in_words(figures.avg_alignment_score)}; working time: {worked}",
    ]
    if state.completion.release is not None and state.completion.release.new:
        lines.append(f"  Version: {state.completion.release.old} -> {state.completion.release.new}")
    elif state.completion.release is not None and state.completion.release.because != NO_VERSION_FILE:
        lines.append(f"  Version: unchanged, {brief(state.completion.release.because)}")
    if (audit := audit_summary(state)) is not None:
        checked, found = audit["total_requirements_checked"], audit["gaps_found"]
        audited = f"{plural(checked, 'requirement')} checked, {plural(found, 'gap')} found"
        lines.append(f"  Self-audit: {audited}, {audit['gaps_fixed']} fixed, {audit['gaps_remaining']} remaining")
    lines += _still_missing(state)
    written = f"{completion_path(state.now)}, {HTML}" if has_report else NO_REPORT
    lines.append(f"  Report: {written}")
    return [*lines, f"  Warning: {trend.warning}"] if trend and trend.warning else lines


def _counts(state: RunState, figures: RunMetrics) -> str:
    """What came of each phase; a count that is 0 is left out."""
    others = {
        "failed": figures.phases_failed,
        "left to you": figures.phases_human_deferred,
        "not started": count(state.phases.values(), PhaseStatus.NOT_STARTED),
        "skipped": figures.phases_skipped,
    }
    shown = (f"{number} {word}" for word, number in others.items() if number)
    return " | ".join((f"{figures.phases_succeeded} of {len(state.phases)} succeeded", *shown))


def _still_missing(state: RunState) -> list[str]:
    """Gaps are shown even if the run is complete: each phase passed its own gate, but the spec is not met in full."""
    ended = state.completion.audit.ended
    if ended is None:
        return []
    lines = [f"  gap still open: {gap.requirement}, {brief(gap.description)}" for gap in ended.remaining]
    lines += [f"  not audited: {', '.join(ended.unaudited)}"] if ended.unaudited else []
    return lines + ([f"  the self-audit did not finish: {brief(ended.problem)}"] if ended.problem else [])
