"""A model script: the answers of the scripted model. Users may write it as JSON."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from autopilot.model.errors import UsageError
from autopilot.simulation.model_server.conversation import Conversation


class Tokens(Struct, frozen=True, forbid_unknown_fields=True):
    """The usage that one answer reports. ``input`` is the whole prompt, ``cached`` the cached part of it."""

    input: int = 100
    output: int = 10
    cached: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.cached <= self.input or self.output < 0:
            raise ValueError("tokens must not be negative, and cached must not exceed input")


class Played(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", kw_only=True):
    usage: Tokens = Tokens()


class Say(Played, frozen=True, tag="say"):
    text: str


class Run(Played, frozen=True, tag="run"):
    """Call the shell tool of the agent."""

    command: str


class Write(Played, frozen=True, tag="write"):
    """Call the agent's tool for writing files, or its shell when it has none."""

    path: str
    text: str


class Call(Played, frozen=True, tag="call"):
    """Call a tool of the agent by its name, such as one of a server of its user's; it may have a prefix."""

    tool: str
    input: dict[str, Any] = {}


class Reply(Played, frozen=True, tag="reply"):
    """The structured result: through the result tool if the agent offers one, else as JSON text."""

    value: Any


class Wrong(StrEnum):
    """Faults between an agent and its model."""

    RATE_LIMIT = "rate_limit"  # 429, with retry-after
    USAGE_LIMIT = "usage_limit"  # 429 of a plan that is used up until its reset
    OVERLOADED = "overloaded"  # 529
    AUTH = "auth"  # 401
    CONTEXT = "context"  # 400, the prompt is too long
    ERROR = "error"  # 500, or any other status
    DROP = "drop"  # the connection ends in the middle of the answer
    HANG = "hang"  # the answer begins and stops, until the client or the server closes the connection
    MALFORMED = "malformed"
    REFUSAL = "refusal"  # a complete answer in which the model declines


class Fault(Played, frozen=True, tag="fault"):
    """Precedes the step whose request fails and is no step itself: a client that retries gets the next turn.

    ``first`` is how many requests fail, counted over all conversations of its rule; by default all of them.
    """

    kind: Wrong
    status: int | None = None
    retry_after_s: float | None = None
    first: int | None = None

    def __post_init__(self) -> None:
        if self.status is not None and not 400 <= self.status <= 599:
            raise ValueError("the status of a fault must be from 400 to 599")
        if self.first is not None and self.first < 1:
            raise ValueError("`first` must be a number of requests, 1 or more")


Turn = Say | Run | Write | Call | Reply | Fault


class WrittenRule(Struct, frozen=True, forbid_unknown_fields=True):
    """The answers to prompts in which the pattern ``when`` is found, at most in ``times`` conversations."""

    when: str
    turns: tuple[Turn, ...] = ()
    times: int | None = None

    def __post_init__(self) -> None:
        try:
            re.compile(self.when)
        except re.error as error:
            raise ValueError(f"`when` is not a regular expression: {error}") from error


class Rule(WrittenRule, frozen=True, omit_defaults=True):
    """``answer`` replaces the turns by a function that is called for every request.

    Defaults are omitted, so that a rule without a function can be written to a file and read again.
    """

    answer: Callable[[Conversation], Turn] | None = None


class WrittenScript(Struct, frozen=True, forbid_unknown_fields=True):
    rules: tuple[WrittenRule, ...] = ()
    tools_expected: bool = True


class ModelScript(Struct, frozen=True):
    """The first matching rule answers. With ``tools_expected``, a request without tools is a side request."""

    rules: tuple[Rule, ...] = ()
    tools_expected: bool = True


def parse_model_script(text: str | bytes) -> ModelScript:
    """UsageError with the JSON path of what is wrong."""
    try:
        written = msgspec.json.decode(text, type=WrittenScript)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise UsageError(
            f"the model script is not valid: {error}",
            "correct the script at this position; docs/agents.md describes the format",
        ) from error
    rules = tuple(Rule(rule.when, rule.turns, rule.times) for rule in written.rules)
    return ModelScript(rules, written.tools_expected)


def load_model_script(path: Path) -> ModelScript:
    try:
        return parse_model_script(path.read_bytes())
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError(f"cannot read the model script {path}: {reason}", "name a readable file") from error
