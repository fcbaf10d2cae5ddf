"""Why a turn of Codex failed: by the kind its rollout names, else by the fixed words its own message begins with."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
from msgspec import Struct

from autopilot.model.agent import Ending


class Failure(Struct, frozen=True):
    message: str = ""  # as the event says; without it nothing has failed
    known: str = ""  # the message of the failure that the rollout knows
    info: Any = None  # what kind that is
    time: datetime | None = None
    limits: Mapping[str, Any] = {}


KINDS: Mapping[str, Ending] = {
    "usage_limit_exceeded": Ending.RATE_LIMITED,
    "rate_limit_exceeded": Ending.RATE_LIMITED,
    "context_window_exceeded": Ending.CONTEXT_EXHAUSTED,
    "session_budget_exceeded": Ending.BUDGET,
    "server_overloaded": Ending.OVERLOADED,
    "internal_server_error": Ending.OVERLOADED,
    "policy_capacity_unavailable": Ending.OVERLOADED,
    "unauthorized": Ending.AUTH,
    "cyber_policy": Ending.REFUSED,
    "bio_policy": Ending.REFUSED,
    "misalignment_policy_violation": Ending.REFUSED,
    "invalid_prompt": Ending.REFUSED,
}
# The error codes of the vendor's answers, where Codex hands on the answer as it came.
CODES: Mapping[str, Ending] = {
    "context_length_exceeded": Ending.CONTEXT_EXHAUSTED,
    "rate_limit_exceeded": Ending.RATE_LIMITED,
    "usage_limit_reached": Ending.RATE_LIMITED,
    "insufficient_quota": Ending.RATE_LIMITED,
    "invalid_api_key": Ending.AUTH,
    "server_is_overloaded": Ending.OVERLOADED,
    "invalid_prompt": Ending.REFUSED,
}
# How its own sentences begin. Never what stands further on: that may be anybody's words.
OPENINGS: Mapping[str, Ending] = {
    "You've hit your usage limit": Ending.RATE_LIMITED,
    "Quota exceeded": Ending.RATE_LIMITED,
    "To use Codex with your ChatGPT plan": Ending.RATE_LIMITED,
    "Codex ran out of room in the model's context window": Ending.CONTEXT_EXHAUSTED,
    "We're currently experiencing high demand": Ending.OVERLOADED,
    "Selected model is at capacity": Ending.OVERLOADED,
    "Missing environment variable": Ending.AUTH,
    "Your access token could not be refreshed": Ending.AUTH,
    # Nobody could be reached, or not for long enough: to wait is all that can be done about it.
    "Connection failed": Ending.OVERLOADED,
    "stream disconnected before completion: Transport error": Ending.OVERLOADED,
    "stream disconnected before completion: idle timeout": Ending.OVERLOADED,
    "stream disconnected before completion: stream closed": Ending.OVERLOADED,
}
_STATUS = re.compile(r"(?:unexpected status|exceeded retry limit, last status:) (\d{3})\b")
_TIME = re.compile(r"try again at (?:([A-Z][a-z]{2}) (\d{1,2})(?:st|nd|rd|th), (\d{4}) )?(\d{1,2}:\d{2} [AP]M)\.?$")


def tell_ending(failure: Failure) -> Ending:
    if failure.known == failure.message and (kind := _by_kind(failure.info)):
        return kind
    message = failure.message.replace("’", "'")
    if found := _STATUS.match(message):
        return _by_status(int(found.group(1)))
    if message.startswith("{"):
        return _by_answer(message)
    return next((ending for opening, ending in OPENINGS.items() if message.startswith(opening)), Ending.CRASHED)


def tell_reset(failure: Failure) -> datetime | None:
    """When the limit is over: by the windows that are used up, else as the message says, which is in whole minutes."""
    windows = (failure.limits.get(name) for name in ("primary", "secondary"))
    ends = [window.get("resets_at") for window in windows if isinstance(window, Mapping) and _used_up(window)]
    if known := [end for end in ends if isinstance(end, int) and 0 < end < 1 << 33]:
        return datetime.fromtimestamp(max(known), UTC)
    found = _TIME.search(failure.message)
    if found is None or failure.time is None:
        return None
    month, day, year, time = found.groups()
    now = failure.time
    date = f"{month} {day} {year}" if month else now.strftime("%b %d %Y")
    try:
        end = datetime.strptime(f"{date} {time}", "%b %d %Y %I:%M %p").replace(tzinfo=UTC)
    except ValueError:
        return None
    # A bare time is of today; past midnight it would seem to be over.
    return end if month or end > now - timedelta(minutes=1) else end + timedelta(days=1)


def _by_kind(info: Any) -> Ending | None:
    match info:
        case str(kind):
            return KINDS.get(kind)
        case {**kinds} if len(kinds) == 1:
            ((name, about),) = kinds.items()
            status = about.get("http_status_code") if isinstance(about, Mapping) else None
            return _by_status(status) if isinstance(status, int) else KINDS.get(str(name))
    return None


def _by_status(status: int) -> Ending:
    match status:
        case 401 | 403:
            return Ending.AUTH
        case 429:
            return Ending.RATE_LIMITED
        case status if status >= 500:
            return Ending.OVERLOADED
    return Ending.CRASHED


def _by_answer(message: str) -> Ending:
    try:
        answer = msgspec.json.decode(message)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return Ending.CRASHED
    match answer:
        case {"error": {"code": str(code)}}:
            return CODES.get(code, Ending.CRASHED)
    return Ending.CRASHED


def _used_up(window: Mapping[str, Any]) -> bool:
    used = window.get("used_percent")
    return isinstance(used, int | float) and used >= 100
