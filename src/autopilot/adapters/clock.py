"""Clocks: the system's, and one that steps evenly for tests and replays."""

from __future__ import annotations

import threading
import time
from datetime import UTC, datetime, timedelta


class SystemClock:
    def now(self) -> datetime:
        return datetime.now(UTC)

    def nap(self, seconds: float) -> None:
        time.sleep(seconds)


class SteppedClock:
    """Starts at ``start`` and is one ``step`` further at every later call."""

    def __init__(
        self, start: datetime = datetime(2025, 1, 1, tzinfo=UTC), step: timedelta = timedelta(seconds=1)
    ) -> None:
        self._next = start
        self._step = step
        self._turn = threading.Lock()

    def now(self) -> datetime:
        with self._turn:
            now, self._next = self._next, self._next + self._step
            return now

    def nap(self, seconds: float) -> None:
        with self._turn:
            self._next += timedelta(seconds=seconds)
