"""Whether the run is wanted to stop: a signal to this process, or a cancel in the inbox."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from types import FrameType

from autopilot.events.happened import CancelRequested
from autopilot.ports.journal import Journal

LOOK_EVERY_S = 0.4
SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interruption:
    """Install it once per process. The second signal of a kind acts at once: the kernel's own answer is back."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._signal = ""
        self._looked_at = 0.0
        self._cancelled = False
        self._bell = -1

    def install(self) -> None:
        # Python runs handlers in the main thread alone, and not while it is held in a lock when the signal came just
        # before it, or to another thread. The pipe is written to at once, and whoever watches a child reads it.
        self._bell, written = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(written, warn_on_full_buffer=False)
        for number in SIGNALS:
            # A shell starts a job in the background with SIGINT ignored: Ctrl-C there is meant for somebody else.
            if number is not signal.SIGINT or signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._note)

    def reason(self) -> str:
        return self._signal or self._rung() or ("cancel" if self._is_cancelled() else "")

    def _rung(self) -> str:
        if self._bell >= 0:
            with suppress(BlockingIOError):
                for number in os.read(self._bell, 64):
                    if number in SIGNALS:
                        self._signal = signal.Signals(number).name
        return self._signal

    def _is_cancelled(self) -> bool:
        if time.monotonic() - self._looked_at >= LOOK_EVERY_S:
            self._looked_at = time.monotonic()
            # A verdict waits there too, and stops nobody.
            self._cancelled = any(isinstance(m.event, CancelRequested) for m in self._journal.inbox())
        return self._cancelled

    def _note(self, number: int, _: FrameType | None) -> None:
        self._signal = signal.Signals(number).name
        signal.signal(number, signal.SIG_DFL)
