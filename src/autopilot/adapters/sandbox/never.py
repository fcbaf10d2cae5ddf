"""A command that could not even be started, as something that is running and has ended."""

from __future__ import annotations

from collections.abc import Iterator

from autopilot.ports.sandbox import NeverRan, Outcome


class NeverStarted:
    def __init__(self, reason: str) -> None:
        self._outcome = Outcome(NeverRan(reason))

    def lines(self) -> Iterator[bytes]:
        return iter(())

    def stop(self, grace_s: float = 0.5) -> None: ...

    def wait(self) -> Outcome:
        return self._outcome
