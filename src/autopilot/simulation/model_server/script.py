"""A model script: what the scripted model says and does when an agent asks it. Users may write these as JSON."""

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
    """What one answer is said to have cost. ``input`` is the whole prompt, ``cached`` the part of it not read anew."""

    input: int = 100
    output: int = 10
    cached: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.cached <= self.input or self.output < 0:
            raise ValueError("tokens are never below zero, and no more are cached than came in")


class Played(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", kw_only=True):
    usage: Tokens = Tokens()


class Say(Played, frozen=True, tag="say"):
    text: str


class Run(Played, frozen=True, tag="run"):
    """Call the shell tool of whichever agent asks."""

    command: str


class Write(Played, frozen=True, tag="write"):
    """Call the agent's tool for writing files, or its shell when it has none."""

    path: str
    text: str


class Reply(Played, frozen=True, tag="reply"):
    """The structured result: through the tool for it where the agent offers one, as JSON text elsewhere."""

    value: Any


class Wrong(StrEnum):
    """What can go wrong between an agent and its model."""

    RATE_LIMIT = "rate_limit"  # 429, with retry-after
    USAGE_LIMIT = "usage_limit"  # 429 of a plan that is used up until its reset
    OVERLOADED = "overloaded"  # 529
    AUTH = "auth"  # 401
    CONTEXT = "context"  # 400, the prompt is too long
    ERROR = "error"  # 500, or any other status
    DROP = "drop"  # the connection ends in the middle of the answer
    HANG = "hang"  # the answer begins, and then nothing comes until the client leaves or the server stops
    MALFORMED = "malformed"
    REFUSAL = "refusal"  # a whole answer in which the model declines


class Fault(Played, frozen=True, tag="fault"):
    """Stands before the step it spoils, and takes no step itself: a client that tries again comes to what follows.

    ``first`` is how many requests it spoils, counted over all conversations of its rule; not given, all of them.
    """

    kind: Wrong
    status: int | None = None
    retry_after_s: float | None = None
    first: int | None = None

    def __post_init__(self) -> None:
        if self.status is not None and not 400 <= self.status <= 599:
            raise ValueError("the status of a fault is from 400 to 599")
        if self.first is not None and self.first < 1:
            raise ValueError("`first` is a number of requests from 1 on")


Turn = Say | Run | Write | Reply | Fault


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
    """``answer`` in place of turns lets a program decide; it is asked anew for every request.

    What is not said is not written, so that a script without one can be written to a file and read again.
    """

    answer: Callable[[Conversation], Turn] | None = None


class WrittenScript(Struct, frozen=True, forbid_unknown_fields=True):
    rules: tuple[WrittenRule, ...] = ()
    tools_expected: bool = True


class ModelScript(Struct, frozen=True):
    """The first rule that fits wins. With ``tools_expected`` a request that offers no tools is a side request."""

    rules: tuple[Rule, ...] = ()
    tools_expected: bool = True


def parse_model_script(text: str | bytes) -> ModelScript:
    """UsageError with the JSON path of what is wrong."""
    try:
        written = msgspec.json.decode(text, type=WrittenScript)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise UsageError(f"the model script is not valid: {error}", "Correct it where the message points.") from error
    rules = tuple(Rule(rule.when, rule.turns, rule.times) for rule in written.rules)
    return ModelScript(rules, written.tools_expected)


def load_model_script(path: Path) -> ModelScript:
    try:
        return parse_model_script(path.read_bytes())
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError(f"cannot read the model script {path}: {reason}", "Name a file that can be read.") from error
