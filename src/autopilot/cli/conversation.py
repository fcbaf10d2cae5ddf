"""Asks the user about every open gate and waiting phase, one after the other; skipped ones stay open."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping

from msgspec import Struct

from autopilot.api.assembly import Assembly
from autopilot.api.people.gate_answers import record_answer
from autopilot.api.people.inbox import read_gate_message, read_state
from autopilot.api.people.questions_file import keep_draft, read_draft
from autopilot.api.people.verdicts import record_verdict
from autopilot.cli.issue.issue_conversation import ask_issue_gate
from autopilot.cli.output import print_warning
from autopilot.cli.settled_elsewhere import AnsweredElsewhere, SettledElsewhere, until
from autopilot.cli.terminal import ask, ask_until, default_signals, show, yes_or_no
from autopilot.events.fold_people import pick_areas
from autopilot.events.people import HumanAnswered
from autopilot.events.state import PhaseState, RunState
from autopilot.events.talk import HumanGate
from autopilot.model.errors import AutopilotError, UsageError
from autopilot.model.human import GateKind, HumanQuestion
from autopilot.planning.people.answers import LEFT_OUT, VERDICTS
from autopilot.planning.people.scope import join_deferred, split_deferred
from autopilot.reports.markdown import one_line
from autopilot.reports.status.discussion import HOW_TO_DEFER
from autopilot.reports.status.files import QUESTIONS
from autopilot.reports.status.gates import (
    answer_command,
    question_words,
    render_deferred,
    render_gate,
    wait_for_verdict,
)

BY = "you"
HOW_TO_SKIP = 'Enter skips a question; "later" or Ctrl-D leaves all of them open.'
AnswersFromFile = Mapping[tuple[str, str], str]  # gate and question -> answer; these are not asked


class Draft:
    """Answers by gate and question: from a file, from an interrupted conversation, and typed now."""

    def __init__(self, written: AnswersFromFile, begun: AnswersFromFile) -> None:
        self.written = written
        self.begun = begun
        self.typed: dict[tuple[str, str], str] = {}


class Outcome(Struct, frozen=True):
    """What was answered, what was skipped, and whether the user left."""

    settled: tuple[str, ...] = ()  # one message each
    put_off: tuple[str, ...] = ()  # by name of gate or phase
    left: bool = False


def ask_open_gates(
    state: RunState, assembly: Assembly, skip: Collection[str] = (), written: AnswersFromFile | None = None
) -> Outcome:
    settled: list[str] = []
    put_off: list[str] = []
    draft = Draft(written or {}, read_draft(assembly.repository.path, state))
    left = False
    try:
        with default_signals():
            for name, message in _ask_everything(state, assembly, skip, draft):
                (settled if message else put_off).append(message or name)
    except (EOFError, KeyboardInterrupt):
        show("\nYou left; open questions stay open.")
        left = True
    if any(draft.typed.values()):
        _keep_draft(assembly, state.run, draft)
    return Outcome(tuple(settled), tuple(put_off), left)


def _keep_draft(assembly: Assembly, run: str, draft: Draft) -> None:
    """Keep what was typed for gates that are still open."""
    state = read_state(assembly, run)
    open_names = {gate.asked.gate for gate in state.open_gates}
    typed = {key: text for key, text in draft.typed.items() if key[0] in open_names}
    if not any(typed.values()):
        return
    try:
        keep_draft(assembly.repository.path, state, typed)
    except AutopilotError as error:
        print_warning(f"your typed answers could not be saved: {error}")
    else:
        show(f"Your typed answers are saved in {QUESTIONS}.")


def _ask_everything(
    state: RunState, assembly: Assembly, skip: Collection[str], draft: Draft
) -> Iterator[tuple[str, str]]:
    """The name of each gate or phase with the recorded answer, "" when it was skipped."""
    for gate in state.open_gates:
        if gate.asked.gate not in skip:
            show("")
            try:
                with until(SettledElsewhere(assembly, state.run, gate.asked.gate)):
                    answer = ask_gate(gate, state, draft, read_gate_message(assembly, state, gate))
            except AnsweredElsewhere:
                yield gate.asked.gate, _answered_elsewhere(gate.asked.gate)
            else:
                if answer is None:
                    show(f"{gate.asked.gate} stays open. To settle it later: `{_command(gate, state)}`")
                yield gate.asked.gate, _record(record_answer, assembly, answer) if answer else ""
    for phase in wait_for_verdict(state):
        if phase.id not in skip:
            show("")
            try:
                with until(SettledElsewhere(assembly, state.run, phase.id)):
                    verdict = ask_verdict(phase)
            except AnsweredElsewhere:
                yield phase.id, _answered_elsewhere(f"phase {phase.id}")
            else:
                if verdict is None:
                    show(f"Phase {phase.id} still waits. Your verdict, later: `autopilot verdict {phase.id} pass`")
                yield phase.id, _record(record_verdict, assembly, phase.id, *verdict, BY) if verdict else ""


def _command(gate: HumanGate, state: RunState) -> str:
    return answer_command(gate.asked.kind, gate.asked.gate, state.issue.advice.recommended if state.issue else None)


def _answered_elsewhere(name: str) -> str:
    message = f"{name} was answered in another terminal; the run goes on"
    show(f"\n{message}.")
    return message


def _record(record: Callable[..., str], *arguments: object) -> str:
    """The message of the record; an answer given earlier at another terminal counts and is shown."""
    try:
        return record(*arguments)
    except UsageError as error:
        show(str(error))
        return str(error)


def ask_gate(gate: HumanGate, state: RunState, draft: Draft, message: str = "") -> HumanAnswered | None:
    """The user's answer to one gate, None when skipped. ``message`` is shown with the gate."""
    match gate.asked.kind:
        case GateKind.CHECKPOINT:
            return _ask_checkpoint(gate, state)
        case GateKind.MAP:
            return _ask_map(gate, state, draft)
        case GateKind.AREAS:
            return _ask_areas(gate, state)
        case GateKind.DISCUSS:
            return _ask_discussion(gate, draft)
        case GateKind.ROUTE | GateKind.REQUIREMENTS | GateKind.DESIGN | GateKind.CAUSE:
            return ask_issue_gate(gate, state, message, BY)


