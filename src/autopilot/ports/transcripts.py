"""What agents print while they work: stored as it comes, shown to a user who watches, never read to decide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from autopilot.model.agent import AgentCall, Role, Usage


class Abandoned(Struct, frozen=True):
    """A call whose process was killed."""

    id: str  # of this call and no other
    label: str
    agent: str
    role: Role
    phase: str
    task: str
    usage: Usage
    transcript: str  # blob digest


class OpenTranscript(Protocol):
    def line(self, line: bytes) -> None:
        """One line of the agent's output. Stored without secrets before this returns."""

    def doing(self, activity: str, usage: Usage) -> None:
        """Its current activity in a short text, and what it has used up to now: for the live view."""

    def close(self, rest: bytes) -> str:
        """Add what came on the other stream and store all of it; the digest of the blob."""


class Transcripts(Protocol):
    def open(self, agent: str, call: AgentCall) -> OpenTranscript: ...

    def abandoned(self) -> tuple[Abandoned, ...]:
        """What a killed process left open, put away as blobs. Only when no call is in progress; may be called again."""

    def forget(self, calls: Sequence[Abandoned]) -> None:
        """Remove what was left open, once it is recorded."""
