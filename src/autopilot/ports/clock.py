"""Where time comes from."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    def now(self) -> datetime:
        """The present moment in UTC, with its zone. Never earlier than what was returned before."""

    def catch_up(self, moment: datetime) -> None:
        """Go on from this moment when it is still to come: it was recorded, so the clock has been set back since."""

    def nap(self, seconds: float) -> None:
        """Let that much time go by, or a little more."""
