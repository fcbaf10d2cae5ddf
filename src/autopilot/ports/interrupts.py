"""Whether the run was asked to stop, by a signal or a cancel."""

from __future__ import annotations

from typing import Protocol


class Interrupts(Protocol):
    def reason(self) -> str:
        """ "SIGINT", "SIGTERM", "cancel", or "" while there is no request. Cheap: it is called several times a second.

        Every thread gets it: a signal until the process ends, a cancel until the loop records it, which it does only
        when no step is in progress.
        """
