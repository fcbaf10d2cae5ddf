"""``autopilot answer``"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence
from pathlib import Path

from autopilot.api.assembly import Assembly, assemble, find_repository
from autopilot.api.people.answers_file import make_answer, read_answers
from autopilot.api.people.gate_answers import (
    answer_hint,
    find_gate,
    read_issue_answer,
    record_answer,
    refuse_second_answer,
)
from autopilot.api.people.inbox import GATE_NAME, choose_run_by_word, read_open_runs
from autopilot.api.people.verdicts import record_verdict
from autopilot.cli.conversation import BY, ask_open_gates
from autopilot.cli.output import print_output, print_warning
from autopilot.cli.terminal import is_terminal
from autopilot.events.people import HumanAnswered
from autopilot.events.state import RunState
from autopilot.events.talk import HumanGate
from autopilot.model.errors import UsageError
from autopilot.model.human import DECIDED, OF_AN_ISSUE, GateKind
from autopilot.planning.people.replies import reply_to, verdict_on
from autopilot.reports.status.files import QUESTIONS
from autopilot.reports.status.gates import wait_for_verdict
from autopilot.settings.reading import read_settings


def main(options: argparse.Namespace) -> int:
    settings = read_settings()
    assembly = assemble(find_repository(Path.cwd(), settings, to_read=True), settings)
    word = options.arguments[0] if options.arguments else ""
    runs = read_open_runs(assembly, word)
    state = choose_run_by_word(runs, word)
    gate, arguments = _split_gate(state, options.arguments)
    if options.file:
        return _answer_from_file(assembly, state, options.file, gate)
    if arguments or options.more:
        found = find_gate(state, gate, runs)
        refuse_second_answer(state, found)
        print_output(record_answer(assembly, _read_answer(found, arguments, options.more)) + "\n")
        return 0
    return _ask_at_terminal(assembly, state, gate)


def _read_answer(gate: HumanGate, arguments: Sequence[str], more: Sequence[str]) -> HumanAnswered:
    if gate.asked.kind in OF_AN_ISSUE:
        return read_issue_answer(gate.asked, arguments, BY)
    return HumanAnswered(gate.asked.gate, _parse_pairs(gate, arguments), BY, more=tuple(more))


def _split_gate(state: RunState, arguments: Sequence[str]) -> tuple[str, list[str]]:
    """The named gate ("" for none) and the remaining arguments.

    With a single open question, its answer may be given alone; a gate of an issue takes free text.
    """
    first = arguments[0] if arguments else ""
    if not first or "=" in first:
        return "", list(arguments)
    # A word that names no open gate but an answered one, or a kind of gate, is never the answer to another gate: taken
    # as one it would send the whole design back.
    if first in state.people.gates or any(name.startswith(f"{first}-") for name in state.people.gates):
        return first, list(arguments[1:])
    only = state.open_gates[0].asked if len(state.open_gates) == 1 else None
    if only is None:
        return first, list(arguments[1:])
    if only.kind in OF_AN_ISSUE or only.kind in DECIDED:
        is_answer = not GATE_NAME.fullmatch(first) and first not in tuple(GateKind)
    else:
        is_answer = len(arguments) == 1 and len(only.questions) == 1
    return ("", list(arguments)) if is_answer else (first, list(arguments[1:]))


def _parse_pairs(gate: HumanGate, arguments: Sequence[str]) -> dict[str, str]:
    questions = gate.asked.questions
    if len(arguments) == 1 and "=" not in arguments[0] and len(questions) == 1:
        return {questions[0].id: arguments[0]}
    for argument in arguments:
        if "=" not in argument:
            hint = answer_hint([gate])
            if gate.asked.kind in DECIDED:
                raise UsageError(f"{gate.asked.gate} is approved or rejected, not answered", hint)
            raise UsageError(f'"{argument}" is not an answer: write QUESTION=TEXT', hint)
    return {id.strip(): text for id, _, text in (argument.partition("=") for argument in arguments)}


def _ask_at_terminal(assembly: Assembly, state: RunState, gate: str) -> int:
    gates = [find_gate(state, gate)] if gate else list(state.open_gates)
    if any(open_gate.answered is not None for open_gate in gates):
        record_answer(assembly, HumanAnswered(gate, {}, BY))  # raises the error that shows the first answer
    if not gates:
        find_gate(state, gate)
    if not is_terminal():
        hint = f"{answer_hint(gates)}; the questions are in {QUESTIONS}"
        raise UsageError("no answer is given, and Autopilot can ask for one only at a terminal", hint)
    others = {open_gate.asked.gate for open_gate in state.open_gates} - {open_gate.asked.gate for open_gate in gates}
    outcome = ask_open_gates(state, assembly, {*others, *state.phases})
    print_output("".join(f"{message}\n" for message in outcome.settled))
    return 0 if outcome.settled else 3


def _answer_from_file(assembly: Assembly, state: RunState, path: str, gate: str) -> int:
    """Answer every open gate that the file answers; the others stay open."""
    answers = read_answers(path)
    warnings = [*answers.complaints()]
    recorded = []
    for open_gate in [find_gate(state, gate)] if gate else state.open_gates:
        reply = reply_to(open_gate.asked, answers, state)
        warnings += reply.problems
        if reply.is_whole:
            recorded.append(record_answer(assembly, make_answer(open_gate, reply, answers)))
        elif reply.lacking and reply.lines:
            warnings.append(f"{path} has no answer to {', '.join(reply.lacking)}, so {open_gate.asked.gate} stays open")
    for phase in () if gate else wait_for_verdict(state):
        if verdict := verdict_on(phase.id, answers):
            warnings += verdict.problems
            try:
                if not verdict.problems:
                    by = f"you, in {path}"
                    recorded.append(record_verdict(assembly, phase.id, verdict.verdict, verdict.issues, by))
            except UsageError as error:
                warnings.append(f"{path}: {error}")
    for message in warnings:
        print_warning(message)
    if not recorded:
        if answers.written and not any(written.text for written in answers.written):
            repeated = f"`autopilot answer --file {shlex.quote(path)}`"
            raise UsageError(
                f"{path} contains no answer", f"write your answers after the colons, then run {repeated} again"
            )
        raise UsageError(f"{path} answers none of the open questions", f"{QUESTIONS} lists them")
    print_output("".join(f"{message}\n" for message in recorded))
    return 0
