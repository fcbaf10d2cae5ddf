"""How a phase stands by what the files of its project say: open, done or given up, and who says otherwise."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class Stand(StrEnum):
    OPEN = "open"
    DONE = "done"  # by somebody's word: "done, unproven" unless our journal proves it
    DROPPED = "dropped"  # superseded, deferred, cancelled, struck through: not to be run


class Standing(Struct, frozen=True):
    stand: Stand = Stand.OPEN
    because: str = ""  # what decided, such as "ticked in the roadmap"
    against: tuple[str, ...] = ()  # what other places say instead
    score: float | None = None  # that another program gave it: a claim, as the rest is

    def __str__(self) -> str:
        """The whole of it in one line."""
        taken = {Stand.OPEN: "open", Stand.DONE: "done, unproven", Stand.DROPPED: "not to be run"}[self.stand]
        but = f", though {'; '.join(self.against)}" if self.against else ""
        return f"{self.because} ({taken}){but}" if self.because else f"{taken}{but}"
