"""Gates of an issue at a terminal: the message, a short menu, and free text as the answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from autopilot.cli.terminal import ask, show, yes_or_no
from autopilot.events.people import HumanAnswered
from autopilot.events.state import RunState
from autopilot.events.talk import HumanGate
from autopilot.model.errors import UsageError
from autopilot.model.human import SECTIONS, GateKind
from autopilot.planning.issue.gate_answers import Given, check_given, decide
from autopilot.planning.issue.rejection import is_ok
from autopilot.planning.people.answers import compose_rejection
from autopilot.reports.status.gates import render_gate

MENUS: Mapping[GateKind, str] = {
    GateKind.ROUTE: "Route? [ok for the proposed one / full / express / bugfix / flaky / later] ",
    GateKind.REQUIREMENTS: "Approve? [ok / later, or write what has to change] ",
    GateKind.DESIGN: "Approve? [ok / later / stories, plan or tests to reject one, or write what has to change] ",
    GateKind.CAUSE: "Do you agree? [ok / cause=CLASS / later, or write what is wrong] ",
}
QUESTIONS_MENU = "Approve? [ok / questions / later, or write what has to change] "
Ask = Callable[[str], str | None]  # from a prompt to the typed text; None for "later"


def ask_issue_gate(
    gate: HumanGate, state: RunState, message: str, by: str, ask_user: Ask = ask
) -> HumanAnswered | None:
    """The answer, None when skipped. An invalid answer is explained and asked again."""
    show(message or render_gate(gate, state))
    route = state.issue.route if state.issue else None
    has_questions = gate.asked.kind is GateKind.REQUIREMENTS and gate.asked.questions
    while (text := ask_user(QUESTIONS_MENU if has_questions else MENUS[gate.asked.kind])) is not None:
        try:
            given = _parse_reply(gate, text, ask_user)
            if given is None:
                return None
            checked = check_given(gate.asked, given, route)
        except UsageError as error:
            show(f"{error}\n  {error.hint}")
            continue
        if checked.approved is not False or _confirm_rejection(checked, ask_user):
            return HumanAnswered(gate.asked.gate, checked.answers, by, checked.approved, comment=checked.comment)
    return None


def _parse_reply(gate: HumanGate, text: str, ask_user: Ask) -> Given | None:
    choice = text.lower()
    if gate.asked.kind is GateKind.REQUIREMENTS and choice in ("questions", "q") and gate.asked.questions:
        return _ask_questions(gate, ask_user)
    if gate.asked.kind is GateKind.DESIGN and choice in SECTIONS:
        return _ask_sections(gate, choice, ask_user)
    id, is_pair, value = text.partition("=")
    if gate.asked.kind is GateKind.CAUSE and is_pair and id.strip().lower() == "cause":
        return Given({"cause": value.strip()}, approved=True)
    return decide(gate.asked, {}, text)


def _ask_questions(gate: HumanGate, ask_user: Ask) -> Given | None:
    answers = {}
    for question in gate.asked.questions:
        text = ask_user(f"{question.id}  {question.text}\n> ")
        if text is None:
            return None
        answers[question.id] = text
    return Given(answers)


def _ask_sections(gate: HumanGate, first: str, ask_user: Ask) -> Given | None:
    """Ask for the changes of one document after the other; other text is added as a general comment."""
    sections: dict[str, str] = {}
    choice: str | None = first
    while choice in SECTIONS:
        assert choice is not None
        text = ask_user(f"What has to change in the {choice}? ")
        if text is None:
            return None
        sections[choice] = "\n".join(filter(None, (sections.get(choice, ""), text)))
        choice = ask_user(f"Another document ({', '.join(SECTIONS)}), a general comment, or Enter to finish: ")
    return None if choice is None else decide(gate.asked, {}, compose_rejection(choice, sections))


def _confirm_rejection(given: Given, ask_user: Ask) -> bool:
    """Confirm a short rejection: the first answer is final, and a typing error must not reject everything."""
    comment = given.comment.split()
    if len(comment) > 1 and not is_ok(comment[0].rstrip(",;:")):
        return True
    while (text := ask_user("This rejects everything that was presented. Reject it? [y/n] ")) is not None:
        if (confirmed := yes_or_no(text)) is not None:
            return confirmed
        show("Please answer y or n.")
    return False
