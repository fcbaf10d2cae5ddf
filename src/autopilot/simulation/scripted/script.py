"""A script: what the scripted agent is to do and to say in each call. Users write these; see docs/scripted-agent.md."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from autopilot.model.agent import Ending, Role, Usage
from autopilot.model.errors import UsageError

KINDS = ("write", "patch", "delete", "git", "run", "sleep", "usage", "crash", "hang", "flood")
LONGEST_SLEEP_S = 86_400.0
LARGEST_FLOOD = 1 << 30


class Spent(Usage, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A user's own usage figures: a misspelt one is refused, where a vendor's additions are let through."""

    def __post_init__(self) -> None:
        if min(self.tokens_in, self.tokens_out, self.tokens_cached, self.usd) < 0:
            raise ValueError("usage is never below zero")


class Action(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One thing to do. Exactly one of the kinds is given; ``text`` belongs to ``write``."""

    write: str | UnsetType = UNSET
    text: str | UnsetType = UNSET
    patch: str | UnsetType = UNSET
    delete: str | UnsetType = UNSET
    git: tuple[str, ...] | UnsetType = UNSET
    run: str | UnsetType = UNSET
    sleep: float | UnsetType = UNSET
    usage: Spent | UnsetType = UNSET  # added to what was reported before
    crash: int | UnsetType = UNSET
    hang: Literal[True] | UnsetType = UNSET
    flood: int | UnsetType = UNSET

    def __post_init__(self) -> None:
        given = [kind for kind in KINDS if getattr(self, kind) is not UNSET]
        if len(given) != 1:
            raise ValueError(f"an action is exactly one of {', '.join(KINDS)}; here: {', '.join(given) or 'none'}")
        if (self.text is not UNSET) != (self.write is not UNSET):
            raise ValueError("`write` and `text` go together")
        if isinstance(self.sleep, float) and not 0 <= self.sleep <= LONGEST_SLEEP_S:
            raise ValueError(f"`sleep` is a number of seconds from 0 to {LONGEST_SLEEP_S:g}")
        if isinstance(self.crash, int) and not 1 <= self.crash <= 255:
            raise ValueError("`crash` is an exit code from 1 to 255")
        if isinstance(self.flood, int) and not 0 <= self.flood <= LARGEST_FLOOD:
            raise ValueError(f"`flood` is a number of bytes from 0 to {LARGEST_FLOOD}")


class Call(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What to do and to say in the calls it fits. A field not given fits everything, except ``call``.

    A second call of a step asks for something else than the first: what was written for one is no answer to the other.
    """

    role: Role
    phase: str | int | UnsetType = UNSET
    task: str | UnsetType = UNSET
    attempt: int | UnsetType = UNSET
    call: int | UnsetType = UNSET  # which call of its step; not given, only the first
    do: tuple[Action, ...] = ()
    reply: dict[str, Any] | UnsetType = UNSET
    raw: str | UnsetType = UNSET
    usage: Spent = Spent()
    ending: Ending = Ending.COMPLETED
    retry_after_s: float | UnsetType = UNSET  # with an ending of `rate_limited` or `overloaded`

    def __post_init__(self) -> None:
        if self.reply is not UNSET and self.raw is not UNSET:
            raise ValueError("a call says either `reply` or `raw`, not both")
        if isinstance(self.call, int) and self.call < 1:
            raise ValueError("`call` is counted from 1")

    def fits(self, role: Role, phase: str, task: str, attempt: int, nth: int = 1) -> bool:
        return (
            self.role is role
            and (self.phase is UNSET or _unpadded(str(self.phase)) == _unpadded(phase))
            and (self.task is UNSET or self.task == task)
            and (self.attempt is UNSET or self.attempt == attempt)
            and (1 if self.call is UNSET else self.call) == nth
        )

    @property
    def specificity(self) -> int:
        return sum(field is not UNSET for field in (self.phase, self.task, self.attempt, self.call))


class Script(Struct, frozen=True, forbid_unknown_fields=True):
    calls: tuple[Call, ...] = ()
    default: Literal["honest", "fail"] = "honest"


def choose(calls: Sequence[Call], role: Role, phase: str, task: str, attempt: int, nth: int = 1) -> Call | None:
    """The most specific call that fits; among equals the one written first."""
    fitting = (call for call in calls if call.fits(role, phase, task, attempt, nth))
    return max(fitting, key=lambda call: call.specificity, default=None)


def parse_script(text: str | bytes) -> Script:
    """UsageError with the JSON path of what is wrong."""
    try:
        return msgspec.json.decode(text, type=Script)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise UsageError(
            f"the agent script is not valid: {error}", "the format is in docs/scripted-agent.md"
        ) from error


def load_script(path: Path) -> Script:
    try:
        return parse_script(path.read_bytes())
    except OSError as error:
        raise UsageError(
            f"cannot read the agent script {path}: {error.strerror}", "give one with --script FILE"
        ) from error


def _unpadded(phase: str) -> str:
    """Phases are written "3" and "03", "6.1" and "06.1"."""
    return phase.lstrip("0") if phase.lstrip("0")[:1].isdigit() else phase
