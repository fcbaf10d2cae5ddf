"""Over time: scores, cost and time of runs and phases, ratings beside verdicts, failures, the most expensive steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from autopilot.api.page.records import Record, Records
from autopilot.events.state import RunState
from autopilot.model.errors import AutopilotError
from autopilot.reports.html.svg_lines import Point, render_lines, say_count, say_percent, say_score
from autopilot.reports.markdown import how_long
from autopilot.reports.run.metrics import PhaseMetrics, RunMetrics, is_over, run_metrics
from autopilot.reports.run.over_time import count_failures, judge_ratings, sum_costs
from autopilot.reports.status.status_text import money_words

MOST_PLOTTED = 40  # runs, the newest
MOST_ROWS = 12


class PhaseFigure(Struct, frozen=True):
    record: Record
    run: str
    phase: PhaseMetrics


class RepositoryFigure(Struct, frozen=True):
    record: Record
    runs: tuple[RunMetrics, ...]

    @property
    def success_rate(self) -> float:
        attempted = sum(run.phases_attempted for run in self.runs)
        return sum(run.phases_succeeded for run in self.runs) / attempted if attempted else 0.0

    @property
    def tokens(self) -> int:
        return sum(run.total_tokens_used for run in self.runs)

    @property
    def usd(self) -> float:
        return sum(run.total_usd for run in self.runs)

    @property
    def minutes(self) -> float:
        return sum(run.total_duration_minutes for run in self.runs)


def show_figures(records: Records) -> dict[str, Any]:
    """Of all repositories; one whose record cannot be read is left out here, and named on the first page."""
    readable = []
    for record in records:
        try:
            record.history()
        except AutopilotError:
            continue
        readable.append(record)
    return figures_of(readable)


def figures_of(records: Sequence[Record]) -> dict[str, Any]:
    states = [(record, state) for record in records for state in record.history().runs.values()]
    over = [(record, run_metrics(state)) for record, state in states if is_over(state)]
    over.sort(key=lambda pair: pair[1].timestamp)
    phases = [PhaseFigure(record, row.run_id, phase) for record, row in over for phase in row.per_phase_summary]
    phases.sort(key=lambda figure: (-figure.phase.usd, -figure.phase.tokens_used))
    rows = [row for _, row in over]
    runs: list[RunState] = [state for _, state in states]
    by_record = [RepositoryFigure(each, tuple(row for of, row in over if of is each)) for each in records]
    return {
        "plots": plot(rows[-MOST_PLOTTED:]) if len(rows) > 1 else [],
        "ratings": judge_ratings(runs),
        "failures": count_failures(runs)[:MOST_ROWS],
        "steps": sum_costs(costs for record in records for costs in record.costs().values())[:MOST_ROWS],
        "phases": phases[:MOST_ROWS],
        "repositories": sorted((each for each in by_record if each.runs), key=lambda each: -each.usd),
        "total": len(rows),
    }


def plot(rows: Sequence[RunMetrics]) -> list[tuple[str, str]]:
    plots = (
        ("Success rate", [Point(row.run_id, row.success_rate) for row in rows], say_percent, 1.0),
        ("Mean score", [Point(row.run_id, row.avg_alignment_score) for row in rows], say_score, 10.0),
        ("Tokens used", [Point(row.run_id, row.total_tokens_used) for row in rows], say_count, None),
        ("Money", [Point(row.run_id, row.total_usd) for row in rows], lambda usd: money_words(usd, False), None),
        ("Time", [Point(row.run_id, row.total_duration_minutes * 60) for row in rows], how_long, None),
    )
    return [(title, render_lines(title, points, say, top)) for title, points, say, top in plots]
