"""A discussion with the user about one phase, as text for a terminal or a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autopilot.events.state import RunState
from autopilot.events.talk import Discussion, HumanGate
from autopilot.model.human import DEFER, GateKind, HumanQuestion
from autopilot.model.planning.roadmap import PhaseId
from autopilot.reports.markdown import one_line

DOMAIN_WORDS = {
    "SEE": "something people see",
    "CALL": "something programs call",
    "RUN": "something people run",
    "READ": "something people read",
    "ORGANIZE": "something is put in order",
}
HOW_TO_PICK = 'Answer with numbers ("1, 3"), "all" or "none".'
HOW_TO_DEFER = f"A line `{DEFER}: …` of an answer notes an idea for another phase; it does not widen this one."
HOW_TO_ANSWER = (
    'Answer any of the questions. One without an answer stays open; "you decide" lets Autopilot choose.\n'
    'For more questions about an area, answer "more" and its number: "more 1".'
)


def render_talk(state: RunState, gate: HumanGate) -> str:
    """What to show of a gate of kind AREAS or DISCUSS: what it is about, what is asked, how to answer."""
    asked = gate.asked
    assert asked.phase is not None, "a talk is about a phase"
    talk = state.people.discussions[asked.phase]
    body = _areas(talk) if asked.kind is GateKind.AREAS else _questions(talk, asked.questions)
    return "\n".join((one_line(asked.title), "", *body)) + "\n"


def questions_asked(state: RunState, phase: PhaseId) -> tuple[HumanQuestion, ...]:
    """Every question of the talk about a phase so far, in the order it was asked."""
    gates = (gate.asked for gate in state.people.gates.values())
    return tuple(
        q for asked in gates if asked.kind is GateKind.DISCUSS and asked.phase == phase for q in asked.questions
    )


def area_number(talk: Discussion, area: str) -> int:
    """By which an area's questions are numbered; 0 for one that was never named."""
    return next((number for number, candidate in enumerate(talk.areas, 1) if candidate.area == area), 0)


def _areas(talk: Discussion) -> Iterator[str]:
    kind = DOMAIN_WORDS.get(talk.domain, "")
    yield f"It builds: {one_line(talk.description)}" + (f" ({kind})" if kind else "")
    yield "This is about how to build it; new capabilities belong in phases of their own."
    yield ""
    for number, area in enumerate(talk.areas, 1):
        yield f"{number}. {one_line(area.area)} -- {one_line(area.description)}"
    yield from ("", HOW_TO_PICK)


def _questions(talk: Discussion, questions: Sequence[HumanQuestion]) -> Iterator[str]:
    for area in dict.fromkeys(question.area for question in questions):
        yield f"## {area_number(talk, area)}. {one_line(area)}"
        yield ""
        for question in questions:
            if question.area == area:
                yield f"{question.id} {one_line(question.text)}"
        yield ""
    yield from (HOW_TO_ANSWER, HOW_TO_DEFER)
