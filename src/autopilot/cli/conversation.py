"""A conversation about everything that waits for its user, one thing after the other; what is put off stays open."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping

from msgspec import Struct

from autopilot.api.assembly import Assembly
from autopilot.api.people.answering import give_answer
from autopilot.api.people.noting import read_message, read_state
from autopilot.api.people.questions_file import keep_draft, read_draft
from autopilot.api.people.verdicts import give_verdict
from autopilot.cli.issue.conversation import answer_issue_gate
from autopilot.cli.saying import warn
from autopilot.cli.terminal import ask, ask_until, conversation, show, yes_or_no
from autopilot.events.fold_people import pick_areas
from autopilot.events.people import HumanAnswered
from autopilot.events.state import PhaseState, RunState
from autopilot.events.talk import HumanGate
from autopilot.model.errors import AutopilotError, UsageError
from autopilot.model.human import GateKind, HumanQuestion
from autopilot.planning.people.answers import LEFT_OUT, VERDICTS
from autopilot.reports.markdown import one_line
from autopilot.reports.status.files import QUESTIONS
from autopilot.reports.status.gates import question_words, render_deferred, render_gate, wait_for_verdict

BY = "you"
HINT = 'Enter leaves a question open; "later" or Ctrl-D leaves everything for another time.'
Written = Mapping[tuple[str, str], str]  # by gate and question, from an answers file: not asked again


class Notes:
    """By gate and question, what is answered in a file, what was begun another time, and what is typed now."""

    def __init__(self, written: Written, begun: Written) -> None:
        self.written = written
        self.begun = begun
        self.typed: dict[tuple[str, str], str] = {}


class Said(Struct, frozen=True):
    """What was settled, what was put off, and whether the user has left."""

    settled: tuple[str, ...] = ()  # in words
    put_off: tuple[str, ...] = ()  # by name
    left: bool = False


def converse(state: RunState, assembly: Assembly, skip: Collection[str] = (), written: Written | None = None) -> Said:
    settled: list[str] = []
    put_off: list[str] = []
    notes = Notes(written or {}, read_draft(assembly.repository.path, state))
    left = False
    try:
        with conversation():
            for name, words in _talk(state, assembly, skip, notes):
                (settled if words else put_off).append(words or name)
    except (EOFError, KeyboardInterrupt):
        show("\nleft open")
        left = True
    if any(notes.typed.values()):
        _keep(assembly, state.run, notes)
    return Said(tuple(settled), tuple(put_off), left)


def _keep(assembly: Assembly, run: str, notes: Notes) -> None:
    """What was typed about something that is still open."""
    state = read_state(assembly, run)
    open_ = {gate.asked.gate for gate in state.open_gates}
    typed = {place: text for place, text in notes.typed.items() if place[0] in open_}
    if not any(typed.values()):
        return
    try:
        keep_draft(assembly.repository.path, state, typed)
    except AutopilotError as error:
        warn(f"what you typed is not kept: {error}")
    else:
        show(f"What you typed is kept in {QUESTIONS}.")


def _talk(state: RunState, assembly: Assembly, skip: Collection[str], notes: Notes) -> Iterator[tuple[str, str]]:
    """By name what became of everything that is open; "" for what is put off."""
    for gate in state.open_gates:
        if gate.asked.gate not in skip:
            show("")
            said = answer_gate(gate, state, notes, read_message(assembly, state, gate))
            yield gate.asked.gate, _kept(give_answer, assembly, said) if said else ""
    for phase in wait_for_verdict(state):
        if phase.id not in skip:
            show("")
            given = ask_verdict(phase)
            yield phase.id, _kept(give_verdict, assembly, phase.id, *given, BY) if given else ""


def _kept(give: Callable[..., str], *what: object) -> str:
    """Whoever was quicker, at another terminal, has settled it."""
    try:
        return give(*what)
    except UsageError as error:
        show(str(error))
        return str(error)


def answer_gate(gate: HumanGate, state: RunState, notes: Notes, message: str = "") -> HumanAnswered | None:
    """What the user says to one gate; None when it is put off. ``message``: what goes with it, where it has one."""
    match gate.asked.kind:
        case GateKind.CHECKPOINT:
            return _checkpoint(gate, state)
        case GateKind.MAP:
            return _map(gate, state, notes)
        case GateKind.AREAS:
            return _areas(gate, state)
        case GateKind.DISCUSS:
            return _discuss(gate, notes)
        case GateKind.ROUTE | GateKind.REQUIREMENTS | GateKind.DESIGN | GateKind.CAUSE:
            return answer_issue_gate(gate, state, message, BY)


def ask_verdict(phase: PhaseState) -> tuple[str, tuple[str, ...]] | None:
    """The verdict and its issues; None when it is put off."""
    show(render_deferred(phase))
    prompt = "Your verdict: pass, fail, issues_found, or later? "
    while True:
        word = ask_until(prompt, lambda text: text if text in VERDICTS else None, f"One of {', '.join(VERDICTS)}.")
        if word is None:
            return None
        issues = tuple(_issues()) if word == "issues_found" else ()
        if word != "issues_found" or issues:
            return word, issues
        show("issues_found needs at least one issue.")


def _issues() -> Iterator[str]:
    while text := ask("What is wrong? (Enter: that is all) "):
        yield text


def _checkpoint(gate: HumanGate, state: RunState) -> HumanAnswered | None:
    show(render_gate(gate, state))
    approved = ask_until("Go on? [y/n/later] ", yes_or_no, "Please answer y or n.")
    if approved is None:
        return None
    comment = "" if approved else ask("Why? (Enter: no reason) ")
    return None if comment is None else HumanAnswered(gate.asked.gate, {}, BY, approved, comment=comment)


def _map(gate: HumanGate, state: RunState, notes: Notes) -> HumanAnswered | None:
    show(render_gate(gate, state))
    show(f"\n{HINT}")
    answers = _answers(gate, gate.asked.questions, notes)
    if answers is None or not _is_meant(answers):
        return None
    return HumanAnswered(gate.asked.gate, answers, BY)


def _areas(gate: HumanGate, state: RunState) -> HumanAnswered | None:
    show(render_gate(gate, state))
    assert gate.asked.phase is not None, "areas are those of a phase"
    count = len(state.discussions[gate.asked.phase].areas)

    def picked(text: str) -> str | None:
        return text if text and pick_areas(text, count) is not None else None

    text = ask_until("Which areas? ", picked, f'Numbers from 1 to {count} ("1, 3"), all, none, or later.')
    return None if text is None else HumanAnswered(gate.asked.gate, {q.id: text for q in gate.asked.questions}, BY)


def _discuss(gate: HumanGate, notes: Notes) -> HumanAnswered | None:
    """Area by area; that one wants to be asked more is said after its last question."""
    show(f"{gate.asked.title}\n{HINT}")
    answers: dict[str, str] = {}
    more: list[str] = []
    areas = list(dict.fromkeys(question.area for question in gate.asked.questions))
    for area in areas:
        own = [question for question in gate.asked.questions if question.area == area]
        show(f"\nLet's talk about: {area}")
        said = _answers(gate, own, notes)
        if said is None:
            return None
        deeper = ask_until(f"More about {one_line(area)}, or next? [more/next] ", _more, "Please answer more or next.")
        if deeper is None:
            return None
        answers |= said
        more += [area] if deeper else []
    show(f"\nThat covers {', '.join(areas)}.")
    return HumanAnswered(gate.asked.gate, answers, BY, more=tuple(more)) if more or _is_meant(answers) else None


def _more(text: str) -> bool | None:
    return {"more": True, "m": True, "next": False, "n": False, "": False}.get(text.lower())


def _answers(gate: HumanGate, questions: Collection[HumanQuestion], notes: Notes) -> dict[str, str] | None:
    """One after the other; what a file has answered is shown and not asked."""
    answers: dict[str, str] = {}
    for question in questions:
        place = gate.asked.gate, question.id
        show(f"{question.id}  {question_words(question)}")
        known = notes.written.get(place)
        if known is not None:
            show(f"  {known}")
        text = _answer(notes.begun.get(place, "")) if known is None else known
        if text is None:
            return None
        notes.typed[place] = text
        answers[question.id] = "" if text in LEFT_OUT else text
    return answers


def _answer(begun: str) -> str | None:
    if begun and begun not in LEFT_OUT:
        indented = begun.replace("\n", "\n          ")
        show(f'  so far: {indented}\n  (Enter keeps it, "-" drops it)')
        text = ask("> ")
        return begun if text == "" else text
    return ask("> ")


def _is_meant(answers: Mapping[str, str]) -> bool:
    """The first answer to a gate is its only one, so an empty one is asked about."""
    if any(answers.values()):
        return True
    return bool(ask_until("Nothing is answered. Go on without? [y/n] ", yes_or_no, "Please answer y or n."))
