"""How a check that is red compares with the same check before the work began."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class Likeness(StrEnum):
    FINDINGS = "findings"  # every finding was there before
    OUTPUT = "output"  # not readable as findings, and all of what it printed is the same
    NEW = "new"  # there are findings that were not there before
    UNREADABLE = "unreadable"  # what it printed cannot be compared
    NEVER_RAN = "never ran"  # neither before the work nor after it


class Compared(Struct, frozen=True):
    likeness: Likeness
    old: int = 0  # findings that were there before
    new: int = 0
    shown: tuple[str, ...] = ()  # the first few of the new ones
    because: str = ""  # of what is unreadable
    was_readable: bool = False  # before the work its findings could be read

    @property
    def is_excused(self) -> bool:
        """Whether nothing is red but what was before."""
        return self.likeness in (Likeness.FINDINGS, Likeness.OUTPUT)
