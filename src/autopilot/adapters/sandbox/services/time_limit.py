"""When a command has had its time: its own begins when the services beside it are ready."""

from __future__ import annotations

from collections.abc import Callable

from autopilot.ports.sandbox import CommandSpec


class TimeLimit:
    """How long services may take, they are told themselves; twice that is only for the case that they are not."""

    def __init__(self, spec: CommandSpec, began: float, are_ready: Callable[[], bool]) -> None:
        self._own_s = spec.timeout_s
        self._are_ready = are_ready
        self._waits = bool(spec.services)
        self.deadline = began + spec.timeout_s + 2 * sum(daemon.ready_s for daemon in spec.services)

    def is_over(self, now: float) -> bool:
        """Asked again and again; from when the services have become ready, the command's own time counts."""
        if self._waits and self._are_ready():
            self._waits = False
            self.deadline = now + self._own_s
        return now >= self.deadline
