"""A repository: what waits in it, its runs, and how they go over time."""

from __future__ import annotations

from typing import Any

from autopilot.api.page.records import Record
from autopilot.web.views.figures import figures_of
from autopilot.web.views.inbox import find_requests
from autopilot.web.views.summary import summarise


def show_repository(record: Record) -> dict[str, Any]:
    runs = list(record.history().runs.values())
    return {
        "record": record,
        "requests": list(find_requests(record)) if record.is_there else [],
        "runs": [summarise(record, run) for run in reversed(runs)],
        **figures_of([record]),
    }
