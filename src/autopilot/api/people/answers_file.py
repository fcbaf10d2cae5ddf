"""An answers file at work: what it answers is answered as soon as it is asked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from autopilot.adapters.files import translated
from autopilot.api.assembly import Assembly
from autopilot.api.people.gate_answers import answer_key, check_answer
from autopilot.api.people.verdicts import verdict_key
from autopilot.api.projections import ignore_warning
from autopilot.events.entry import Message
from autopilot.events.people import HumanAnswered
from autopilot.events.recovery import VerdictGiven
from autopilot.events.state import PhaseState, RunState
from autopilot.events.talk import HumanGate
from autopilot.model.errors import UsageError
from autopilot.model.human import DECIDED, GateKind
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import PersonVerdict
from autopilot.planning.people.answers import Answers, Reply, parse_answers
from autopilot.planning.people.replies import reply_to, verdict_on
from autopilot.reports.status.gates import wait_for_verdict

MAX_BYTES = 1_000_000  # bytes
SHOWN_FIRST = (GateKind.REQUIREMENTS, GateKind.DESIGN, GateKind.CAUSE)  # something lies before the user


def read_answers(path: str) -> Answers:
    hint = "a run that waits writes .autopilot/questions.md: fill that in"
    file = Path(path).expanduser()
    if not file.is_file():
        raise UsageError(f"there is no answers file {path}", hint)
    with translated(file):
        content = file.read_bytes()
    if len(content) > MAX_BYTES:
        raise UsageError(f"{path} is too large for an answers file", hint)
    return parse_answers(content.decode("utf-8", "replace"), path)


class AnswersFile:
    """Hears every state of a run whose lock this process holds; what the file has to say to it goes into the inbox.

    A verdict is given only on work that waited when the call began, as is an answer to a gate of an issue: nobody can
    have looked at what came later. And neither verdicts nor approvals are taken from a file that git tracks: an agent's
    commit may have written it.
    """

    def __init__(self, answers: Answers, assembly: Assembly) -> None:
        self.answers = answers
        self._assembly = assembly
        self._warn: Callable[[str], None] = ignore_warning
        self._complaints = list(answers.complaints())
        self._done: set[str] = set()
        self._lines: set[int] = set()
        self._is_tracked = _is_tracked(assembly, Path(answers.file))
        self._waiting_phases: dict[str, frozenset[PhaseId]] = {}  # by run: what waited when the call began
        self._open_at_start: dict[str, frozenset[str]] = {}  # by run: gates that were open by then

    def start(self, warn: Callable[[str], None]) -> Callable[[RunState], None]:
        """For one sitting; what is wrong with the file is told in the first."""
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
        """What is left over is told: it may have been meant for something."""
        unused = [answer.line for answer in self.answers.said if answer.text and answer.line not in self._lines]
        self._lines.update(unused)  # told once
        if unused:
            lines = ", ".join(map(str, unused))
            self._warn(f"{self.answers.file}: nobody has asked so far for what is answered in line {lines}")

    def _answer(self, state: RunState, gate: HumanGate) -> None:
        reply = reply_to(gate.asked, self.answers, state)
        self._lines.update(reply.lines)
        for problem in reply.problems:
            self._warn(problem)
        if reply.lacking and reply.lines:
            lacking = ", ".join(reply.lacking)
            self._warn(f"{self.answers.file} has no answer to {lacking}, so {gate.asked.gate} stays open")
        if not reply.is_whole:
            return
        if gate.asked.kind in DECIDED and self._is_tracked:
            self._warn(self._refuse_tracked(reply.lines[0]))
            return
        if gate.asked.kind in SHOWN_FIRST and gate.asked.gate not in self._open_at_start[state.run]:
            position = self.answers.place(reply.lines[0])
            self._warn(f"{position}: {gate.asked.gate} has only been asked now, and nobody can have looked at it")
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
            f"{position}: a verdict counts on work that waits already; phase {phase.id} has only come to wait now"
        )
        distrust = self._refuse_tracked(verdict.lines[0]) if self._is_tracked else ""
        problems = [*verdict.problems, *((too_early,) if late else ()), *((distrust,) if distrust else ())]
        for problem in problems:
            self._warn(problem)
        if not problems:
            issues = tuple(map(self._assembly.redactor.clean, verdict.issues))
            given = VerdictGiven(phase.id, PersonVerdict(verdict.verdict), issues, _author(self.answers))
            self._assembly.ports.journal.post(Message(verdict_key(state, phase), state.run, given))

    def _refuse_tracked(self, line: int) -> str:
        reason = "git tracks this file, and an agent's commit may have written it"
        return f"{self.answers.place(line)}: {reason}: say it by a command, or in a file outside of git"


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
