"""Clocks: the system's, and one that steps evenly for tests and replays."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta


def elapsed_s() -> float:
    """Seconds since the machine started, those in suspend included. No process can set this clock."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


class SystemClock:
    """Reads the wall clock once and then counts: a wall clock that is set in the middle of a run moves no deadline.

    A wait until a moment would last a day longer when the wall clock went back a day, and a time cap would be reached
    at once when it went forward.
    """

    def __init__(self, wall_s: Callable[[], float] = time.time, counted_s: Callable[[], float] = elapsed_s) -> None:
        self._counted_s = counted_s
        self._offset_s = wall_s() - counted_s()

    def now(self) -> datetime:
        return datetime.fromtimestamp(self._offset_s + self._counted_s(), UTC)

    def catch_up(self, moment: datetime) -> None:
        self._offset_s = max(self._offset_s, moment.timestamp() - self._counted_s())

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

    def catch_up(self, moment: datetime) -> None:
        with self._turn:
            self._next = max(self._next, moment)

    def nap(self, seconds: float) -> None:
        with self._turn:
            self._next += timedelta(seconds=seconds)
