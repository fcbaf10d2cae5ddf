"""The circuit breaker: stops a run whose retries bring no progress.

A phase that gets nowhere by itself fails, and the run goes on with what does not depend on it (``find_stall``). The
breaker is for what would hit every phase: one error in several of them, or many retries that lead to nothing. An issue
has no other phase to go on with.
"""

from __future__ import annotations

from autopilot.events.state import PhaseState, RunState
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
    half_open = breaker.state == BreakerStatus.HALF_OPEN
    if half_open:
        no_progress, same_error = 1, 2
    goes_by_all = half_open or not state.is_of_roadmap
    if goes_by_all and breaker.no_progress >= no_progress:
        return _no_progress(breaker.no_progress)
    if breaker.same_error >= same_error and (goes_by_all or len(breaker.failing) > 1):
        return _same_error(state)
    if breaker.retries >= limits.retries_per_run:
        used = "its only retry" if breaker.retries == 1 else f"all of its {breaker.retries} retries"
        return f"the run has used {used}"
    return ""


def find_stall(state: RunState, phase: PhaseState, policy: Policy) -> str:
    """Why another step of work in this phase would lead nowhere, or ""."""
    breaker, limits = state.breaker, policy.breaker
    if not state.is_of_roadmap:
        return ""
    if (steps := breaker.stalled.get(phase.id, 0)) >= limits.no_progress:
        return _no_progress(steps)
    is_its_own = breaker.failing == (phase.parent or phase.id,)
    return _same_error(state) if is_its_own and breaker.same_error >= limits.same_error else ""


def may_close(state: RunState) -> bool:
    """A half-open breaker closes with the first step of work that changes something, or of review that ends well."""
    return state.breaker.state == BreakerStatus.HALF_OPEN and state.breaker.progressed


def _no_progress(steps: int) -> str:
    named = f"{steps} steps of work in a row" if steps > 1 else "the last step of work"
    return f"no progress: {named} changed nothing"


def _same_error(state: RunState) -> str:
    return f"the same error {state.breaker.same_error} times in a row: {state.breaker.last_error}"
