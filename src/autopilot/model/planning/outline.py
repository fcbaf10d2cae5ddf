"""What planning files of any format say: the phases, the tasks that are listed for each, and what holds some back."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from autopilot.model.planning.complaint import Complaint
from autopilot.model.planning.plan import Plan, Task
from autopilot.model.planning.roadmap import PhaseId, Roadmap


class Listed(Struct, frozen=True):
    """The tasks that a user's files list for one phase: its plan, which is never rewritten."""

    plan: Plan  # every task of the phase, whatever its state
    done: frozenset[str] = frozenset()  # ids of tasks that the files call done
    held: Mapping[str, str] = {}  # ids of tasks that are not to be run, each with the reason

    @property
    def to_do(self) -> tuple[Task, ...]:
        """What is to be carried out; where everything is done already (a phase made again) all that is not held."""
        wanted = [task for task in self.plan.tasks if task.id not in self.held]
        return tuple(task for task in wanted if task.id not in self.done) or tuple(wanted)


class Outline(Struct, frozen=True):
    roadmap: Roadmap
    listed: Mapping[PhaseId, Listed] = {}  # a phase without an entry has no plan yet: an agent makes one
    specs: Mapping[PhaseId, tuple[str, ...]] = {}  # the files that say what a phase must do: frozen while a run works
    spec: str = ""  # the file that holds for all of them, else that of the first open phase
    questions: tuple[Complaint, ...] = ()  # what only a person can settle: ``init`` shows them


class SpanEdit(Struct, frozen=True):
    """``text[start:end]`` of one file becomes ``new``; whatever lies outside of the spans stays, byte for byte."""

    path: str
    start: int
    end: int
    new: str


class Proven(Struct, frozen=True):
    """What of one phase was proven, to be written back."""

    phase: PhaseId
    tasks: frozenset[str]  # ids as in ``Listed.plan``: those with evidence of their own
    date: str  # "2026-11-18"
