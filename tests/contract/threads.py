"""Eight threads that start together, for what several parts of a phase use at the same time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

CROWD = 8
Result = TypeVar("Result")


def together(work: Callable[[int], Result], crowd: int = CROWD) -> list[Result]:
    """What each came to, in order; the first exception is raised here."""
    start = threading.Barrier(crowd, timeout=180)

    def begin(number: int) -> Result:
        start.wait()
        return work(number)

    with ThreadPoolExecutor(crowd) as pool:
        return list(pool.map(begin, range(crowd), timeout=180))
