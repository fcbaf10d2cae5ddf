"""A notifier that keeps what it receives: a fake for tests, and one that fails on request."""

from __future__ import annotations

from autopilot.model.errors import Unavailable
from autopilot.model.notice import Notice


class Remembered:
    def __init__(self, name: str = "memory", problem: str = "") -> None:
        self.name = name
        self.problem = problem
        self.notices: list[Notice] = []

    def send(self, notice: Notice) -> None:
        if self.problem:
            raise Unavailable(self.problem, "")
        self.notices.append(notice)
