"""An answer to a gate as an agent proposes it, and as it is recorded once the user has confirmed it."""

from __future__ import annotations

import shlex
from collections.abc import Callable

from msgspec import Struct

from autopilot.api.assembly import Assembly, assemble
from autopilot.api.people.gate_answers import (
    check_answer,
    find_gate,
    read_issue_answer,
    record_answer,
    refuse_second_answer,
)
from autopilot.api.people.inbox import choose_run, read_gate_message, read_open_runs
from autopilot.api.people.verdicts import not_waiting, record_verdict
from autopilot.events.people import HumanAnswered
from autopilot.events.talk import HumanGate
from autopilot.mcp_server.arguments import OfAnswer
from autopilot.mcp_server.places import Places
from autopilot.model.errors import UsageError
from autopilot.model.human import OF_AN_ISSUE
from autopilot.model.run import PersonVerdict
from autopilot.model.secrecy.terminal import strip_controls
from autopilot.planning.roadmap.phase_id import parse_phase_id
from autopilot.reports.status.gates import render_deferred, render_gate, wait_for_verdict

MOST_SHOWN = 6_000  # characters of what is decided about
VERDICTS = {"approve": PersonVerdict.PASS, "reject": PersonVerdict.FAIL, "issues_found": PersonVerdict.ISSUES_FOUND}


class Proposal(Struct, frozen=True):
    """What would be recorded: as the user reads it, as it is typed in a terminal, and the call that records it."""

    shown: str
    word: str  # what the user types to confirm it
    command: str
    record: Callable[[str], str]  # given who answered


def propose(places: Places, given: OfAnswer) -> Proposal:
    """UsageError where there is nothing to answer, or where the answer does not fit: nobody is asked in vain."""
    repository, settings = places.find(given.repository)
    assembly = assemble(repository, settings)
    prefix = f"cd {shlex.quote(str(repository.path))} && autopilot "
    return _of_phase(assembly, given, prefix) if given.name[:1].isdecimal() else _of_gate(assembly, given, prefix)


def _of_gate(assembly: Assembly, given: OfAnswer, prefix: str) -> Proposal:
    if given.decision == "issues_found":
        raise UsageError("issues_found is a verdict on a phase", f"approve, reject or answer {given.name}")
    runs = read_open_runs(assembly, given.name)
    state = choose_run(runs, given.name)
    gate = find_gate(state, given.name, runs)
    refuse_second_answer(state, gate)
    answer = _answer(gate, given, "")
    check_answer(state, gate.asked, answer, assembly.redactor)

    def record(by: str) -> str:
        return record_answer(assembly, _answer(gate, given, by))

    shown = _shown(f"{render_gate(gate, state)}{read_gate_message(assembly, state, gate)}", given)
    return Proposal(shown, f"{given.decision} {gate.asked.gate}", prefix + _typed(gate.asked.gate, given), record)


def _answer(gate: HumanGate, given: OfAnswer, by: str) -> HumanAnswered:
    """As the commands of the same name make it."""
    name = gate.asked.gate
    if given.decision == "reject":
        return HumanAnswered(name, {}, by, approved=False, comment=given.comment)
    if gate.asked.kind in OF_AN_ISSUE:
        words = [f"{question}={text}" for question, text in given.answers.items()]
        return read_issue_answer(gate.asked, [*words, "ok"] if given.decision == "approve" else words, by)
    if given.decision == "approve":
        return HumanAnswered(name, {}, by, approved=True)
    return HumanAnswered(name, dict(given.answers), by)


def _of_phase(assembly: Assembly, given: OfAnswer, prefix: str) -> Proposal:
    if given.decision == "answer":
        raise UsageError(f"phase {given.name} waits for a verdict", "approve, reject or issues_found")
    verdict = VERDICTS[given.decision]
    issues = tuple(line.strip() for line in given.comment.splitlines() if line.strip())
    if verdict is PersonVerdict.ISSUES_FOUND and not issues:
        raise UsageError("issues_found needs at least one issue", "write each on a line of its own in comment")
    runs = read_open_runs(assembly, given.name)
    phase = next((p for run in runs for p in wait_for_verdict(run) if p.id == parse_phase_id(given.name)), None)
    if phase is None:
        raise not_waiting(runs, given.name)

    def record(by: str) -> str:
        return record_verdict(assembly, str(phase.id), verdict, issues, by)

    typed = ["verdict", phase.id, verdict.value, *(word for issue in issues for word in ("--issue", issue))]
    return Proposal(
        _shown(render_deferred(phase), given), f"{given.decision} {phase.id}", prefix + shlex.join(typed), record
    )


def _shown(asked: str, given: OfAnswer) -> str:
    """The question first: what an agent would answer is read after what it is about."""
    answers = [f"  {question}: {text}" for question, text in given.answers.items()]
    said = [f"An agent proposes: {given.decision} {given.name}", *answers, *given.comment.splitlines()]
    proposed = strip_controls("\n".join(said))
    return f"{shorten_lines(strip_controls(asked))}\n{proposed[:MOST_SHOWN]}"


def shorten_lines(text: str) -> str:
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}\n… (`autopilot gates` leads to the whole of it)\n"


def _typed(gate: str, given: OfAnswer) -> str:
    if given.decision == "reject":
        return shlex.join(["reject", gate, *(["--reason", given.comment] if given.comment else [])])
    pairs = [f"{question}={text}" for question, text in given.answers.items()]
    return shlex.join(["approve", gate] if given.decision == "approve" else ["answer", gate, *pairs])
