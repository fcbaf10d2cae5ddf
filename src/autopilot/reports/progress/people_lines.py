"""Progress of what passes between a run and its user: questions and answers, the context map, a discussion."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from autopilot.events.people import (
    AreasFound,
    ContextMapped,
    Discussed,
    FollowedUp,
    HumanAnswered,
    HumanAsked,
    MappingEnded,
    MappingStarted,
)
from autopilot.events.state import RunState
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.planning.sufficiency import Sufficiency
from autopilot.reports.documents.context_md import NAME
from autopilot.reports.markdown import shorten
from autopilot.reports.status.brief import brief
from autopilot.reports.status.files import CONTEXT_MAP, DISCUSSIONS
from autopilot.reports.status.gates import answer_command
from autopilot.text.naming import plural

GATES = (HumanAsked, HumanAnswered)
MAPPING = (MappingStarted, ContextMapped, MappingEnded)
TALK = (AreasFound, FollowedUp, Discussed)
SHOWN_CHARS = 120


def gate_lines(event: HumanAsked | HumanAnswered, state: RunState) -> Iterator[str]:
    prefix = f"[Gate {event.gate}]"
    match event:
        case HumanAsked(kind=kind, title=title):
            yield f"{prefix} {shorten(title, SHOWN_CHARS)} -- `{answer_command(kind, event.gate)}`"
        case HumanAnswered(by=by):
            yield f"{prefix} {_answered(event, state)}, by {by}"
            for ideas in event.deferred.values():
                yield from deferred_lines(prefix, ideas)


def _answered(event: HumanAnswered, state: RunState) -> str:
    if event.approved is not None:
        why = f" ({shorten(event.comment, SHOWN_CHARS)})" if event.comment else ""
        return f"{'approved' if event.approved else 'rejected'}{why}"
    gate = state.people.gates.get(event.gate)
    asked = len(gate.asked.questions) if gate else len(event.answers)
    more = f"; more about {', '.join(event.more)}" if event.more else ""
    return f"{sum(bool(text) for text in event.answers.values())}/{asked} answered{more}"


def deferred_lines(prefix: str, ideas: Iterable[str]) -> Iterator[str]:
    for idea in ideas:
        capability = f"{shorten(idea, SHOWN_CHARS)} sounds like a new capability"
        yield f"{prefix} {capability}: it belongs in a phase of its own and is recorded under Deferred Ideas"


def mapping_lines(event: MappingStarted | ContextMapped | MappingEnded, state: RunState) -> Iterator[str]:
    match event:
        case MappingStarted(phases=phases):
            yield f"Context map: {plural(len(phases), 'phase')} ({', '.join(phases)})"
        case ContextMapped(phase=phase, sufficiency=known, questions=questions, problem=problem):
            yield sufficiency_line(phase, known)
            if questions:
                yield f"[Phase {phase}] {plural(len(questions), 'question')} for you: {known.reason}"
            if problem:
                yield f"[Phase {phase}] warning: no questions could be generated: {brief(problem)}"
        case MappingEnded(after=after, questions=count, answered=answered):
            for phase, known in after.items():
                before = state.people.mapping[phase].before
                if known.score != before.score:
                    yield f"Phase {phase}: context {before.score}/10 -> {known.score}/10"
            if count:
                yield f"Context map: {answered} of {plural(count, 'question')} answered, kept in {CONTEXT_MAP}"


def sufficiency_line(phase: PhaseId, known: Sufficiency) -> str:
    parts = f"criteria {known.criteria:g}, requirements {known.requirements:g}, documents {known.docs:g}"
    return f"Phase {phase}: context {known.score}/10 (of 10 each: {parts}, dependencies {known.dependencies:g})"


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
            yield from deferred_lines(prefix, (idea.idea for idea in event.deferred))
            about = ", ".join(dict.fromkeys(question.area for question in questions))
            yield f"{prefix} Discussion: {plural(len(questions), 'more question')} about {about} (round {number})"
        case Discussed(decisions=decisions, deferred=deferred):
            yield from deferred_lines(prefix, (idea.idea for idea in deferred))
            count = plural(sum(len(area.decisions) for area in decisions), "decision")
            answers = len(state.people.discussions[event.phase].answers)
            written = f"{NAME} and {DISCUSSIONS}" if answers else NAME
            yield f"{prefix} Discussion: {count} from {plural(answers, 'answer')}, kept in {written}"
