"""A draft as it stands."""

from __future__ import annotations

from msgspec import Struct

from autopilot.events.drafting.happened import Drafted, DraftSettled
from autopilot.model.planning.draft import MOST_ROUNDS, DraftBrief


class DraftState(Struct, frozen=True):
    brief: DraftBrief
    rounds: tuple[Drafted, ...] = ()
    settled: DraftSettled | None = None

    @property
    def last(self) -> Drafted | None:
        return self.rounds[-1] if self.rounds else None

    @property
    def commit(self) -> str:
        """The last roadmap that was written; "" where none was."""
        return next((written.commit for written in reversed(self.rounds) if written.commit), "")

    @property
    def complaints(self) -> tuple[str, ...]:
        return self.last.complaints if self.last else ()

    @property
    def is_ready(self) -> bool:
        """Whether it waits for its user."""
        return self.last is not None and bool(self.last.commit) and not self.complaints and self.settled is None

    @property
    def is_refused(self) -> bool:
        return len(self.rounds) >= MOST_ROUNDS and bool(self.complaints)

    @property
    def is_over(self) -> bool:
        """Whether no agent has anything left to do for it."""
        return self.settled is not None or self.is_ready or self.is_refused
