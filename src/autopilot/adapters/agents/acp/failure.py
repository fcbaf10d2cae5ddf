"""Why a turn over ACP failed, told as an ending: by what the agent says in fields first, by its own wording second."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from autopilot.adapters.agents.claude import ending as claude_ending
from autopilot.adapters.agents.codex import failure as codex_failure
from autopilot.model.agent import Ending

AUTH_REQUIRED = -32000
RESOURCE_NOT_FOUND = -32002
UNKNOWN = 500  # in the place of the protocol's codes, where some agents put a status, it says nothing

# Names that agents give to what went wrong, in the one spelling of `spell`.
KINDS: Mapping[str, Ending] = {
    **codex_failure.KINDS,
    **claude_ending.FAULTS,
    "resource_exhausted": Ending.RATE_LIMITED,
    "unavailable": Ending.OVERLOADED,
    "unauthenticated": Ending.AUTH,
    "provider_auth_error": Ending.AUTH,
    "context_overflow_error": Ending.CONTEXT_EXHAUSTED,
    "message_output_length_error": Ending.CONTEXT_EXHAUSTED,
}
STATUS_FIELDS = frozenset({"status", "code", "status_code", "http_status_code"})
KIND_FIELDS = frozenset({"error_kind", "error_name", "codex_error_info", "status"})


class Wording(Struct, frozen=True):
    """How an agent words a failure. A group in ``pattern`` is a status, and tells more than ``ending``."""

    pattern: str
    ending: Ending


def judge_failure(error: Mapping[str, Any], wordings: tuple[Wording, ...] = ()) -> Ending:
    """``error`` is the agent's own report of its failure; what tools put out never stands in it."""
    code, message = error.get("code"), str(error.get("message", ""))
    if code == AUTH_REQUIRED:
        return Ending.AUTH
    if code == RESOURCE_NOT_FOUND or error.get("during") == "start":
        return Ending.NOT_FOUND
    report = {"code": None if code == UNKNOWN else code, "data": error.get("data"), "body": _as_data(message)}
    return judge_facts(report) or judge_message(_message(report, message), wordings) or Ending.CRASHED


def judge_facts(report: Mapping[str, Any]) -> Ending | None:
    facts = list(_facts(report))
    statuses = (judge_status(value) for name, value in facts if name in STATUS_FIELDS)
    kinds = (KINDS.get(spell(value)) for name, value in facts if name in KIND_FIELDS and isinstance(value, str))
    for ending in (*statuses, *kinds):
        if ending is not None:
            return ending
    return Ending.OVERLOADED if ("is_retryable", True) in facts else None


def judge_status(status: object) -> Ending | None:
    match status:
        case 408:
            return Ending.OVERLOADED
        case int() if 500 <= status < 600:
            return Ending.OVERLOADED
        case int():
            return claude_ending.STATUSES.get(status)
    return None


def judge_message(message: str, wordings: tuple[Wording, ...]) -> Ending | None:
    plain = message.replace("’", "'")
    for wording in wordings:
        if found := re.search(wording.pattern, plain):
            return (judge_status(int(found[1])) if found.re.groups else None) or wording.ending
    return None


def spell(name: str) -> str:
    """``httpStatusCode`` and ``http_status_code`` are one name."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def _message(report: Mapping[str, Any], message: str) -> str:
    inner = [value for name, value in _facts(report) if name == "message" and isinstance(value, str)]
    return inner[0] if inner else message.removeprefix("Internal error: ")


def _facts(value: object, name: str = "") -> Iterator[tuple[str, Any]]:
    """Every field, however deep it stands."""
    match value:
        case dict():
            for key, part in value.items():
                yield from _facts(part, spell(str(key)))
        case list():
            for part in value:
                yield from _facts(part, name)
        case _:
            yield name, value


def _as_data(message: str) -> object:
    """Some agents hand on the body of their provider's answer as the message."""
    try:
        return msgspec.json.decode(message) if message.startswith("{") else None
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
