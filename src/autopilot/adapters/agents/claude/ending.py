"""How a call of Claude Code ended, by its result. Neither "success" nor an exit code of 0 is believed alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autopilot.model.agent import Ending
from autopilot.model.secrecy.cutting import cut_end

REASONS = {
    "max_turns": Ending.MAX_TURNS,
    "budget_exhausted": Ending.BUDGET,
    "prompt_too_long": Ending.CONTEXT_EXHAUSTED,
    "blocking_limit": Ending.CONTEXT_EXHAUSTED,
    "rapid_refill_breaker": Ending.CONTEXT_EXHAUSTED,
    "structured_output_retry_exhausted": Ending.SCHEMA_UNMET,
    "aborted_tools": Ending.CANCELLED,
    "aborted_streaming": Ending.CANCELLED,
}
SUBTYPES = {
    "error_max_turns": Ending.MAX_TURNS,
    "error_max_budget_usd": Ending.BUDGET,
    "error_max_structured_output_retries": Ending.SCHEMA_UNMET,
}
STATUSES = {
    401: Ending.AUTH,
    402: Ending.AUTH,
    403: Ending.AUTH,
    404: Ending.NOT_FOUND,
    413: Ending.CONTEXT_EXHAUSTED,
    429: Ending.RATE_LIMITED,
}
# Without a status: it never got to its model, or was cut off.
FAULTS = {
    "authentication_failed": Ending.AUTH,
    "oauth_org_not_allowed": Ending.AUTH,
    "billing_error": Ending.AUTH,
    "rate_limit": Ending.RATE_LIMITED,
    "overloaded": Ending.OVERLOADED,
    "server_error": Ending.OVERLOADED,
    "model_not_found": Ending.NOT_FOUND,
}
LONGEST_DETAIL = 500


def tell_ending(result: Mapping[str, Any], fault: str) -> tuple[Ending, str]:
    """The ending and why. ``fault`` is how the stream classed the last failure of the model, or ""."""
    ending = _judge(result, fault)
    return ending, "" if ending is Ending.COMPLETED else _words(result)


def _judge(result: Mapping[str, Any], fault: str) -> Ending:
    for table, key in ((REASONS, "terminal_reason"), (SUBTYPES, "subtype")):
        if ending := table.get(str(result.get(key))):
            return ending
    if result.get("stop_reason") == "refusal":
        return Ending.REFUSED
    if result.get("is_error") is False and result.get("subtype") == "success":
        return Ending.COMPLETED
    # A failure of the model comes as a success that is an error.
    status = result.get("api_error_status")
    if isinstance(status, int):
        return STATUSES.get(status, Ending.OVERLOADED if status >= 500 else Ending.CRASHED)
    return FAULTS.get(fault, Ending.CRASHED)


def _words(result: Mapping[str, Any]) -> str:
    errors = result.get("errors")
    message = "; ".join(map(str, errors)) if isinstance(errors, list) else str(result.get("result") or "")
    return cut_end(message.strip(), LONGEST_DETAIL) or str(
        result.get("terminal_reason") or result.get("subtype") or "no reason given"
    )
