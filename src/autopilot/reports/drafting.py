"""A draft of a roadmap as its user reads it: what came of each round, and the ways on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

from autopilot.events.drafting import happened as d
from autopilot.events.drafting.state import DraftState
from autopilot.events.state import RunState
from autopilot.reports.markdown import one_line
from autopilot.text.naming import plural

DRAFT = get_args(d.DraftEvent)
SEE, ACCEPT, DISCARD = "autopilot plan", "autopilot plan --accept", "autopilot plan --discard"


def name_of(draft: DraftState) -> str:
    """By which its user says that he has seen it."""
    return draft.commit[:12]


def subject_of(draft: DraftState) -> str:
    return f"{'further phases of ' if draft.brief.further else ''}{draft.brief.path}"


def draft_lines(event: object) -> Iterator[str]:
    match event:
        case d.Drafted(round=number, complaints=complaints) if complaints:
            yield f"Draft {number}: refused, {plural(len(complaints), 'complaint')}"
            yield from (f"  {complaint}" for complaint in complaints)
        case d.Drafted(round=number):
            yield f"Draft {number}: it holds by rule, and waits for you"
        case d.DraftSettled(accepted=accepted, by=by):
            yield f"the draft was {'written' if accepted else 'dropped'} by {by}"


def draft_ending(draft: DraftState) -> Iterator[str]:
    last = draft.last
    if last is None:
        return
    yield from (f"  the planner says: {one_line(concern)}" for concern in last.concerns[:10])
    yield from (f"  refused: {one_line(complaint)}" for complaint in last.complaints)
    if last.left_out:
        yield f"  left out, as only the roadmap is taken: {', '.join(map(one_line, last.left_out[:5]))}"


def ways_on(draft: DraftState) -> list[str]:
    """Not how to write it: the name that this takes stands below the shown draft alone, so none is written unseen."""
    if draft.settled is not None:
        return []
    shown = "to see it, and to write it" if draft.is_ready else "to see the last draft"
    return [f"  {shown}: `{SEE}`; to drop it: `{DISCARD}`"]


def way_to_accept(draft: DraftState) -> list[str]:
    """For who has the draft before him."""
    return [f"  to write it: `{ACCEPT} {name_of(draft)}`; to drop it: `{DISCARD}`"] if draft.is_ready else []


def draft_document(run: RunState, text: str, diff: list[str]) -> dict[str, Any]:
    draft = run.drafting
    assert draft is not None, "the run is one that drafts"
    return {
        "run": run.run,
        "draft": name_of(draft),
        "ready": draft.is_ready,
        "path": draft.brief.path,
        "wanted": draft.brief.text,
        "rounds": len(draft.rounds),
        "complaints": list(draft.complaints),
        "concerns": list(draft.last.concerns) if draft.last else [],
        "diff": diff,
        "text": text,
    }
