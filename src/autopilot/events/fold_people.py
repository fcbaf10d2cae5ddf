"""How questions, answers and discussions change the state of the run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import assert_never

from msgspec.structs import replace

from autopilot.events import people as e
from autopilot.events.state import RunState
from autopilot.events.talk import Answered, Discussion, HumanGate, IdeaDeferred, Mapped
from autopilot.model.human import GateKind, HumanQuestion
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.proposal import DeferredIdea


def fold_people(state: RunState, event: e.PeopleRunEvent) -> RunState:
    match event:
        case e.FlagsRefused() | e.RecordCarried():
            return state
        case e.PauseRequested(by):
            return replace(state, session=replace(state.session, pause_wanted_by=by))
        case e.MappingStarted():
            return replace(state, people=replace(state.people, mapping_begun=True))
        case e.PhasePassedOver():
            return replace(state, inputs=replace(state.inputs, passed_over=(*state.inputs.passed_over, event)))
        case e.HumanAsked(gate=name):
            asked = _with_gate(state, name, HumanGate(event, state.now))
            return _without_pending(asked, event)
        case e.HumanAnswered(gate=name):
            gate = state.people.gates.get(name)
            if gate is None or gate.answered is not None:
                return state  # the first answer counts
            closed = replace(gate, answered=event, answered_at=state.now)
            answered = _fold_answer(_with_gate(state, name, closed), closed, event)
            return defer_ideas(answered, _deferred_in(closed.asked, event))
        case e.MappingEnded(after=after):
            rated = {phase: replace(mapped, after=after.get(phase)) for phase, mapped in state.people.mapping.items()}
            return replace(state, people=replace(state.people, mapping=rated, mapped=True))
        case _:
            assert_never(event)


def fold_talk(state: RunState, event: e.TalkEvent) -> RunState:
    match event:
        case e.ContextMapped(phase=phase, sufficiency=before, questions=questions, problem=problem):
            mapped = Mapped(before, state.now, questions, problem=problem)
            return replace(state, people=replace(state.people, mapping={**state.people.mapping, phase: mapped}))
        case e.AreasFound(phase=phase, domain=domain, description=description, areas=areas):
            # Nothing to discuss: the discussion is over before it began.
            discussion = Discussion(domain, description, areas, state.now, done=not areas)
            return _with_discussion(state, phase, discussion)
        case e.FollowedUp(phase=phase, round=number, questions=questions):
            discussion = replace(state.people.discussions[phase], rounds=number, pending=questions, more=())
            discussion = replace(discussion, deferred=(*discussion.deferred, *event.deferred))
            return defer_ideas(_with_discussion(state, phase, discussion), _of_phase(phase, event.deferred))
        case e.Discussed(phase=phase):
            discussion = replace(
                state.people.discussions[phase],
                decisions=event.decisions,
                discretion=event.discretion,
                ideas=event.ideas,
                deferred=event.deferred,
                document=event.document,
                done=True,
            )
            return defer_ideas(_with_discussion(state, phase, discussion), _of_phase(phase, event.deferred))
        case _:
            assert_never(event)


def _fold_answer(state: RunState, gate: HumanGate, answered: e.HumanAnswered) -> RunState:
    match gate.asked.kind:
        case GateKind.CHECKPOINT | GateKind.ROUTE | GateKind.REQUIREMENTS | GateKind.DESIGN | GateKind.CAUSE:
            return state  # what follows from it is decided by the flow
        case GateKind.MAP:
            return _map_answered(state, answered)
        case GateKind.AREAS:
            return _areas_picked(state, gate, answered)
        case GateKind.DISCUSS:
            return _discussed(state, gate, answered)
        case _:
            assert_never(gate.asked.kind)


def _map_answered(state: RunState, answered: e.HumanAnswered) -> RunState:
    mapping = {
        phase: replace(mapped, answers={**mapped.answers, **_answers(mapped.questions, answered, state.now)})
        for phase, mapped in state.people.mapping.items()
    }
    return replace(state, people=replace(state.people, mapping=mapping))


def _areas_picked(state: RunState, gate: HumanGate, answered: e.HumanAnswered) -> RunState:
    """The answer is numbers, "all" or "none"; the command that recorded it has checked that."""
    phase = gate.asked.phase
    assert phase is not None, "areas are those of a phase"
    discussion = state.people.discussions[phase]
    picked = pick_areas(next(iter(answered.answers.values()), "none"), len(discussion.areas)) or ()
    names = tuple(discussion.areas[number - 1].area for number in picked)
    chosen = replace(discussion, picked=names, done=not names)
    return _with_discussion(state, phase, chosen)


def _discussed(state: RunState, gate: HumanGate, answered: e.HumanAnswered) -> RunState:
    phase = gate.asked.phase
    assert phase is not None, "a discussion is about a phase"
    discussion = state.people.discussions[phase]
    answers = (*discussion.answers, *_answers(gate.asked.questions, answered, state.now).values())
    ideas = tuple(DeferredIdea(found.idea, found.quote) for found in _deferred_in(gate.asked, answered))
    deferred = (*discussion.deferred, *ideas)
    discussed = replace(discussion, answers=answers, more=answered.more, deferred=deferred)
    return _with_discussion(state, phase, discussed)


def defer_ideas(state: RunState, ideas: Iterable[IdeaDeferred]) -> RunState:
    """One that is known already is not kept twice: what came up in an answer comes up again when it is summed up."""
    known = dict.fromkeys((*state.people.ideas, *ideas))
    return replace(state, people=replace(state.people, ideas=tuple(known)))


def _deferred_in(asked: e.HumanAsked, answered: e.HumanAnswered) -> Iterator[IdeaDeferred]:
    phases = {question.id: PhaseId(question.phase) if question.phase else None for question in asked.questions}
    for question, ideas in answered.deferred.items():
        phase = phases.get(question) or asked.phase
        yield from (IdeaDeferred(idea, idea, phase) for idea in ideas)


def _of_phase(phase: PhaseId, ideas: Iterable[DeferredIdea]) -> Iterator[IdeaDeferred]:
    return (IdeaDeferred(idea.idea, idea.quote, phase) for idea in ideas)


def _without_pending(state: RunState, event: e.HumanAsked) -> RunState:
    if event.kind is not GateKind.DISCUSS or event.phase is None:
        return state
    discussion = replace(state.people.discussions[event.phase], pending=())
    return _with_discussion(state, event.phase, discussion)


def _with_gate(state: RunState, name: str, gate: HumanGate) -> RunState:
    return replace(state, people=replace(state.people, gates={**state.people.gates, name: gate}))


def _with_discussion(state: RunState, phase: PhaseId, discussion: Discussion) -> RunState:
    discussions = {**state.people.discussions, phase: discussion}
    return replace(state, people=replace(state.people, discussions=discussions))


def _answers(questions: tuple[HumanQuestion, ...], answered: e.HumanAnswered, time: datetime) -> dict[str, Answered]:
    """The answers that hold text; a question without one stays open."""
    texts = {q.id: (q, answered.answers.get(q.id, "").strip()) for q in questions}
    return {id: Answered(question, text, time) for id, (question, text) in texts.items() if text}


def pick_areas(text: str, count: int) -> tuple[int, ...] | None:
    """Numbers from "1, 3", "1-3", "all" or "none"; None when it is none of these."""
    word = text.strip().lower()
    if word in ("all", "none", ""):
        return tuple(range(1, count + 1)) if word == "all" else ()
    parts = word.replace(",", " ").split()
    numbers = {str(number) for number in range(1, count + 1)}
    ends = [part.partition("-")[::2] if "-" in part else (part, part) for part in parts]
    if not all(first in numbers and last in numbers for first, last in ends):
        return None
    return tuple(sorted({number for first, last in ends for number in range(int(first), int(last) + 1)}))
