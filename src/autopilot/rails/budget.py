"""Caps of a whole run: tokens, money, time. Hard, and on by default."""

from __future__ import annotations

from datetime import datetime, timedelta

from autopilot.events.state import PhaseState, RunState
from autopilot.model.policy import Policy


def first_tripped(state: RunState, policy: Policy, now: datetime) -> str:
    """The message that says which cap of the whole run is reached, or ""."""
    budget = policy.budget
    usage = state.totals.usage
    if usage.tokens >= budget.tokens:
        return f"the run's token cap is reached: {usage.tokens:,} of {budget.tokens:,}"
    if usage.usd >= budget.usd:
        used = f"~{usage.usd:.2f} (estimate)" if usage.usd_is_estimate else f"{usage.usd:.2f}"
        return f"the run's money cap is reached: {used} of {budget.usd:.2f} USD"
    if time_at_work(state, now).total_seconds() >= budget.minutes * 60:
        return f"the run's time cap is reached: {budget.minutes:g} minutes"
    return ""


def phase_tripped(state: RunState, policy: Policy, now: datetime) -> str:
    """The cap of a phase at work that is reached; with parallel phases, one that a person has judged is at work too."""
    answered = [phase for phase in state.phases.values() if phase.line.on_own_branch and phase.is_answered]
    at_work = (*state.at_work, *answered) or ((state.current,) if state.current else ())
    return next((message for phase in at_work if (message := _tripped(state, phase, policy, now))), "")


def _tripped(state: RunState, phase: PhaseState, policy: Policy, now: datetime) -> str:
    budget = policy.budget
    used = phase.agents.usage.tokens + sum(state.parts[name].agents.usage.tokens for name in phase.split.parts)
    if used >= budget.tokens_per_phase:
        return (
            f"the token cap of phase {phase.id} is reached: {used:,} of {budget.tokens_per_phase:,} (tokens_per_phase)"
        )
    if time_in_phase(state, phase, now).total_seconds() >= budget.minutes_per_phase * 60:
        return f"the time cap of phase {phase.id} is reached: {budget.minutes_per_phase:g} minutes (minutes_per_phase)"
    return ""


def time_at_work(state: RunState, now: datetime) -> timedelta:
    """Since the last start or resume: a stopped run uses no time; without the waits for providers."""
    return now - state.session.since - _waited(state, state.session.waited_s, now)


def time_in_phase(state: RunState, phase: PhaseState, now: datetime) -> timedelta:
    """The same for a phase of the roadmap; its parts have the time of the whole."""
    return now - max(phase.started_at or now, state.session.since) - _waited(state, phase.agents.waited_s, now)


def _waited(state: RunState, waited_s: float, now: datetime) -> timedelta:
    """With the wait that is not over yet: something may be recorded, and decided, in the middle of it."""
    running = now - max(state.availability.wait.since, state.session.since) if state.availability.wait else timedelta()
    return timedelta(seconds=waited_s) + max(running, timedelta())
