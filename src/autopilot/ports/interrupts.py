"""Whether somebody wants the run to stop."""

from __future__ import annotations

from typing import Protocol


class Interrupts(Protocol):
    def reason(self) -> str:
        """ "SIGINT", "SIGTERM", "cancel", or "" while nobody does. Cheap: it is asked several times a second.

        Every thread hears it: a signal until the process ends, a cancel until it is taken up, which the loop does only
        when nothing is under way any more.
        """
