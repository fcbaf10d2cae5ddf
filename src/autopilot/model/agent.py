"""A call to an agent and what came back, whichever program answered."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Any, Literal

from msgspec import Struct

from autopilot.model.conditions import SearchPath
from autopilot.model.step import Role as Role  # who is asked stands beside what is asked of them


class Ending(StrEnum):
    """How a call ended. A closed set: ``decide`` reacts to it, the journal records it."""

    COMPLETED = "completed"
    SCHEMA_UNMET = "schema_unmet"
    MAX_TURNS = "max_turns"
    BUDGET = "budget"
    CONTEXT_EXHAUSTED = "context_exhausted"
    RATE_LIMITED = "rate_limited"
    OVERLOADED = "overloaded"
    OFFLINE = "offline"  # its model's host could not be reached from this machine
    AUTH = "auth"
    REFUSED = "refused"
    STALLED = "stalled"
    TIMED_OUT = "timed_out"
    CANCELLED = "cancelled"
    CRASHED = "crashed"
    NOT_FOUND = "not_found"

    @property
    def in_words(self) -> str:
        """For people, after the name of the one who was asked: "the planner ran out of context"."""
        return _ENDINGS[self]


_ENDINGS: Mapping[Ending, str] = {
    Ending.COMPLETED: "completed its call",
    Ending.SCHEMA_UNMET: "sent a reply that did not have the required form",
    Ending.MAX_TURNS: "reached its maximum of turns",
    Ending.BUDGET: "used up the cap of one call",
    Ending.CONTEXT_EXHAUSTED: "ran out of context",
    Ending.RATE_LIMITED: "reached its provider's rate limit",
    Ending.OVERLOADED: "got no answer from its overloaded provider",
    Ending.OFFLINE: "could not reach its model",
    Ending.AUTH: "is not signed in",
    Ending.REFUSED: "refused the request",
    Ending.STALLED: "stopped responding",
    Ending.TIMED_OUT: "did not finish in time",
    Ending.CANCELLED: "was cancelled",
    Ending.CRASHED: "crashed",
    Ending.NOT_FOUND: "could not be started: its program was not found",
}


class Usage(Struct, frozen=True):
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    usd: float = 0.0
    usd_is_estimate: bool = False
    # Of the cached tokens, those that their price leaves out: 9 of 10 where a cached one costs a tenth of another.
    tokens_discounted: int = 0

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out

    @property
    def tokens_counted(self) -> int:
        """What counts towards a cap: cached tokens by their price, since most of a long call is read from a cache."""
        return max(0, self.tokens - self.tokens_discounted)

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
            self.tokens_cached + other.tokens_cached,
            self.usd + other.usd,
            self.usd_is_estimate or other.usd_is_estimate,
            self.tokens_discounted + other.tokens_discounted,
        )

    def since(self, before: Usage) -> Usage:
        """What came on top of an earlier total; never less than nothing, should a count have begun anew."""
        return Usage(
            max(0, self.tokens_in - before.tokens_in),
            max(0, self.tokens_out - before.tokens_out),
            max(0, self.tokens_cached - before.tokens_cached),
            max(0.0, self.usd - before.usd),
            self.usd_is_estimate,
            max(0, self.tokens_discounted - before.tokens_discounted),
        )


class Caps(Struct, frozen=True):
    """Hard limits of one call; ours for every agent."""

    wall_s: float = 3600.0
    stall_s: float = 900.0
    tokens: int = 500_000
    usd: float = 20.0
    reply_bytes: int = 1_000_000


class AgentCall(Struct, frozen=True):
    role: Role
    phase: str
    prompt: str
    workspace: PurePosixPath  # the folder that backs the project in the agent's sandbox
    project: PurePosixPath  # where the project stands inside it: the user's own repository path
    context: PurePosixPath | None = None  # read-only folder shown to the agent at <project>/.autopilot
    layers: tuple[PurePosixPath, ...] = ()  # what setup installed, shown below the workspace's own files
    search: SearchPath = SearchPath()  # programs of the project, beside those of the machine
    schema: Mapping[str, Any] = {}
    task: str = ""
    attempt: int = 1
    nth: int = 1  # which call of its step: a judge speaks twice
    model: str = ""
    caps: Caps = Caps()
    home: PurePosixPath | None = None  # its HOME, kept from one call to the next of the same question
    session: str = ""  # go on with this one; needs the same home
    session_total: Usage = Usage()  # what that session had reported in all: many agents count on from there
    earlier: Usage = Usage()  # what the calls before it to the same question used; they are not recorded yet
    label: str = ""  # run/phase/step, for the process registry


Action = Literal["file_read", "file_write", "command_run"]


class Act(Struct, frozen=True):
    """One thing an agent did, as its transcript tells it."""

    action: Action
    subject: str  # a path, or a command


class AgentReply(Struct, frozen=True):
    ending: Ending
    text: str = ""  # the claim, as said
    value: Any = None  # the structured reply as plain JSON data, not yet validated
    usage: Usage = Usage()
    session: str = ""
    session_total: Usage = Usage()  # as the agent counts: over all calls of its session
    transcript: str = ""  # blob digest
    duration_ms: int = 0
    detail: str = ""  # why it ended so, for people
    resets_at: datetime | None = None  # rate limited: when it is over, if that was said
    retry_after_s: float | None = None  # rate limited or overloaded: how long to wait, if that was said
    refused_hosts: tuple[str, ...] = ()  # that it asked for, and may not reach
