"""A way to notify a user who is not at the terminal."""

from __future__ import annotations

from typing import Protocol

from autopilot.model.notice import Notice


class Notifier(Protocol):
    name: str

    def send(self, notice: Notice) -> None:
        """Tell it, within a few seconds. Unavailable says why it could not be told, and no part of a secret address."""
