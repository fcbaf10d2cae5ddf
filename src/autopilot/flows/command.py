"""The commands that the loop performs."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from autopilot.events.happened import Event
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import Cap, RunStatus, Step, StopKind


class RunStep(Struct, frozen=True):
    """Carry out one step. ``number`` counts the tries of this attempt: it grows only after a crash."""

    phase: PhaseId
    step: Step
    attempt: int = 1
    number: int = 1
    task: str = ""


class Record(Struct, frozen=True):
    """Record what follows from the past alone. ``slot`` makes the keys of the events unique."""

    slot: str
    events: tuple[Event, ...]


class Halt(Struct, frozen=True):
    status: RunStatus
    reason: str
    exit_status: int
    kind: StopKind | None = None  # which remedy the end of the run names
    cap: Cap | None = None


class Sleep(Struct, frozen=True):
    """Nothing can be done before that time."""

    until: datetime
    reason: str


Command = RunStep | Record | Halt | Sleep
