"""A notice to a person who is not watching: that a run stopped, and why."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from autopilot.model.run import RunStatus


class NoticeKind(StrEnum):
    GATE = "gate"  # only people can move it on
    HALT = "halt"  # it failed, or paused at a cap or for want of something
    COMPLETION = "completion"


class Wanted(Struct, frozen=True):
    """One thing that waits for a person."""

    name: str
    title: str
    command: str


class Notice(Struct, frozen=True):
    """Redacted: it leaves the machine."""

    kind: NoticeKind
    run: str
    repository: str
    status: RunStatus
    exit_status: int
    title: str
    reason: str
    command: str  # that leads on; "" where nothing is left to do
    waiting: tuple[Wanted, ...] = ()


class Notify(Struct, frozen=True):
    """How a user wants to be told. Only the user's own settings say so, never a repository."""

    desktop: bool = True
    command: str = ""
    webhook: str = ""
    on: tuple[str, ...] = tuple(NoticeKind)
