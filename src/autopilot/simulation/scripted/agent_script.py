"""A script: the actions and the reply of the scripted agent in each call; docs/scripted-agent.md describes it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from autopilot.model.agent import Ending, Role, Usage
from autopilot.model.errors import UsageError
from autopilot.settings.faults import describe_misfit

KINDS = ("write", "patch", "delete", "git", "run", "sleep", "usage", "crash", "hang", "flood")
LONGEST_SLEEP_S = 86_400.0
LARGEST_FLOOD = 1 << 30


class ScriptedUsage(Usage, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The usage in a script: unlike a vendor's report, unknown keys are refused."""

    def __post_init__(self) -> None:
        if min(self.tokens_in, self.tokens_out, self.tokens_cached, self.usd) < 0:
            raise ValueError("usage must not be negative")


class Action(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One action. Exactly one of the kinds is given; ``text`` belongs to ``write``."""

    write: str | UnsetType = UNSET
    text: str | UnsetType = UNSET
    patch: str | UnsetType = UNSET
    delete: str | UnsetType = UNSET
    git: tuple[str, ...] | UnsetType = UNSET
    run: str | UnsetType = UNSET
    sleep: float | UnsetType = UNSET
    usage: ScriptedUsage | UnsetType = UNSET  # added to the usage reported before
    crash: int | UnsetType = UNSET
    hang: Literal[True] | UnsetType = UNSET
    flood: int | UnsetType = UNSET

    def __post_init__(self) -> None:
        given = [kind for kind in KINDS if getattr(self, kind) is not UNSET]
        if len(given) != 1:
            raise ValueError(f"an action needs exactly one of {', '.join(KINDS)}; found: {', '.join(given) or 'none'}")
        if (self.text is not UNSET) != (self.write is not UNSET):
            raise ValueError("`write` needs `text`, and `text` needs `write`")
        if isinstance(self.sleep, float) and not 0 <= self.sleep <= LONGEST_SLEEP_S:
            raise ValueError(f"`sleep` must be a number of seconds from 0 to {LONGEST_SLEEP_S:g}")
        if isinstance(self.crash, int) and not 1 <= self.crash <= 255:
            raise ValueError("`crash` must be an exit code from 1 to 255")
        if isinstance(self.flood, int) and not 0 <= self.flood <= LARGEST_FLOOD:
            raise ValueError(f"`flood` must be a number of bytes from 0 to {LARGEST_FLOOD}")


class Call(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The actions and the reply for matching calls. An omitted field matches everything, except ``call``.

    The second call of a step asks for something else than the first, so an entry matches only the first by default.
    """

    role: Role
    phase: str | int | UnsetType = UNSET
    task: str | UnsetType = UNSET
    attempt: int | UnsetType = UNSET
    call: int | UnsetType = UNSET  # which call of its step; by default the first
    do: tuple[Action, ...] = ()
    reply: dict[str, Any] | UnsetType = UNSET
    raw: str | UnsetType = UNSET
    usage: ScriptedUsage = ScriptedUsage()
    ending: Ending = Ending.COMPLETED
    retry_after_s: float | UnsetType = UNSET  # with an ending of `rate_limited`, `overloaded` or `offline`

    def __post_init__(self) -> None:
        if self.reply is not UNSET and self.raw is not UNSET:
            raise ValueError("a call may have `reply` or `raw`, not both")
        if isinstance(self.call, int) and self.call < 1:
            raise ValueError("`call` must be 1 or more")

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
    """The most specific matching call; among equals the first one."""
    fitting = (call for call in calls if call.fits(role, phase, task, attempt, nth))
    return max(fitting, key=lambda call: call.specificity, default=None)


def parse_script(text: str | bytes, name: str = "the agent script") -> Script:
    """UsageError with the JSON path of what is wrong; ``name`` is what its message calls the script."""
    hint = "docs/scripted-agent.md describes the format"
    if not text.strip():
        raise UsageError(f"{name} is empty", hint)
    try:
        return msgspec.json.decode(text, type=Script)
    except msgspec.ValidationError as error:
        raise UsageError(f"{name} is not valid: {describe_misfit('', str(error), Script)}", hint) from error
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise UsageError(f"{name} is not valid JSON{_find_fault(text)}", hint) from error


def _find_fault(text: str | bytes) -> str:
    """Where it stops being JSON: of that, msgspec says only how many bytes it had read."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return f": line {error.lineno}, column {error.colno}"
    except (ValueError, RecursionError):
        pass
    return ""


def load_script(path: Path) -> Script:
    try:
        return parse_script(path.read_bytes(), f"the agent script {path}")
    except OSError as error:
        raise UsageError(
            f"cannot read the agent script {path}: {error.strerror}",
            "name a readable file with --script FILE, or as script below [scripted] in your settings.toml",
        ) from error


def _unpadded(phase: str) -> str:
    """Phases are written "3" and "03", "6.1" and "06.1"."""
    return phase.lstrip("0") if phase.lstrip("0")[:1].isdigit() else phase
