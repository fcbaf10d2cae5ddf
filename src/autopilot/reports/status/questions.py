"""``questions.md``: every open question with a place for its answer; the filled-in file is an answers file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from autopilot.events.state import PhaseState, RunState
from autopilot.events.talk import HumanGate
from autopilot.model.human import SECTIONS, GateKind, HumanQuestion
from autopilot.reports.markdown import one_line
from autopilot.reports.status.discussion import HOW_TO_DEFER
from autopilot.reports.status.files import QUESTIONS
from autopilot.reports.status.gates import (
    map_heading,
    question_words,
    render_deferred,
    render_gate,
    resume_command,
    wait_for_verdict,
)

Typed = Mapping[tuple[str, str], str]  # by gate, or phase, and question: what its user has written there already
HEAD = """\
> Write your answers behind the colons, and indent their further lines. What you leave empty stays open; a single `-` is
> an answer left out on purpose. Lines that begin with `>`, like this one, are only for you to read. Then:
>
>     {command} --answers {file}
"""


def render_questions(state: RunState, typed: Typed | None = None) -> str:
    """ "" when nothing is open. What was typed before stays where its question is still asked."""
    gates, phases = state.open_gates, wait_for_verdict(state)
    if not gates and not phases:
        return ""
    parts = [f"{questions_title(state)}\n", HEAD.format(command=resume_command(state), file=QUESTIONS)]
    parts += ["\n".join(_gate(gate, state, typed or {})) + "\n" for gate in gates]
    parts += ["\n".join(_verdict(phase, typed or {})) + "\n" for phase in phases]
    return "\n".join(parts)


def questions_title(state: RunState) -> str:
    """The first line of the file; the same as long as the same is open."""
    names = [gate.asked.gate for gate in state.open_gates] + [f"phase {p.id}" for p in wait_for_verdict(state)]
    return one_line(f"# Open in {state.run}: {', '.join(names)}")


def _gate(gate: HumanGate, state: RunState, typed: Typed) -> Iterator[str]:
    asked = gate.asked
    yield from (f"## {asked.gate}", "")
    match asked.kind:
        case GateKind.CHECKPOINT:
            yield from _quoted(render_gate(gate, state))
            yield from ("> Write approve, or reject and why.", "", _place("answer", typed.get((asked.gate, "answer"))))
        case GateKind.ROUTE | GateKind.REQUIREMENTS | GateKind.DESIGN | GateKind.CAUSE:
            yield from (*_quoted(render_gate(gate, state)), "")
            yield from _issue_places(gate, typed)
        case GateKind.AREAS:
            yield from (*_quoted(render_gate(gate, state)), "")
            yield from (_place(q.id, typed.get((asked.gate, q.id))) for q in asked.questions)
        case GateKind.MAP:
            yield from (f"> {one_line(asked.title)}", f"> {HOW_TO_DEFER}", "")
            for phase in dict.fromkeys(q.phase for q in asked.questions):
                own = [q for q in asked.questions if q.phase == phase]
                yield from (f"### {map_heading(phase, state)}", "", *_places(asked.gate, own, typed, phase))
        case GateKind.DISCUSS:
            yield from (f"> {one_line(asked.title)}", f"> {HOW_TO_DEFER}", "")
            for area in dict.fromkeys(q.area for q in asked.questions):
                own = [q for q in asked.questions if q.area == area]
                yield from (f"> **{one_line(area)}**", "", *_places(asked.gate, own, typed, ""))
            yield from (
                *_quoted("To get more questions about an area, write its name here, one line for each area."),
                "",
            )
            yield from _repeated("more", typed.get((asked.gate, "more")))


def _issue_places(gate: HumanGate, typed: Typed) -> Iterator[str]:
    """An ok approves; whatever else is written sends it back."""
    asked = gate.asked
    names = [question.id for question in asked.questions]
    if asked.kind is not GateKind.ROUTE:
        yield from ("> Write ok, or what has to change.", "")
        names = ["answer", *(SECTIONS if asked.kind is GateKind.DESIGN else names)]
    yield from (_place(name, typed.get((asked.gate, name))) for name in names)


def _places(gate: str, questions: list[HumanQuestion], typed: Typed, phase: str) -> Iterator[str]:
    """Of a phase by number, of an area by whole id."""
    for question in questions:
        why = f"> {one_line(question.why)}" if question.why else ""
        name = f"Q{question.id.removeprefix(f'{phase}.')}" if phase else question.id
        yield from (f"> {question_words(question)}", *filter(None, (why,)), "")
        yield from (_place(name, typed.get((gate, question.id))), "")


def _verdict(phase: PhaseState, typed: Typed) -> Iterator[str]:
    yield from (f"## Phase {phase.id}", "", *_quoted(render_deferred(phase)))
    yield from ("> Write pass, fail or issues_found; after issues_found, write every issue on a line of its own.", "")
    yield _place("verdict", typed.get((phase.id, "verdict")))
    yield from _repeated("issue", typed.get((phase.id, "issue")))


def _place(name: str, text: str | None) -> str:
    indented = (text or "").replace("\n", "\n    ")
    return f"{name}: {indented}".rstrip()


def _repeated(name: str, text: str | None) -> Iterator[str]:
    """One place a line, for what may be said more than once."""
    return (_place(name, line) for line in (text or "").split("\n"))


def _quoted(text: str) -> Iterator[str]:
    return (f"> {line}".rstrip() for line in text.rstrip("\n").split("\n"))
