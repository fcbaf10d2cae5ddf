"""SCORECARD.md: what each criterion's score counts as, what it lost and why, and the aggregate computed from them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from autopilot.events.state import PhaseState
from autopilot.model.assessment import Rating, Score
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.planning.criterion import Strength, identity
from autopilot.model.ruling import Band, Deduction
from autopilot.reports.documents.behavioral_traces import trace_table
from autopilot.reports.documents.observation_tables import scripts_of
from autopilot.reports.evidence.criterion_rows import CriterionRow, criterion_rows
from autopilot.reports.markdown import bullets, table

HEAD = ("Criterion", "Score", "Evidence", "Test Results", "Justification")
DEDUCTION_HEAD = ("Criterion", "Weight", "Lost", "Impact on the score", "Why", "File")
BANDS = {
    Band.EXCELLENCE: ("9.5-10.0", "every criterion met with evidence, and nothing to object to"),
    Band.GOOD: ("8.0-9.4", "every criterion met, with minor concerns"),
    Band.ACCEPTABLE: ("7.0-7.9", "most criteria met, with real deficiencies"),
    Band.SIGNIFICANT_GAPS: ("5.0-6.9", "several criteria met only in part"),
    Band.MAJOR_FAILURES: ("3.0-4.9", "several criteria not met"),
    Band.NOT_IMPLEMENTED: ("0.0-2.9", "the work does not reach the goal of the phase"),
}


def render_scorecard(phase: PhaseState, rating: Rating) -> str:
    traces = f"## Behavioral Traces\n\n{trace_table(rating.traces, phase)}" if rating.traces else ""
    parts = [
        f"# Phase {phase.id} Scorecard: {phase.brief.name}\n",
        table(HEAD, _rows(phase, rating)),
        f"**Alignment Score: {phase.reviews.score}/10** ({phase.reviews.band})\n",
        "The aggregate is the mean of the scores above after their caps (below 5.0 where evidence failed or a trace "
        "contradicts, below 7.0 without a file and line or a trace that was asked for, below 9.5 where one example or "
        "another value of the same type would do), weighted where the plan gives weights, below 9.5 as a whole with "
        "side effects, concerns or scope creep, rounded down.\n",
        f"## Deductions\n\n{_deductions(phase)}",
        f"## Test Coverage\n\n{_coverage(phase)}",
        f"## Side effects\n\n{bullets(rating.side_effects)}\n",
        _remarks(rating),
        traces,
        f"## Calibration\n\n{_calibration(phase)}\n",
    ]
    return "\n".join(part for part in parts if part)


def _rows(phase: PhaseState, rating: Rating) -> Iterator[tuple[str, ...]]:
    """One row a criterion of the card; one that was left out counts as nothing and is shown so."""
    counted = {identity(d.criterion): d for d in phase.reviews.deductions}
    rows = {row.criterion.identity: row for row in criterion_rows(phase)}
    carded = set()
    for entry in rating.scorecard:
        known = identity(entry.criterion)
        carded.add(known)
        results = _results(rows.get(known))
        yield entry.criterion, _score(entry, counted.get(known)), entry.evidence, results, entry.justification
    for known, deduction in counted.items():
        if known not in carded:
            results = _results(rows.get(known))
            yield deduction.criterion, _tenths(deduction.score), "", results, deduction.why


def _score(entry: Score, deduction: Deduction | None) -> str:
    """What it counts as; the rater's own number beside it where a cap lowered it."""
    if deduction is None or _tenths(deduction.score) == _tenths(entry.score):
        return _tenths(entry.score)
    return f"{_tenths(deduction.score)} (rated {_tenths(entry.score)})"


def _tenths(score: float) -> str:
    """Rounded down, as every score here."""
    return f"{math.floor(Fraction(str(score)) * 10) / 10:.1f}" if math.isfinite(score) else "0.0"


def _results(row: CriterionRow | None) -> str:
    if row is None or row.verdict is None:
        return "not checked"
    outcome = row.verdict.outcome.value
    return f"{outcome} (test script)" if row.strength is Strength.SCRIPT else outcome


def _deductions(phase: PhaseState) -> str:
    weights = {row.criterion.identity: row.criterion.weight for row in criterion_rows(phase)}
    rows = [
        (
            d.criterion,
            f"{weights.get(identity(d.criterion), 1.0):g}",
            _tenths(d.lost),
            f"{d.impact:.2f}",
            d.why,
            d.file,
        )
        for d in phase.reviews.deductions
    ]
    return table(DEDUCTION_HEAD, rows) if rows else "None.\n"


def _coverage(phase: PhaseState) -> str:
    tasks = [state.task for state in phase.planned]
    scripts = scripts_of(phase)
    lines = [passed for script in scripts.values() for _, passed in script.lines]
    grep_only = [task.id for task in tasks if task.id not in scripts and task.is_only_searched]
    covered = [
        f"Tasks with a test script: {sum(task.id in scripts for task in tasks)}/{len(tasks)}",
        f"Assertions passed: {sum(lines)}/{len(lines)}",
        f"Tasks with grep-based evidence only: {', '.join(grep_only) or 'none'}",
    ]
    return bullets(covered) + "\n"


def _remarks(rating: Rating) -> str:
    """The rater's own words: an opinion beside the computed score, never instead of it."""
    remarks = [*rating.concerns, *(f"scope creep: {item}" for item in rating.scope_creep)]
    remarks += [f"on the whole: {rating.aggregate_justification}"] if rating.aggregate_justification.strip() else []
    return f"## The rater's remarks\n\n{bullets(remarks)}\n" if remarks else ""


def _calibration(phase: PhaseState) -> str:
    span, meaning = BANDS.get(phase.reviews.band, ("", ""))
    if not span or phase.reviews.score is None:
        return "No band."
    failed = sum(v.outcome is not Outcome.PASS for v in phase.gate.verdicts)
    held = f" {failed} of {len(phase.gate.verdicts)} checks failed or are unproven." if failed else ""
    return f"{phase.reviews.score}/10 lies in the band `{phase.reviews.band}` ({span}): {meaning}.{held}"
