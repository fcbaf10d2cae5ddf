"""Progress of what passes between a run and its user: a question, and what became of it."""

from __future__ import annotations

from collections.abc import Iterator

from autopilot.events.people import HumanAnswered, HumanAsked
from autopilot.events.state import RunState
from autopilot.reports.markdown import shorten
from autopilot.reports.status.gates import answer_command

GATES = (HumanAsked, HumanAnswered)
SHOWN_CHARS = 120


def gate_lines(event: HumanAsked | HumanAnswered, state: RunState) -> Iterator[str]:
    prefix = f"[Gate {event.gate}]"
    match event:
        case HumanAsked(kind=kind, title=title):
            yield f"{prefix} {shorten(title, SHOWN_CHARS)} -- `{answer_command(kind, event.gate)}`"
        case HumanAnswered(by=by):
            yield f"{prefix} {_answered(event, state)}, by {by}"


def _answered(event: HumanAnswered, state: RunState) -> str:
    if event.approved is not None:
        why = f" ({shorten(event.comment, SHOWN_CHARS)})" if event.comment else ""
        return f"{'approved' if event.approved else 'rejected'}{why}"
    gate = state.people.gates.get(event.gate)
    asked = len(gate.asked.questions) if gate else len(event.answers)
    more = f"; more about {', '.join(event.more)}" if event.more else ""
    return f"{sum(bool(text) for text in event.answers.values())}/{asked} answered{more}"
