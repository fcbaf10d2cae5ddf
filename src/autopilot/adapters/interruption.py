"""Whether the run is wanted to stop: a signal to this process, or a cancel in the inbox."""

from __future__ import annotations

import signal
import time
from types import FrameType

from autopilot.events.happened import CancelRequested
from autopilot.ports.journal import Journal

LOOK_EVERY_S = 0.4


class Interruption:
    """Install it once per process. The second signal of a kind acts at once: the kernel's own answer is back."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._signal = ""
        self._looked_at = 0.0
        self._cancelled = False

    def install(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._note)

    def reason(self) -> str:
        return self._signal or ("cancel" if self._is_cancelled() else "")

    def _is_cancelled(self) -> bool:
        if time.monotonic() - self._looked_at >= LOOK_EVERY_S:
            self._looked_at = time.monotonic()
            # A verdict waits there too, and stops nobody.
            self._cancelled = any(isinstance(m.event, CancelRequested) for m in self._journal.inbox())
        return self._cancelled

    def _note(self, number: int, _: FrameType | None) -> None:
        self._signal = signal.Signals(number).name
        signal.signal(number, signal.SIG_DFL)
