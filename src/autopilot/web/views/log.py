"""The event log of a run, page by page, with filters."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from autopilot.api.evidence.phase_evidence import find_run
from autopilot.api.page.records import Record
from autopilot.reports.event_log.log import event_log

ROWS = 200  # on one page


def show_log(record: Record, run: str, query: Mapping[str, str]) -> dict[str, Any]:
    """The newest first. ``query``: what the reader filters by, and the page."""
    find_run(record.history().runs, run)
    rows = event_log(record.entries(run))
    phase, event, words = query.get("phase", ""), query.get("event", ""), query.get("words", "").casefold()
    chosen = [
        (place, row, details)
        for place, row in enumerate(rows, 1)
        if (not phase or row["phase"] == phase)
        and (not event or row["event"] == event)
        and (words in (details := json.dumps(row["details"], ensure_ascii=False)).casefold() or words in row["event"])
    ]
    chosen.reverse()
    page = max(1, int(query["page"])) if query.get("page", "").isdecimal() else 1
    pages = max(1, -(-len(chosen) // ROWS))
    page = min(page, pages)
    return {
        "record": record,
        "run": run,
        "rows": chosen[(page - 1) * ROWS : page * ROWS],
        "total": len(rows),
        "found": len(chosen),
        "page": page,
        "pages": pages,
        "phases": sorted({row["phase"] for row in rows if row["phase"]}, key=str),
        "events": sorted({row["event"] for row in rows}),
        "phase": phase,
        "event": event,
        "words": query.get("words", ""),
    }
