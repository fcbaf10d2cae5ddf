"""What a step is given, and what it gives back."""

from __future__ import annotations

from collections.abc import Generator
from datetime import datetime
from pathlib import PurePosixPath

from msgspec import Struct

from autopilot.events.happened import Event
from autopilot.events.state import PhaseState, RunState
from autopilot.model.agent import Ending
from autopilot.model.policy import Policy
from autopilot.model.run import Step, StepStatus
from autopilot.ports.bundle import Ports


class StepContext(Struct, frozen=True):
    state: RunState
    phase: PhaseState
    step: Step
    attempt: int
    task: str
    ports: Ports

    @property
    def policy(self) -> Policy:
        return self.state.policy

    @property
    def tip(self) -> str:
        """The last commit of the line this phase works on."""
        return self.state.tip_of(self.phase)

    def onto(self, line: PhaseState) -> str:
        """What a line comes onto: that of a part onto its phase's, that of a phase onto the run's."""
        return self.tip if line.parent else self.state.line.tip

    @property
    def notice(self) -> str:
        """Why the last report of this step was refused, "" when none was."""
        begun = self.phase.step(self.step, self.task)
        return begun.notice if begun else ""

    @property
    def time(self) -> datetime:
        """When this attempt was first begun: tried again after a crash, it makes the very same commits."""
        begun = self.phase.step(self.step, self.task)
        assert begun is not None, "a step runs only after its start was recorded"
        return begun.started_at

    @property
    def spec(self) -> str:
        """The file that says what this phase must do."""
        return self.phase.brief.spec or self.state.inputs.spec.path

    @property
    def project(self) -> PurePosixPath:
        return PurePosixPath(self.ports.checkout.path)

    @property
    def label(self) -> str:
        """Names what a child process belongs to, and the folders made for it."""
        parts = (self.state.run, self.phase.id, self.step.value, self.task)
        return "/".join(part for part in parts if part)


class Result(Struct, frozen=True):
    """The end of a step, and the events that are recorded together with it."""

    status: StepStatus
    events: tuple[Event, ...] = ()
    detail: str = ""
    ending: Ending | None = None  # of the agent, where its missing answer is why


Batch = tuple[Event, ...]
# A step yields what must be durable before it goes on, and returns its result. When it is tried again after a
# crash it yields the same batches again; those recorded already are left out by their keys.
StepRun = Generator[Batch, None, Result]
