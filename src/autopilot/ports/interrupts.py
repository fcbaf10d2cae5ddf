"""Whether somebody wants the run to stop."""

from __future__ import annotations

from typing import Protocol


class Interrupts(Protocol):
    def reason(self) -> str:
        """ "SIGINT", "SIGTERM", "cancel", or "" while nobody does. Cheap: it is asked several times a second."""
