"""A criterion: one sentence that can be seen to hold or not, and how to look."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class Kind(StrEnum):
    NEW = "new"  # must be seen red before the work and green after it
    KEEP = "keep"  # must stay green
    ALREADY = "already"  # holds at the base; nothing to build


class Strength(StrEnum):
    """How much an observation of this criterion is worth; the stronger one decides."""

    SCRIPT = "script"
    COMMAND = "command"
    GREP = "grep"


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


class Criterion(Struct, frozen=True):
    id: str  # unique within its task or phase: "02-01.c1", "phase.c3"
    text: str
    form: Form
    command: str = ""  # normalised: what is really run
    expectation: Expectation = Expectation()
    kind: Kind = Kind.NEW
    strength: Strength = Strength.COMMAND
    line: int = 0
    weight: float = 1.0  # how much it counts in the score, when the plan says
    path: str = ""  # the file it stands in, when that is not its task's
