"""A repository: its runs, and how they go over time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from autopilot.api.page.records import Record
from autopilot.reports.html.svg_lines import Point, render_lines, say_count, say_percent, say_score
from autopilot.reports.run.metrics import RunMetrics, failure_histogram, is_over, run_metrics
from autopilot.web.views.inbox import find_requests
from autopilot.web.views.summary import summarise

MOST_PLOTTED = 40  # runs, the newest
MOST_KINDS = 8


def show_repository(record: Record) -> dict[str, Any]:
    runs = list(record.history().runs.values())
    rows = [run_metrics(run) for run in runs if is_over(run) and run.issue is None][-MOST_PLOTTED:]
    failures: Counter[str] = Counter()
    for run in runs:
        failures.update(failure_histogram(run))
    return {
        "record": record,
        "requests": list(find_requests(record)) if record.is_there else [],
        "runs": [summarise(record, run) for run in reversed(runs)],
        "plots": plot(rows) if len(rows) > 1 else [],
        "failures": failures.most_common(MOST_KINDS),
    }


def plot(rows: Sequence[RunMetrics]) -> list[tuple[str, str]]:
    plots = (
        ("Success rate", [Point(row.run_id, row.success_rate) for row in rows], say_percent, 1.0),
        ("Mean score", [Point(row.run_id, row.avg_alignment_score) for row in rows], say_score, 10.0),
        ("Tokens used", [Point(row.run_id, row.total_tokens_used) for row in rows], say_count, None),
    )
    return [(title, render_lines(title, points, say, top)) for title, points, say, top in plots]
