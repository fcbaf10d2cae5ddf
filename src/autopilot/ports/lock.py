"""One run per repository."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct


class Holder(Struct, frozen=True):
    pid: int
    since: str
    command: str


class Lock(Protocol):
    def take(self, command: str) -> None:
        """Hold the lock until ``release`` or the end of this process. UsageError names the holder."""

    def release(self) -> None: ...

    def holder(self) -> Holder | None:
        """Who holds it now, or None."""
