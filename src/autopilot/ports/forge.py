"""Where issues come from and drafts are shown. Nothing it says is evidence, and nothing here merges."""

from __future__ import annotations

from enum import StrEnum
from typing import Protocol

from msgspec import Struct

from autopilot.model.forge import PlannedIssue

OURS = "autopilot/"  # branches below it are ours to push; every other belongs to people


class StatusState(StrEnum):
    PENDING = "pending"
    SUCCESS = "success"
    FAILURE = "failure"


class ForgeIssue(Struct, frozen=True):
    """Untrusted text: any user of the forge may have written it."""

    title: str
    body: str
    labels: tuple[str, ...] = ()


class Forge(Protocol):
    """Whatever could not be done is Unavailable, with what to do about it. Doing it again does no harm.

    Where there is no forge nothing is done, and the answer is "" or None.
    """

    def check(self) -> None:
        """Unavailable where it plainly cannot be used; nothing is sent and no service is asked."""

    def issue(self, number: int) -> ForgeIssue | None:
        """None when there is no such issue."""

    def planned(self, milestone: str) -> tuple[PlannedIssue, ...]:
        """The issues of a milestone, closed ones too; of "" all open ones. Unavailable where none can be listed."""

    def push(self, commit: str, branch: str) -> str:
        """Bring a commit of the vault to a branch below ``autopilot/``; return that branch.

        It only moves forward: a branch that holds commits of other people is never moved back over them.
        """

    def draft(self, branch: str, base: str, title: str, body: str) -> str:
        """The address of the open pull request of a pushed branch, made as a draft where there is none, with this text.

        ``base`` "" is what the settings or the forge itself take for it.
        """

    def comment(self, url: str, body: str) -> None:
        """Comment on a pull request that ``draft`` named; "" names none, and nothing is sent."""

    def label(self, number: int, label: str) -> None: ...

    def status(self, commit: str, state: StatusState, name: str, text: str, url: str = "") -> None:
        """A status of a pushed commit under that name, a later one in place of an earlier: what we saw, in a line."""
