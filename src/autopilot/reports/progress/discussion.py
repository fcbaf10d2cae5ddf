"""Progress of a talk: what there is to talk about, what else is asked, what came of it."""

from __future__ import annotations

from collections.abc import Iterator

from autopilot.events.people import AreasFound, Discussed, FollowedUp
from autopilot.events.state import RunState
from autopilot.reports.documents.context_md import NAME
from autopilot.reports.markdown import plural, shorten
from autopilot.reports.status.files import DISCUSSIONS

TALK = (AreasFound, FollowedUp, Discussed)
SHOWN_CHARS = 120


def talk_lines(event: AreasFound | FollowedUp | Discussed, state: RunState) -> Iterator[str]:
    prefix = f"[Phase {event.phase}]"
    match event:
        case AreasFound(areas=()):
            yield f"{prefix} Discussion: none"  # the warning before it says why
        case AreasFound(domain=domain, areas=areas):
            kind = f" ({domain})" if domain else ""
            yield f"{prefix} Discussion{kind}: {plural(len(areas), 'area')} to choose from"
            for number, area in enumerate(areas, 1):
                yield f"{prefix}   {number}. {area.area}"
        case FollowedUp(round=number, questions=questions):
            about = ", ".join(dict.fromkeys(question.area for question in questions))
            yield f"{prefix} Discussion: {plural(len(questions), 'more question')} about {about} (round {number})"
        case Discussed(decisions=decisions, deferred=deferred):
            for idea in deferred:
                capability = f"{shorten(idea.idea, SHOWN_CHARS)} sounds like a new capability"
                yield f"{prefix} {capability}: it belongs in a phase of its own and is recorded under Deferred Ideas"
            count = plural(sum(len(area.decisions) for area in decisions), "decision")
            answers = len(state.people.discussions[event.phase].answers)
            written = f"{NAME} and {DISCUSSIONS}" if answers else NAME
            yield f"{prefix} Discussion: {count} from {plural(answers, 'answer')}, kept in {written}"
