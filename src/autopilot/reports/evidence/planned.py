"""How the plan of a phase says that each thing asked for is to be shown: one row each, before anything is judged."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from autopilot.events.accounts import checks_for, person_for, promises_of
from autopilot.events.state import PhaseState
from autopilot.model.planning.promise import Promise, Source
from autopilot.reports.evidence.promised import PromiseRow, is_judged
from autopilot.reports.markdown import one_line, shorten

NOTHING_JUDGED = "nothing is judged yet: this is how the plan says that each is to be shown"
LONGEST = 100  # characters of what is asked for, on a line


def planned_rows(phase: PhaseState) -> tuple[PromiseRow, ...]:
    """None before its plan is approved."""
    return tuple(_row(phase, promise) for promise in promises_of(phase)) if phase.plan.approved else ()


def _row(phase: PhaseState, promise: Promise) -> PromiseRow:
    status, by, because = _prospect(phase, promise)
    return PromiseRow(promise.name, promise.text, promise.source.value, status, by, because)


def _prospect(phase: PhaseState, promise: Promise) -> tuple[str, tuple[str, ...], str]:
    if why := person_for(phase, promise):
        return "to be seen", (), why
    if checks := checks_for(phase, promise):
        return "to be proven", checks, ""
    if promise.source is Source.REQUIREMENT:
        return "not checked", (), "the plan traces it to no check"
    why = next((row.reviewer for row in phase.plan.answers if row.name == promise.name and row.reviewer), "")
    return "to be judged", (), why


def planned_lines(phase: PhaseState) -> Iterator[str]:
    """For the screen: what the roadmap and the plan ask for."""
    return (_line(row) for row in planned_rows(phase) if row.source != Source.REQUIREMENT.value)


def _line(row: PromiseRow) -> str:
    by = f" by {', '.join(row.by)}" if row.by else ""
    return f"{row.name} {shorten(one_line(row.text), LONGEST)}: {row.status_words}{by}"


def planned_document(phase: PhaseState) -> dict[str, Any]:
    """For programs, and for `status`: the same rows, as long as none is judged."""
    rows = () if is_judged(phase) else planned_rows(phase)
    return {
        "planned": [msgspec.to_builtins(row) for row in rows],
        "planned_lines": [_line(row) for row in rows if row.source != Source.REQUIREMENT.value],
    }
