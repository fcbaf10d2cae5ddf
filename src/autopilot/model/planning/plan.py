"""A plan: the tasks of one phase, written by a user or by an agent."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct

from autopilot.model.planning.complaint import Complaint
from autopilot.model.planning.criterion import Criterion, Form, Strength
from autopilot.model.planning.promise import Answer


class Dialect(StrEnum):
    GSD = "gsd"  # <task> with child tags
    LABELS = "labels"  # <task id= type= complexity=> around **Files:** blocks
    MARKDOWN = "markdown"  # no <task> tags at all


REMEDIATION = "remediation"
FIX = "fix"  # of what the audit of the whole run found missing


class Task(Struct, frozen=True):
    id: str  # "02-01"
    title: str
    type: str = "auto"  # auto, tdd, checkpoint:human-verify, …
    complexity: str = ""  # simple, medium, complex, or not given
    files: tuple[str, ...] = ()
    action: str = ""
    criteria: tuple[Criterion, ...] = ()
    done: str = ""
    wave: int = 1
    line: int = 0
    path: str = ""  # the plan file it stands in

    @property
    def promises(self) -> dict[str, str]:
        """The words of its criteria, by their ids."""
        return {criterion.id: criterion.text for criterion in self.criteria}

    @property
    def promises_new(self) -> frozenset[str]:
        """The ids of those that must be seen red before the work and green after it."""
        return frozenset(criterion.id for criterion in self.criteria if criterion.is_new)

    @property
    def promised_lines(self) -> list[str]:
        """Its criteria as agents are shown them."""
        return [str(criterion) for criterion in self.criteria]

    @property
    def commands(self) -> list[str]:
        return [criterion.command for criterion in self.criteria if criterion.command]

    @property
    def is_traced(self) -> bool:
        """Whether a reader is to follow one of its handlers."""
        return any(criterion.form is Form.TRACE for criterion in self.criteria)

    @property
    def is_only_searched(self) -> bool:
        """Whether searches of text are all that shows it."""
        return bool(self.criteria) and all(criterion.strength is Strength.GREP for criterion in self.criteria)

    @property
    def is_automatic(self) -> bool:
        return not self.type.startswith("checkpoint")

    @property
    def asks_person(self) -> bool:
        return self.type == "checkpoint:human-verify"

    @property
    def is_extra(self) -> bool:
        """Ours, made after the plan: it promises nothing new, so it is judged by what the plan promised."""
        return self.type == REMEDIATION

    @property
    def may_prove_nothing(self) -> bool:
        """Whether it counts as done where nothing can be run: then another look at the whole has the last word."""
        return self.type in (REMEDIATION, FIX)


def criteria_of_tasks(tasks: Iterable[Task]) -> tuple[Criterion, ...]:
    """What they promise together."""
    return tuple(criterion for task in tasks for criterion in task.criteria)


class Plan(Struct, frozen=True):
    path: str
    dialect: Dialect
    tasks: tuple[Task, ...] = ()
    requirements: tuple[str, ...] = ()
    traceability: tuple[tuple[str, tuple[str, ...]], ...] = ()  # requirement -> task ids
    traceability_line: int = 0  # of the table's heading; 0 when there is no table
    answers: tuple[Answer, ...] = ()  # the rows for success criteria, as written: ids of tasks or criteria
    must_haves: tuple[str, ...] = ()  # of a GSD plan's front matter
    depends_on: tuple[str, ...] = ()
    depends_line: int = 0
    complaints: tuple[Complaint, ...] = ()
