"""``autopilot answer``"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path

from autopilot.api.assembly import Assembly, assemble, find_repository
from autopilot.api.people.answering import answer_hint, find_gate, give_answer, read_issue_answer
from autopilot.api.people.answers_file import as_answer, read_answers
from autopilot.api.people.noting import choose_run, names_waiting, read_open_runs
from autopilot.api.people.verdicts import give_verdict
from autopilot.cli.conversation import BY, converse
from autopilot.cli.saying import say, warn
from autopilot.cli.terminal import is_terminal
from autopilot.events.people import HumanAnswered
from autopilot.events.state import RunState
from autopilot.events.talk import HumanGate
from autopilot.model.errors import UsageError
from autopilot.model.human import OF_AN_ISSUE
from autopilot.planning.people.replies import reply_to, verdict_on
from autopilot.reports.status.gates import wait_for_verdict
from autopilot.settings.reading import read_settings

GATE_LIKE = re.compile(r"[a-z]+(?:-\d+)+")


def main(options: argparse.Namespace) -> int:
    settings = read_settings()
    assembly = assemble(find_repository(Path.cwd(), settings), settings)
    state = _find_run(assembly, options.words)
    gate, words = _split(state, options.words)
    if options.file:
        return _from_file(assembly, state, options.file, gate)
    if words or options.more:
        named = find_gate(state, gate)
        say(give_answer(assembly, _read_answer(named, words, options.more)) + "\n")
        return 0
    return _ask(assembly, state, gate)


def _find_run(assembly: Assembly, words: Sequence[str]) -> RunState:
    """By the gate that the first word names, or else the only one that waits."""
    runs, first = read_open_runs(assembly), words[0] if words else ""
    is_gate = any(first in run.gates or names_waiting(run, first) for run in runs)
    return choose_run(runs, first if is_gate else "")


def _read_answer(gate: HumanGate, words: Sequence[str], more: Sequence[str]) -> HumanAnswered:
    if gate.asked.kind in OF_AN_ISSUE:
        return read_issue_answer(gate.asked, words, BY)
    return HumanAnswered(gate.asked.gate, _read_words(gate, words), BY, more=tuple(more))


def _split(state: RunState, words: Sequence[str]) -> tuple[str, list[str]]:
    """The gate, if one is named, and the rest. Where one question is open, its answer may stand alone; a gate of an
    issue takes any words."""
    first = words[0] if words else ""
    if not first or "=" in first:
        return "", list(words)
    open_ = state.open_gates
    if first in state.gates or any(gate.asked.gate.startswith(f"{first}-") for gate in open_):
        return first, list(words[1:])
    # What looks like the name of a gate is a slip: as an answer it would send everything back.
    free = len(open_) == 1 and open_[0].asked.kind in OF_AN_ISSUE and not GATE_LIKE.fullmatch(first)
    alone = len(words) == 1 and len(open_) == 1 and len(open_[0].asked.questions) == 1
    return ("", list(words)) if alone or free else (first, list(words[1:]))


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
