"""Answers from a file: open gates are answered as soon as the run asks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from autopilot.adapters.files import translated
from autopilot.api.assembly import Assembly
from autopilot.api.people.gate_answers import answer_key, check_answer
from autopilot.api.people.verdicts import split_issues, verdict_key
from autopilot.api.projections import ignore_warning
from autopilot.events.entry import Message
from autopilot.events.people import HumanAnswered
from autopilot.events.recovery import VerdictGiven
from autopilot.events.state import PhaseState, RunState
from autopilot.events.talk import HumanGate
from autopilot.model.errors import UsageError
from autopilot.model.human import DECIDED, GateKind
from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.people.answers import Answers, Reply, WrittenAnswer, parse_answers
from autopilot.planning.people.replies import reply_to, verdict_on
from autopilot.reports.status.gates import wait_for_verdict

MAX_BYTES = 1_000_000  # bytes
SHOWN_FIRST = (GateKind.REQUIREMENTS, GateKind.DESIGN, GateKind.CAUSE)  # gates with something to read first


def read_answers(path: str) -> Answers:
    hint = "a waiting run writes .autopilot/questions.md: fill it in and name that file"
    file = Path(path).expanduser()
    if not file.is_file():
        raise UsageError(f"the answers file {path} does not exist", hint)
    with translated(file):
        content = file.read_bytes()
    if len(content) > MAX_BYTES:
        raise UsageError(f"{path} is larger than 1 MB, too large for an answers file", hint)
    return parse_answers(content.decode("utf-8", "replace"), path)


class AnswersFile:
    """Receives every state of a run that this process drives and posts the answers of the file to the inbox.

    A verdict, or an answer to a gate of an issue, counts only for work that was waiting when the call began: the user
    cannot have seen later work. Verdicts and approvals from a file that git tracks are refused: an agent's commit may
    have written it.
    """

    def __init__(self, answers: Answers, assembly: Assembly) -> None:
        self.answers = answers
        self._assembly = assembly
        self._warn: Callable[[str], None] = ignore_warning
        self._complaints = list(answers.complaints())
        self._done: set[str] = set()
        self._lines: set[int] = set()
        self._is_tracked = _is_tracked(assembly, Path(answers.file))
        self._waiting_phases: dict[str, frozenset[PhaseId]] = {}  # by run, at the start of the call
        self._open_at_start: dict[str, frozenset[str]] = {}  # by run: open gates at the start of the call

    def start(self, warn: Callable[[str], None]) -> Callable[[RunState], None]:
        """Begin one drive of the run; problems of the file are reported in the first."""
        self._warn = warn
        while self._complaints:
            warn(self._complaints.pop(0))
        return self.answer_state

    def answer_state(self, state: RunState) -> None:
        if state.run not in self._waiting_phases:
            self._waiting_phases[state.run] = frozenset(phase.id for phase in wait_for_verdict(state))
            self._open_at_start[state.run] = frozenset(gate.asked.gate for gate in state.open_gates)
        for gate in state.open_gates:
            if (key := answer_key(state, gate.asked)) not in self._done:
                self._done.add(key)
                self._answer(state, gate)
        for phase in wait_for_verdict(state):
            if (key := verdict_key(state, phase)) not in self._done:
                self._done.add(key)
                self._judge(state, phase)

    def end(self) -> None:
        """Warn about answers that no question has used."""
        unused = [answer for answer in self.answers.written if answer.text and answer.line not in self._lines]
        self._lines.update(answer.line for answer in unused)  # reported once
        for answer in unused:
            self._warn(f"{self.answers.place(answer.line)}: {_name_question(answer)} is not open: not used")

    def _answer(self, state: RunState, gate: HumanGate) -> None:
        reply = reply_to(gate.asked, self.answers, state)
        self._lines.update(reply.lines)
        for problem in reply.problems:
            self._warn(problem)
        if reply.lacking and reply.lines:
            lacking = ", ".join(reply.lacking)
            self._warn(f"{self.answers.file} has no answer to {lacking}, so {gate.asked.gate} stays open")
        if not any(written.text for written in self.answers.written):
            self._warn(f"{self.answers.file} contains no answer, so {gate.asked.gate} stays open")
        if not reply.is_whole:
            return
        if gate.asked.kind in DECIDED and self._is_tracked:
            self._warn(self._refuse_tracked(reply.lines[0]))
            return
        if gate.asked.kind in SHOWN_FIRST and gate.asked.gate not in self._open_at_start[state.run]:
            position = self.answers.place(reply.lines[0])
            self._warn(
                f"{position}: {gate.asked.gate} was opened during this call, so the file cannot approve it; call again"
            )
            return
        try:
            given = check_answer(state, gate.asked, make_answer(gate, reply, self.answers), self._assembly.redactor)
        except UsageError as error:
            self._warn(f"{self.answers.place(reply.lines[0])}: {error}; {error.hint}")
            return
        self._assembly.ports.journal.post(Message(answer_key(state, gate.asked), state.run, given))

    def _judge(self, state: RunState, phase: PhaseState) -> None:
        verdict = verdict_on(phase.id, self.answers)
        if verdict is None:
            return
        self._lines.update(verdict.lines)
        late = phase.id not in self._waiting_phases[state.run]
        position = self.answers.place(verdict.lines[0])
        too_early = (
            f"{position}: phase {phase.id} began to wait during this call, so the file cannot judge it; call again"
        )
        distrust = self._refuse_tracked(verdict.lines[0]) if self._is_tracked else ""
        problems = [*verdict.problems, *((too_early,) if late else ()), *((distrust,) if distrust else ())]
        for problem in problems:
            self._warn(problem)
        if not problems:
            issues, deferred = split_issues(map(self._assembly.redactor.clean, verdict.issues))
            given = VerdictGiven(phase.id, verdict.verdict, issues, _author(self.answers), deferred)
            self._assembly.ports.journal.post(Message(verdict_key(state, phase), state.run, given))

    def _refuse_tracked(self, line: int) -> str:
        reason = "git tracks this file, so an agent's commit may have written it"
        return f"{self.answers.place(line)}: {reason}; use a command or a file that git does not track"


def _name_question(answer: WrittenAnswer) -> str:
    place = f" of {answer.gate}" if answer.gate else f" of phase {answer.phase}" if answer.phase else ""
    return f"the question {answer.about}{place}"


def _is_tracked(assembly: Assembly, file: Path) -> bool:
    checkout, vault = assembly.ports.checkout, assembly.ports.vault
    root = assembly.repository.path.resolve()
    file = file.expanduser().resolve()
    if not file.is_relative_to(root):
        return False
    head = checkout.head()
    vault.adopt(head)
    return vault.read(head, file.relative_to(root).as_posix()) is not None


def make_answer(gate: HumanGate, reply: Reply, answers: Answers) -> HumanAnswered:
    return HumanAnswered(
        gate.asked.gate, dict(reply.answers), _author(answers), reply.approved, reply.more, comment=reply.comment
    )


def _author(answers: Answers) -> str:
    return f"you, in {Path(answers.file).name}"
