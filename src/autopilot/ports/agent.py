"""A coding agent, whichever program it is."""

from __future__ import annotations

from typing import Protocol

from autopilot.model.agent import AgentCall, AgentReply
from autopilot.model.errors import AgentMissing
from autopilot.model.pasting import Written


class Agent(Protocol):
    """How a call ended is a value in the reply. An exception means *we* could not start it."""

    @property
    def name(self) -> str: ...

    def version(self) -> str:
        """The program's own version; Unavailable, with the remedy, when it is not there."""

    def trouble(self) -> AgentMissing | None:
        """Why it plainly cannot be asked, with the remedy: it is not installed, or not signed in."""

    def call(self, call: AgentCall) -> AgentReply: ...


class Agents(Protocol):
    @property
    def written(self) -> Written:
        """The user's settings file, for messages that name it."""

    def named(self, name: str) -> Agent:
        """The agent of that name, or Unavailable with a hint. Never another one in its place."""
