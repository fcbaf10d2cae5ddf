"""The status document: everything a reading command may want to show of a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autopilot.events.state import RunState
from autopilot.reports.markdown import stamp
from autopilot.reports.run.ways_on import lines_to_continue
from autopilot.reports.status.brief import stop_words
from autopilot.reports.status.caught import find_caught
from autopilot.reports.status.gates import Waiting, find_waiting, resume_command
from autopilot.reports.status.remedy import remedy_lines


def status_document(state: RunState, document: Mapping[str, Any], landing: str) -> dict[str, Any]:
    """What ``status --json`` prints: the state without its event log, and what the user can do next."""
    wait = state.availability.wait
    return {
        **{key: value for key, value in document.items() if key != "event_log"},
        "warnings": list(state.totals.warnings),
        "landing": landing,
        "reason": stop_words(state),
        "remedies": remedy_lines(state) if state.halted else [],
        "next": [line.strip() for line in lines_to_continue(state)] if state.halted else [],
        "resume": resume_command(state),
        "for_you": [_waiting(waiting) for waiting in find_waiting(state)],
        "waiting": {"until": stamp(wait.until), "because": wait.because} if wait else None,
        "caught": [{"phase": phase, "task": task, "because": reason} for phase, task, reason in find_caught(state)],
    }


def _waiting(waiting: Waiting) -> dict[str, Any]:
    return {
        "kind": waiting.kind,
        "name": waiting.name,
        "title": waiting.title,
        "since": stamp(waiting.since) or None,
        "command": waiting.command,
        "look": waiting.look or None,
    }
