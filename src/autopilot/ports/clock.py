"""Where time comes from."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    def now(self) -> datetime:
        """The present moment in UTC, with its zone."""

    def nap(self, seconds: float) -> None:
        """Let that much time go by, or a little more."""
