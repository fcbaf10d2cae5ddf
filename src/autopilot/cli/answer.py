"""``autopilot answer``"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from autopilot.api.answering import answer_hint, find_gate, give_answer
from autopilot.api.answers_file import as_answer, read_answers
from autopilot.api.assembly import Assembly, assemble, find_repository
from autopilot.api.noting import read_run
from autopilot.api.verdicts import give_verdict
from autopilot.cli.conversation import BY, converse
from autopilot.cli.saying import say, warn
from autopilot.cli.terminal import is_terminal
from autopilot.events.people import HumanAnswered
from autopilot.events.state import RunState
from autopilot.events.talk import HumanGate
from autopilot.model.errors import UsageError
from autopilot.planning.replies import reply_to, verdict_on
from autopilot.reports.gates import wait_for_verdict
from autopilot.settings.reading import read_settings


def main(options: argparse.Namespace) -> int:
    settings = read_settings()
    assembly = assemble(find_repository(Path.cwd(), settings), settings)
    state = read_run(assembly)
    gate, words = _split(state, options.words)
    if options.file:
        return _from_file(assembly, state, options.file, gate)
    if words or options.more:
        named = find_gate(state, gate)
        answers = _read_words(named, words)
        say(give_answer(assembly, HumanAnswered(named.asked.gate, answers, BY, more=tuple(options.more))) + "\n")
        return 0
    return _ask(assembly, state, gate)


def _split(state: RunState, words: Sequence[str]) -> tuple[str, list[str]]:
    """The gate, if one is named, and the rest. Where one question is open, its answer may stand alone."""
    first = words[0] if words else ""
    if not first or "=" in first:
        return "", list(words)
    open_ = state.open_gates
    alone = len(words) == 1 and len(open_) == 1 and len(open_[0].asked.questions) == 1
    return ("", list(words)) if alone and first not in state.gates else (first, list(words[1:]))


def _read_words(gate: HumanGate, words: Sequence[str]) -> dict[str, str]:
    questions = gate.asked.questions
    if len(words) == 1 and "=" not in words[0] and len(questions) == 1:
        return {questions[0].id: words[0]}
    for word in words:
        if "=" not in word:
            raise UsageError(f'"{word}" answers no question', answer_hint([gate]))
    return {id.strip(): text for id, _, text in (word.partition("=") for word in words)}


def _ask(assembly: Assembly, state: RunState, gate: str) -> int:
    open_ = [find_gate(state, gate)] if gate else list(state.open_gates)
    if any(each.answered is not None for each in open_):
        give_answer(assembly, HumanAnswered(gate, {}, BY))  # says who answered it, and what
    if not open_:
        find_gate(state, gate)
    if not is_terminal():
        raise UsageError("nobody is at a terminal to be asked", answer_hint(open_))
    others = {each.asked.gate for each in state.open_gates} - {each.asked.gate for each in open_}
    said = converse(state, assembly, {*others, *state.phases})
    say("".join(f"{words}\n" for words in said.settled))
    return 0 if said.settled else 3


def _from_file(assembly: Assembly, state: RunState, path: str, gate: str) -> int:
    """Everything in it that is open; what it lacks stays so."""
    answers = read_answers(path)
    told = [*answers.complaints()]
    done = []
    for each in [find_gate(state, gate)] if gate else state.open_gates:
        reply = reply_to(each.asked, answers, state)
        told += reply.problems
        if reply.is_whole:
            done.append(give_answer(assembly, as_answer(each, reply, answers)))
        elif reply.lacking and reply.lines:
            told.append(f"{path} has no answer to {', '.join(reply.lacking)}, so {each.asked.gate} stays open")
    for phase in () if gate else wait_for_verdict(state):
        if written := verdict_on(phase.id, answers):
            told += written.problems
            if not written.problems:
                done.append(give_verdict(assembly, phase.id, written.verdict, written.issues, f"you, in {path}"))
    for words in told:
        warn(words)
    if not done:
        raise UsageError(f"{path} answers nothing that is open", "autopilot gates")
    say("".join(f"{words}\n" for words in done))
    return 0
