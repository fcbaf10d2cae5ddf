"""How a phase stands by what the files of its project say: open, done, held or given up, and who says otherwise."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class Stand(StrEnum):
    OPEN = "open"
    DONE = "done"  # by somebody's word: "done, unproven" unless our journal proves it
    DROPPED = "dropped"  # superseded, deferred, cancelled, struck through: not to be run
    HELD = "held"  # not to be run before a person has settled something, and nothing that depends on it


class Standing(Struct, frozen=True):
    stand: Stand = Stand.OPEN
    because: str = ""  # what decided, such as "ticked in the roadmap"
    against: tuple[str, ...] = ()  # what other places say instead
    score: float | None = None  # that another program gave it: a claim, as the rest is

    def __str__(self) -> str:
        """The whole of it in one line."""
        taken = _TAKEN[self.stand]
        but = f", though {'; '.join(self.against)}" if self.against else ""
        return f"{self.because} ({taken}){but}" if self.because else f"{taken}{but}"


_TAKEN = {
    Stand.OPEN: "open",
    Stand.DONE: "done, unproven",
    Stand.DROPPED: "not to be run",
    Stand.HELD: "waits for you",
}
