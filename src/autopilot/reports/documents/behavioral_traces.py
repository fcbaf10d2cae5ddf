"""Behavioral traces: handlers followed from their trigger to what they finally do, as a table."""

from __future__ import annotations

from collections.abc import Sequence

from autopilot.events.state import PhaseState
from autopilot.model.assessment import Trace, Traced
from autopilot.model.evidence.verdict import Outcome
from autopilot.reports.evidence.criterion_rows import outcome_named
from autopilot.reports.markdown import table

TRACE_HEAD = ("Handler", "File:Line", "Chain", "Terminal Action", "Criterion Match", "Status")
STATUS = {
    Traced.VERIFIED: "VERIFIED",
    Traced.CONTRADICTED: "CONTRADICTED",
    Traced.UNVERIFIABLE: "BEHAVIORAL_UNVERIFIABLE",
}


def trace_table(traces: Sequence[Trace], phase: PhaseState) -> str:
    """A trace that says more than what was seen of its criterion shows both."""
    if not traces:
        return "No handler was traced.\n"
    followed = sum(trace.status is not Traced.UNVERIFIABLE for trace in traces)
    rows = [_row(trace, outcome_named(phase, trace.criterion)) for trace in traces]
    return table(TRACE_HEAD, rows) + f"\n{followed} of {len(traces)} traced to the end.\n"


def _row(trace: Trace, outcome: Outcome | None) -> tuple[str, ...]:
    place, named = _parted(trace.trigger)
    denied = trace.status is Traced.VERIFIED and outcome is not None and outcome is not Outcome.PASS
    status = STATUS[trace.status] + (f" (observed: {outcome.value})" if denied and outcome else "")
    return named or place, place, " -> ".join(trace.calls), trace.terminal_action, trace.criterion, status


def _parted(trigger: str) -> tuple[str, str]:
    """ "a.ts:42 -- handleJoin" as its place and its name."""
    place, _, named = trigger.partition("--")
    return place.strip(), named.strip()
