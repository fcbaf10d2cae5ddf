"""Gates of an issue at a terminal: what is shown, a short menu, and whatever else the user has to say."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from autopilot.cli.terminal import ask, show, yes_or_no
from autopilot.events.people import HumanAnswered
from autopilot.events.state import RunState
from autopilot.events.talk import HumanGate
from autopilot.model.errors import UsageError
from autopilot.model.human import SECTIONS, GateKind
from autopilot.planning.issue.answers import Given, check_given, decide
from autopilot.planning.issue.rejection import is_ok
from autopilot.planning.people.answers import compose_rejection
from autopilot.reports.status.gates import render_gate

MENUS: Mapping[GateKind, str] = {
    GateKind.ROUTE: "Which way? ok (the full route), express, bugfix, flaky, or later: ",
    GateKind.REQUIREMENTS: "Approve? ok, what has to change, or later: ",
    GateKind.DESIGN: "Approve? ok; stories, plan or tests to send that back; what has to change; or later: ",
    GateKind.CAUSE: "Agree? ok, cause=CLASS, what is wrong with it, or later: ",
}
ASKED = "Approve? ok, questions (to answer them), what has to change, or later: "
Hear = Callable[[str], str | None]  # a prompt to what is typed; None for "later"


def answer_issue_gate(
    gate: HumanGate, state: RunState, message: str, by: str, hear: Hear = ask
) -> HumanAnswered | None:
    """None when it is put off. What cannot be recorded is said, and asked again."""
    show(message or render_gate(gate, state))
    route = state.issue.route if state.issue else None
    asks = gate.asked.kind is GateKind.REQUIREMENTS and gate.asked.questions
    while (text := hear(ASKED if asks else MENUS[gate.asked.kind])) is not None:
        try:
            given = _read(gate, text, hear)
            if given is None:
                return None
            said = check_given(gate.asked, given, route)
        except UsageError as error:
            show(f"{error}\n  {error.hint}")
            continue
        if said.approved is not False or _is_meant(said, hear):
            return HumanAnswered(gate.asked.gate, said.answers, by, said.approved, comment=said.comment)
    return None


def _read(gate: HumanGate, text: str, hear: Hear) -> Given | None:
    word = text.lower()
    if gate.asked.kind is GateKind.REQUIREMENTS and word in ("questions", "q") and gate.asked.questions:
        return _questions(gate, hear)
    if gate.asked.kind is GateKind.DESIGN and word in SECTIONS:
        return _sections(gate, word, hear)
    id, is_pair, value = text.partition("=")
    if gate.asked.kind is GateKind.CAUSE and is_pair and id.strip().lower() == "cause":
        return Given({"cause": value.strip()}, approved=True)
    return decide(gate.asked, {}, text)


def _questions(gate: HumanGate, hear: Hear) -> Given | None:
    answers = {}
    for question in gate.asked.questions:
        text = hear(f"{question.id}  {question.text}\n> ")
        if text is None:
            return None
        answers[question.id] = text
    return Given(answers)


def _sections(gate: HumanGate, first: str, hear: Hear) -> Given | None:
    """One document after the other, as long as the user names them; further words go beside them."""
    told: dict[str, str] = {}
    following: str | None = first
    while following in SECTIONS:
        assert following is not None
        text = hear(f"What has to change in the {following}? ")
        if text is None:
            return None
        told[following] = "\n".join(filter(None, (told.get(following, ""), text)))
        following = hear(f"Another of {', '.join(SECTIONS)}, further words, or Enter when that is all: ")
    return None if following is None else decide(gate.asked, {}, compose_rejection(following, told))


def _is_meant(said: Given, hear: Hear) -> bool:
    """The first answer is the only one, and this sends everything back: a slip of the hand must not."""
    words = said.comment.split()
    if len(words) > 1 and not is_ok(words[0].rstrip(",;:")):
        return True
    while (text := hear("This sends the whole back. Is that meant? [y/n] ")) is not None:
        if (meant := yes_or_no(text)) is not None:
            return meant
        show("Please answer y or n.")
    return False
