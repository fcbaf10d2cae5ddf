"""A criterion: one sentence that can be seen to hold or not, and how to look.

The owner of its identity. Within a phase a criterion is known by its ``id``, which is also the subject under which it
is observed and judged. People and reviewers name it by its words instead: two texts with the same ``identity`` name
the same criterion.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from autopilot.model.journal_word import JournalWord

ROADMAP_OWNER = "phase"  # what the ids of the roadmap's own criteria begin with; no task may be called so


def identity(text: str) -> str:
    """What all mentions of one criterion share: neither case, line breaks nor runs of spaces tell two apart."""
    return " ".join(text.split()).casefold()


def criterion_id(owner: str, number: int, letter: str = "c") -> str:
    """``02-01.c1`` of a task, ``phase.c1`` of the roadmap; ``s`` is of a supplement, ``k`` of what must be kept."""
    return f"{owner}.{letter}{number}"


class Kind(StrEnum):
    NEW = "new"  # must be seen red before the work and green after it
    KEEP = "keep"  # must stay green
    ALREADY = "already"  # holds at the base; nothing to build


class Strength(StrEnum):
    """How much an observation of this criterion is worth; the stronger one decides."""

    SCRIPT = "script"
    COMMAND = "command"
    GREP = "grep"


class Origin(StrEnum):
    ROADMAP = "roadmap"
    PLAN = "plan"


class Form(StrEnum):
    COMMAND = "command"  # runnable
    TRACE = "trace"  # "read F:handler and trace to X": known by form, never executed
    PROSE = "prose"  # nothing a program can look at


class Want(StrEnum):
    EXIT = "exit"  # the command's own exit status equals value
    EQUALS = "returns"  # the number it prints equals value
    AT_LEAST = "returns at least"
    AT_MOST = "returns at most"
    CONTAINS = "contains"  # its output contains text


class Expectation(Struct, frozen=True):
    want: Want = Want.EXIT
    value: int = 0
    text: str = ""

    def __str__(self) -> str:
        if self.want is Want.CONTAINS:
            return f'contains "{self.text}"'
        return f"expect EXIT:{self.value}" if self.want is Want.EXIT else f"{self.want.value} {self.value}"

    @property
    def in_words(self) -> str:
        """What is expected, as a user reads it."""
        match self.want:
            case Want.EXIT:
                return f"exit status {self.value}"
            case Want.CONTAINS:
                return f'text containing "{self.text}"'
            case _:
                return f"{self.want.value.removeprefix('returns').strip()} {self.value}".strip()


class CriteriaSource(JournalWord):
    """Where the criteria that triage ran were read."""

    UNKNOWN = ""
    PLAN = "plan"
    ROADMAP = "roadmap"
    NONE = "none"  # there was none that can be run


class Criterion(Struct, frozen=True):
    id: str  # unique within its phase: "02-01.c1", "phase.c3"; see criterion_id
    text: str
    form: Form
    command: str = ""  # normalised: what is really run
    expectation: Expectation = Expectation()
    kind: Kind = Kind.NEW
    strength: Strength = Strength.COMMAND
    line: int = 0
    weight: float = 1.0  # how much it counts in the score, when the plan says
    path: str = ""  # the file it stands in, when that is not its task's
    visual: bool = False  # prose that plainly asks how something looks

    @property
    def task(self) -> str:
        """The id of the task that promises it; "" for a criterion of the roadmap, which the whole phase promises."""
        owner = self.id.rpartition(".")[0]
        return "" if owner == ROADMAP_OWNER else owner

    @property
    def origin(self) -> Origin:
        return Origin.PLAN if self.task else Origin.ROADMAP

    @property
    def is_runnable(self) -> bool:
        """Whether a program can look at it; a trace has a command for people only."""
        return self.form is Form.COMMAND

    @property
    def is_new(self) -> bool:
        return self.kind is Kind.NEW

    @property
    def identity(self) -> str:
        return identity(self.text)

    @property
    def check(self) -> tuple[str, str]:
        """What is looked at. Two criteria with the same check show the same thing, whatever their words."""
        return self.command or self.identity, str(self.expectation)

    def __str__(self) -> str:
        """Its words and its command, as agents are shown them."""
        return f"{self.text}: `{self.command}`" if self.command else self.text

    @property
    def review_line(self) -> str:
        """The same as reviewers are shown it: a trace is theirs to follow."""
        if self.form is Form.TRACE:
            return f"{self.text} (trace it: {self.command or 'from trigger to final action'})"
        return str(self)

    def is_named_by(self, mention: str) -> bool:
        """Whether a reviewer who writes this means the criterion: by its text, or by its id."""
        return identity(mention) in (self.identity, self.id.casefold())


def to_turn_green(criteria: Iterable[Criterion]) -> tuple[Criterion, ...]:
    """Those that a program can see fail before the work, and hold after it."""
    return tuple(criterion for criterion in criteria if criterion.is_new and criterion.is_runnable)


def redact(criteria: Iterable[Criterion], clean: Callable[[str], str]) -> tuple[Criterion, ...]:
    """Whatever of them its author wrote freely, cleaned."""
    return tuple(replace(c, text=clean(c.text), command=clean(c.command)) for c in criteria)


def keep(criteria: Iterable[Criterion], task: str) -> tuple[Criterion, ...]:
    """The same criteria as promises of another task: what they ask for holds, and must go on holding."""
    numbered = enumerate(criteria, start=1)
    return tuple(
        replace(criterion, id=criterion_id(task, number, "k"), kind=Kind.KEEP) for number, criterion in numbered
    )


def as_already(criteria: Iterable[Criterion], ids: Container[str] | None = None) -> tuple[Criterion, ...]:
    """Those that were to be new, or of them the ones with these ids, as already there: they need not have been red."""
    return tuple(
        replace(criterion, kind=Kind.ALREADY)
        if criterion.is_new and (ids is None or criterion.id in ids)
        else criterion
        for criterion in criteria
    )
