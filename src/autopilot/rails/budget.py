"""Caps of a whole run: tokens, money, time. Hard, and on by default."""

from __future__ import annotations

from datetime import datetime, timedelta

from autopilot.events.state import RunState
from autopilot.model.policy import Policy


def first_tripped(state: RunState, policy: Policy, now: datetime) -> str:
    """The cap of the whole run that is reached, in words, or ""."""
    budget = policy.budget
    if state.usage.tokens >= budget.tokens:
        return f"the run's token cap is reached: {state.usage.tokens:,} of {budget.tokens:,}"
    if state.usage.usd >= budget.usd:
        return f"the run's money cap is reached: {state.usage.usd:.2f} of {budget.usd:.2f} USD"
    if now - state.active_since >= timedelta(minutes=budget.minutes):
        return f"the run's time cap is reached: {budget.minutes:g} minutes"
    return ""


def phase_tripped(state: RunState, policy: Policy, now: datetime) -> str:
    """The cap of the phase at work that is reached. Time counts from the last start or resume: nobody waits awake."""
    budget, phase = policy.budget, state.current
    if phase is None:
        return ""
    used = phase.attempt_usage.tokens + sum(state.parts[name].attempt_usage.tokens for name in phase.parts)
    if used >= budget.tokens_per_phase:
        return f"the token cap of phase {phase.id} is reached: {used:,} of {budget.tokens_per_phase:,}"
    since = max(phase.started_at or now, state.active_since)
    if now - since >= timedelta(minutes=budget.minutes_per_phase):
        return f"the time cap of phase {phase.id} is reached: {budget.minutes_per_phase:g} minutes"
    return ""
