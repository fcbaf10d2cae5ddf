"""The chain before a snapshot, checked while the run goes on."""

from __future__ import annotations

import threading
from collections.abc import Iterable

from autopilot.adapters.journal.chain import Row, verify
from autopilot.events.entry import Head
from autopilot.model.errors import AutopilotError, RecordBroken

_BATCH = 2_000  # rows
_PAUSE_S = 0.01  # after each batch: the run comes first
_BEGIN_AFTER_S = 2.0  # a run that resumes is at its first step by then, and was not held up


class BackgroundCheck:
    """Reads the whole record once. What it finds broken is raised by ``raise_fault``."""

    def __init__(self, secret: bytes, rows: Iterable[Row]) -> None:
        self._fault: RecordBroken | None = None
        self._stop = threading.Event()
        self._due = threading.Event()
        self._thread = threading.Thread(target=self._check, args=(secret, rows), name="journal check", daemon=True)
        self._thread.start()

    def raise_fault(self) -> None:
        if self._fault is not None:
            raise self._fault

    def wait(self) -> None:
        self._due.set()
        self._thread.join()

    def stop(self) -> None:
        self._stop.set()
        self._due.set()
        self._thread.join()

    def _check(self, secret: bytes, rows: Iterable[Row]) -> None:
        self._due.wait(_BEGIN_AFTER_S)
        if self._stop.is_set():
            return
        try:
            for number, _ in enumerate(verify(secret, rows, Head(0, "")), 1):
                if number % _BATCH == 0 and self._stop.wait(_PAUSE_S):
                    return
        except RecordBroken as broken:
            self._fault = broken
        except AutopilotError:
            pass  # it could not be read just now; whoever reads all of it, as a landing does, checks it again
