"""Work that several threads want at the same time: the first does it, the others wait and share what came of it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Generic, TypeVar

Made = TypeVar("Made")


class Once(Generic[Made]):
    """Nothing is remembered: a caller that asks after the work has ended starts it anew, also after a failure."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._under_way: dict[str, Future[Made]] = {}

    def do(self, key: str, work: Callable[[], Made]) -> Made:
        with self._guard:
            shared = self._under_way.get(key)
            if shared is None:
                mine = self._under_way[key] = Future()
        if shared is not None:
            return shared.result()
        try:
            made = work()
        except BaseException as error:
            self._forget(key)
            mine.set_exception(error)
            raise
        self._forget(key)
        mine.set_result(made)
        return made

    def _forget(self, key: str) -> None:
        with self._guard:
            del self._under_way[key]
