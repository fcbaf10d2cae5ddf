"""Error responses in the format of each vendor: status, headers and body."""

from __future__ import annotations

import time
from typing import Any

from msgspec import Struct

from autopilot.simulation.model_server.conversation import Wire
from autopilot.simulation.model_server.script import Fault, Wrong

STATUS = {
    Wrong.RATE_LIMIT: 429,
    Wrong.USAGE_LIMIT: 429,
    Wrong.OVERLOADED: 529,
    Wrong.AUTH: 401,
    Wrong.CONTEXT: 400,
    Wrong.ERROR: 500,
}
ANTHROPIC = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
}
MESSAGES = {
    Wrong.RATE_LIMIT: "This request would exceed your rate limit. Please try again later.",
    Wrong.USAGE_LIMIT: "The usage limit has been reached",
    Wrong.OVERLOADED: "Overloaded",
    Wrong.AUTH: "invalid x-api-key",
    Wrong.CONTEXT: "prompt is too long: 208310 tokens > 200000 maximum",
    Wrong.ERROR: "Internal server error",
}
# Type and code of an error, by fault.
OPENAI = {
    Wrong.RATE_LIMIT: ("tokens", "rate_limit_exceeded"),
    Wrong.USAGE_LIMIT: ("usage_limit_reached", None),
    Wrong.OVERLOADED: ("server_error", "server_is_overloaded"),
    Wrong.AUTH: ("invalid_request_error", "invalid_api_key"),
    Wrong.CONTEXT: ("invalid_request_error", "context_length_exceeded"),
    Wrong.ERROR: ("server_error", None),
}
OPENAI_MESSAGES = {
    Wrong.RATE_LIMIT: "Rate limit reached for requests. Please try again later.",
    Wrong.OVERLOADED: "Our servers are currently overloaded. Please try again later.",
    Wrong.AUTH: "Incorrect API key provided.",
    Wrong.CONTEXT: "Your input exceeds the context window of this model. Please adjust your input and try again.",
}
WINDOW_S = 5 * 3600.0  # of a plan without a given reset time


class Refusal(Struct, frozen=True):
    """An error response."""

    status: int
    body: dict[str, Any]
    headers: dict[str, str] = {}


def refuse(wire: Wire, fault: Fault) -> Refusal:
    status = fault.status or STATUS[fault.kind]
    headers = {} if fault.retry_after_s is None else {"retry-after": f"{fault.retry_after_s:g}"}
    reset = int(time.time() + (WINDOW_S if fault.retry_after_s is None else fault.retry_after_s))
    if wire is Wire.MESSAGES:
        if fault.kind is Wrong.USAGE_LIMIT:
            headers |= _plan_headers(reset)
        return Refusal(status, _anthropic(status, MESSAGES[fault.kind]), headers)
    kind, code = OPENAI[fault.kind]
    error: dict[str, Any] = {
        "message": OPENAI_MESSAGES.get(fault.kind, MESSAGES[fault.kind]),
        "type": kind,
        "param": None,
        "code": code,
    }
    if fault.kind is Wrong.USAGE_LIMIT:
        error |= {"plan_type": "plus", "resets_at": reset}
    return Refusal(status, {"error": error}, headers)


def refuse_request(wire: Wire | None, message: str, place: str | None, code: str | None, status: int = 400) -> Refusal:
    if wire is Wire.MESSAGES:
        return Refusal(status, _anthropic(status, f"{place}: {message}" if place else message))
    error = {"message": message, "type": "invalid_request_error", "param": place, "code": code}
    return Refusal(status, {"error": error})


def _anthropic(status: int, message: str) -> dict[str, Any]:
    return {"type": "error", "error": {"type": ANTHROPIC.get(status, "api_error"), "message": message}}


def _plan_headers(reset: int) -> dict[str, str]:
    limit = {"status": "rejected", "reset": str(reset), "representative-claim": "five_hour"}
    window = {"5h-status": "rejected", "5h-reset": str(reset), "5h-utilization": "1"}
    return {f"anthropic-ratelimit-unified-{name}": value for name, value in (limit | window).items()}
