"""The bell: one thread asks for all long-lived children whether they are to stop; none has to wake up for it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from autopilot.model.errors import AutopilotError

ASK_EVERY_S = 0.25
HOLDS_S = 0.2  # hundreds of children wake up by themselves now and then, and a stop may take a second

ShouldStop = Callable[[], str]
Ring = Callable[[], None]


def never_stop() -> str:
    return ""


class Bell:
    """The listener is rung while there is a reason, again and again: it asks itself, and may be busy just then."""

    def __init__(self, should_stop: ShouldStop) -> None:
        self._should_stop = should_stop
        self._asked_at = float("-inf")
        self._guard = threading.Lock()
        self._listeners: dict[Ring, None] = {}
        self._thread: threading.Thread | None = None

    def ask(self) -> str:
        """Why to stop, or "". That there is no reason holds a moment for all: asking reads the record's inbox."""
        now = time.monotonic()
        if now - self._asked_at < HOLDS_S:
            return ""
        reason = self._should_stop()
        if not reason:
            self._asked_at = now
        return reason

    def listen(self, ring: Ring) -> None:
        if self._should_stop is never_stop:
            return
        with self._guard:
            self._listeners[ring] = None
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="bell", daemon=True)
                self._thread.start()

    def leave(self, ring: Ring) -> None:
        with self._guard:
            self._listeners.pop(ring, None)

    def _watch(self) -> None:
        pause = threading.Event()
        while listeners := self._who_listens():
            if self._is_due():
                for ring in listeners:
                    ring()
            pause.wait(ASK_EVERY_S)

    def _who_listens(self) -> list[Ring]:
        """With the last one that leaves the thread ends."""
        with self._guard:
            if not self._listeners:
                self._thread = None
            return list(self._listeners)

    def _is_due(self) -> bool:
        try:
            return bool(self.ask())
        except AutopilotError:
            return True  # whoever is rung asks and meets the same trouble where it is answered for
