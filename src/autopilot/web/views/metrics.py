"""Figures over all repositories, for Prometheus."""

from __future__ import annotations

from autopilot import __version__
from autopilot.api.page.records import Record, Records
from autopilot.model.errors import AutopilotError
from autopilot.reports.telemetry.figures import Recorded, render_figures

TYPE = "text/plain; version=0.0.4"


def show_metrics(records: Records) -> str:
    return render_figures(__version__, [_read(record) for record in sorted(records, key=lambda each: each.id)])


def _read(record: Record) -> Recorded:
    """One whose record cannot be read has no figures, and that is one."""
    name = record.repository.path.name
    try:
        runs = tuple(record.history().runs.values())
        return Recorded(name, runs, tuple(record.costs().values()), record.is_driven)
    except AutopilotError:
        return Recorded(name, is_readable=False)
