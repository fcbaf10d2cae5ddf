"""A stage to play runs on: the loop without a world, every event stored under the key the real loop would give it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import timedelta

from autopilot.engine.ledger import Slot
from autopilot.events import happened as h
from autopilot.events.entry import Stored
from autopilot.events.fold import fold
from autopilot.events.pieces import step_name
from autopilot.events.provision import AgentCutOff, WaitStarted, Woken
from autopilot.events.recovery import VerdictGiven
from autopilot.events.state import RunState
from autopilot.flows.command import Command, Halt, Record, RunStep, Sleep
from autopilot.flows.roadmap import decide
from autopilot.model.agent import Usage
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import AgentSettings, Budget
from autopilot.model.run import PhaseStatus, RunStatus
from autopilot.rails.assignment import ASKS
from autopilot.steps.context import Result, StepRun
from tests.unit.flows.performer import perform
from tests.unit.flows.playing import Choose
from tests.unit.flows.provisioning import SEATINGS
from tests.unit.making import START

MAX_COMMANDS = 5_000  # far above what three phases of a few tasks can need, each tried twice
Look = Callable[["Stage", Command], None]
ChooseIn = Callable[[RunStep, int], Choose]
Underway = tuple[RunStep, Slot, StepRun]


class Stage:
    """``resumes`` is how often the run is taken up again, after a rest or after a kill.

    ``choose_in`` answers within a step, given which one it is and how often it was asked for before and not put off.
    """

    def __init__(
        self, started: h.RunStarted, choose: Choose, resumes: int = 0, choose_in: ChooseIn | None = None
    ) -> None:
        self.history: list[Stored] = []
        self.keys: dict[str, h.Event] = {}
        self.state = RunState()
        self.choose = choose
        self.resumes = resumes
        self.lacking = False  # what is missing stays missing until somebody looks and resumes
        self.crew: dict[PhaseId, Underway] = {}
        self.now = START  # of the last entry; a second goes by with each
        self.choose_in = choose_in or (lambda *_: choose)
        self.counted: Counter[tuple[str, ...]] = Counter()
        self._store(f"{started.run}/start", started)

    def play(self, look: Look = lambda *_: None) -> Stage:
        """Until the run rests for good: it is completed, or was taken up as often as it may be."""
        for _ in range(MAX_COMMANDS):
            if self.state.halted:
                assert not self.crew, "the run rests with steps under way"
                if self.state.totals.resumes >= self.resumes or self.state.status is RunStatus.COMPLETED:
                    return self
                self.resume()
            self._hear_verdicts()
            commands = decide(self.state, self.state.policy, self.state.now)
            for command in commands:
                look(self, command)
            self._perform(commands)
        raise AssertionError(f"the run does not come to rest; its last entries: {self.history[-6:]}")

    def resume(self) -> None:
        self.lacking = False
        self.crew.clear()
        slot = Slot(f"{self.state.run}/resume/{self.state.totals.resumes + 1}")
        changed = "" if self.state.inputs.spec_changed_to else self.choose("the spec", "", "6" * 64)
        chosen = self.choose("agents chosen anew", None, *SEATINGS)
        seating = chosen and AgentSettings(chosen[0], {}, chosen[1], self.state.policy.assignments.max_wait_minutes)
        over = self.choose("limits are over", False, True)
        self._record(slot, h.RunResumed("0.1.0", (), Budget(), changed, assignments=seating, limits_over=over))

    def _hear_verdicts(self) -> None:
        """A person may speak at any time once the run was taken up again."""
        for phase in self.state.phases.values():
            waits = phase.status is PhaseStatus.NEEDS_HUMAN_VERIFICATION and not phase.is_answered
            if waits and self.state.totals.resumes:
                verdict = self.choose("verdict", "pass", "fail", "issues_found", "")
                if verdict:
                    given = VerdictGiven(phase.id, verdict, ("the receipt is empty",), "you")
                    self._store(f"{self.state.run}/inbox/{len(self.history)}", given)

    def _perform(self, commands: tuple[Command, ...]) -> None:
        """As the loop does: one step is performed here, several side by side, and a rest waits for them."""
        if self.state.availability.wait is not None and any(isinstance(command, RunStep) for command in commands):
            self._wake()
        match commands:
            case (RunStep() as command,) if not self.crew:
                self._begin(command)
                while self.crew and not self.state.halted:
                    self._advance(command.phase)
            case (Halt(status, reason, exit_status),) if not self.crew:
                self._rest(h.RunStopped(status, reason, exit_status))
            case _ if records := [command for command in commands if isinstance(command, Record)]:
                self._record(Slot(f"{self.state.run}/{records[0].slot}"), *records[0].events)
            case _:
                for command in commands:
                    if isinstance(command, RunStep) and command.phase not in self.crew:
                        self._begin(command)
                if self.crew:
                    self._advance(self.choose("who is quickest", *self.crew))
                else:
                    sleeps = [command for command in commands if isinstance(command, Sleep)]
                    self._sleep(min(sleeps, key=lambda sleep: sleep.until))

    def _sleep(self, command: Sleep) -> None:
        wait = self.state.availability.wait
        if wait is None or wait.until != command.until:
            started = WaitStarted(command.until, command.reason)
            self._record(Slot(f"{self.state.run}/wait/{self.state.provision.waits + 1}"), started)
        fatal = ("kill", "signal", "a verdict") if self.state.totals.resumes < self.resumes else ()
        match self.choose("while it waits", "nothing", *fatal):
            case "kill":
                self.resume()
            case "signal":
                self._rest(h.RunStopped(RunStatus.PAUSED, "stopped between two steps (SIGINT)", 130))
            case "nothing":
                self.now = max(self.now, command.until)
                self._wake()

    def _wake(self) -> None:
        wait = self.state.availability.wait
        assert wait is not None
        waited = max(self.now - max(wait.since, self.state.session.since), timedelta())
        self._record(Slot(f"{self.state.run}/wait/{self.state.provision.waits}"), Woken(waited.total_seconds()))

    def _begin(self, command: RunStep) -> None:
        slot = Slot(f"{self.state.run}/{command.phase}/{step_name(command.step, command.task)}/{command.attempt}")
        start = h.StepStarted(command.phase, command.step, command.attempt, command.number, command.task)
        self._store(f"{slot.prefix}/StepStarted/{command.number}", start)
        name = (command.phase, step_name(command.step, command.task))
        self.counted[name] += 1
        choose = self.choose_in(command, self.counted[name])
        self.crew[command.phase] = command, slot, perform(command, self.state, choose)

    def _advance(self, phase: PhaseId) -> None:
        command, slot, running = self.crew[phase]
        match self._mishap():
            case "kill":
                # Nothing is recorded at a kill; the next process begins with a resume, and finds what was used.
                self.resume()
                return self._cut_off(command, Slot(f"{self.state.run}/cut-off/{len(self.history)}"))
            case "signal":
                self._cut_off(command, Slot(f"{slot.prefix}/try-{command.number}"))
                self.crew.clear()
                return self._rest(h.RunStopped(RunStatus.PAUSED, "stopped (SIGINT)", 130))
            case "lack":
                return self._end(slot, command, Result("unproven", detail="git is not there"))
        try:
            self._record(slot, *next(running))
        except StopIteration as end:
            self._end(slot, command, end.value)

    def _cut_off(self, command: RunStep, slot: Slot) -> None:
        """An agent may have been at work."""
        if command.step in ASKS and self.choose("at work when it was stopped", True, False):
            spent = Usage(tokens_in=20, tokens_out=5, usd=0.001)
            role = ASKS[command.step]
            self._record(slot, AgentCutOff(command.phase, command.step, role, "claude", spent, command.task))

    def _mishap(self) -> str:
        if not self.lacking:
            fatal = ("kill", "signal") if self.state.totals.resumes < self.resumes else ()
            mishap: str = self.choose("the world", "none", "lack", *fatal)
            self.lacking = mishap == "lack"
            return mishap
        return "lack"

    def _end(self, slot: Slot, command: RunStep, result: Result) -> None:
        del self.crew[command.phase]
        if result.status == "put_off":
            self.counted[command.phase, step_name(command.step, command.task)] -= 1
        ended = h.StepEnded(command.phase, command.step, command.attempt, result.status, command.task, result.detail)
        self._record(slot, *result.events, ended)

    def _rest(self, stopped: h.RunStopped) -> None:
        self._record(Slot(f"{self.state.run}/stop/{self.state.totals.resumes}"), stopped)

    def _record(self, slot: Slot, *events: h.Event) -> None:
        for event in events:
            self._store(slot.key(event), event)

    def _store(self, key: str, event: h.Event) -> None:
        """As the journal does it: what is there already under its key is left out."""
        if key in self.keys:
            assert self.keys[key] == event, f"{key} is recorded twice with different content"
            return
        self.keys[key] = event
        self.now += timedelta(seconds=1)
        self.history.append(Stored(len(self.history) + 1, self.now, "run-1", key, event))
        self.state = fold(self.state, self.history[-1])