def ask_verdict(phase: PhaseState) -> tuple[str, tuple[str, ...]] | None:
    """The verdict and its issues; None when skipped."""
    show(render_deferred(phase))
    prompt = "Your verdict (pass, fail, issues_found, later): "
    while True:
        verdict = ask_until(
            prompt,
            lambda text: text if text in VERDICTS else None,
            f"Please answer one of {', '.join(VERDICTS)}, later.",
        )
        if verdict is None:
            return None
        issues = tuple(_ask_issues()) if verdict == "issues_found" else ()
        if verdict != "issues_found" or issues:
            return verdict, issues
        show("issues_found needs at least one issue: describe it.")


def _ask_issues() -> Iterator[str]:
    while text := ask("What is wrong? (Enter to finish) "):
        yield text


def _ask_checkpoint(gate: HumanGate, state: RunState) -> HumanAnswered | None:
    show(render_gate(gate, state))
    approved = ask_until("Continue the run? [y/n/later] ", yes_or_no, "Please answer y or n.")
    if approved is None:
        return None
    comment = "" if approved else ask("Reason? (Enter for none) ")
    return None if comment is None else HumanAnswered(gate.asked.gate, {}, BY, approved, comment=comment)


def _ask_map(gate: HumanGate, state: RunState, draft: Draft) -> HumanAnswered | None:
    show(render_gate(gate, state))
    show(f"\n{HOW_TO_SKIP}\n{HOW_TO_DEFER}")
    answers = _ask_questions(gate, gate.asked.questions, draft)
    if answers is None or not _confirm_empty(answers):
        return None
    return HumanAnswered(gate.asked.gate, answers, BY)


def _ask_areas(gate: HumanGate, state: RunState) -> HumanAnswered | None:
    show(render_gate(gate, state))
    assert gate.asked.phase is not None, "areas are those of a phase"
    count = len(state.people.discussions[gate.asked.phase].areas)

    def picked(text: str) -> str | None:
        return text if text and pick_areas(text, count) is not None else None

    text = ask_until("Which areas? ", picked, f'Please answer numbers from 1 to {count} ("1, 3"), all, none or later.')
    return None if text is None else HumanAnswered(gate.asked.gate, {q.id: text for q in gate.asked.questions}, BY)


def _ask_discussion(gate: HumanGate, draft: Draft) -> HumanAnswered | None:
    """Area by area; after its last question the user may ask for more questions about an area."""
    show(f"{gate.asked.title}\n{HOW_TO_SKIP}\n{HOW_TO_DEFER}")
    answers: dict[str, str] = {}
    more: list[str] = []
    areas = list(dict.fromkeys(question.area for question in gate.asked.questions))
    for area in areas:
        questions = [question for question in gate.asked.questions if question.area == area]
        show(f"\nArea: {area}")
        area_answers = _ask_questions(gate, questions, draft)
        if area_answers is None:
            return None
        wants_more = ask_until(
            f"More questions about {one_line(area)}, or the next area? [more/next] ",
            _parse_more,
            "Please answer more or next.",
        )
        if wants_more is None:
            return None
        answers |= area_answers
        more += [area] if wants_more else []
    show(f"\nAll areas are covered: {', '.join(areas)}.")
    return HumanAnswered(gate.asked.gate, answers, BY, more=tuple(more)) if more or _confirm_empty(answers) else None


def _parse_more(text: str) -> bool | None:
    return {"more": True, "m": True, "next": False, "n": False, "": False}.get(text.lower())


def _ask_questions(gate: HumanGate, questions: Collection[HumanQuestion], draft: Draft) -> dict[str, str] | None:
    """Ask one question after the other; answers from a file are shown and not asked."""
    answers: dict[str, str] = {}
    for question in questions:
        key = gate.asked.gate, question.id
        show(f"{question.id}  {question_words(question)}")
        written = draft.written.get(key)
        if written is not None:
            show(f"  {written}")
        text = _ask_within_phase(question, draft.begun.get(key, "")) if written is None else written
        if text is None:
            return None
        draft.typed[key] = text
        answers[question.id] = "" if text in LEFT_OUT else text
    return answers


def _ask_within_phase(question: HumanQuestion, begun: str) -> str | None:
    """An idea for another phase is noted at once and does not answer the question: it is asked again."""
    ideas: list[str] = []
    while (text := _ask_question(begun)) is not None:
        answer, found = split_deferred(text)
        ideas += found
        for idea in found:
            show(f"  Noted for another phase, under Deferred Ideas: {idea}")
        if answer or not found:
            return join_deferred(answer, ideas)
        begun = ""
        show(f"Back to {question.id}  {question_words(question)}")
    return None


def _ask_question(begun: str) -> str | None:
    if begun and begun not in LEFT_OUT:
        indented = begun.replace("\n", "\n          ")
        show(f'  your draft: {indented}\n  (Enter keeps it, "-" deletes it)')
        text = ask("> ")
        return begun if text == "" else text
    return ask("> ")


def _confirm_empty(answers: Mapping[str, str]) -> bool:
    """The first answer to a gate is final, so an empty one needs a confirmation."""
    if any(answers.values()):
        return True
    return bool(
        ask_until("No question is answered. Continue without answers? [y/n] ", yes_or_no, "Please answer y or n.")
    )
