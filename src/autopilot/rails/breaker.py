"""The circuit breaker: stops a run whose retries bring no progress."""

from __future__ import annotations

from autopilot.events.state import RunState
from autopilot.model.policy import Policy
from autopilot.model.run import BreakerStatus


def find_reason_to_open(state: RunState, policy: Policy) -> str:
    """The message that says which threshold is reached, or "".

    Half-open, one step of work without progress opens it again, and so does a repeated error.
    """
    breaker, limits = state.breaker, policy.breaker
    if breaker.state == BreakerStatus.OPEN:
        return ""
    no_progress, same_error = limits.no_progress, limits.same_error
    if breaker.state == BreakerStatus.HALF_OPEN:
        no_progress, same_error = 1, 2
    if breaker.no_progress >= no_progress:
        steps = f"{breaker.no_progress} steps of work in a row" if breaker.no_progress > 1 else "the last step of work"
        return f"no progress: {steps} changed nothing"
    if breaker.same_error >= same_error:
        return f"the same error {breaker.same_error} times in a row: {breaker.last_error}"
    if breaker.retries >= limits.retries_per_run:
        return f"the run has used all of its {breaker.retries} retries"
    return ""


def may_close(state: RunState) -> bool:
    """A half-open breaker closes with the first step of work that changes something, or of review that ends well."""
    return state.breaker.state == BreakerStatus.HALF_OPEN and state.breaker.progressed
