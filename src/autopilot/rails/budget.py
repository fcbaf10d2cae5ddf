"""Caps of a run and of its phases: tokens, money, time. Hard, and on by default."""

from __future__ import annotations

from datetime import datetime, timedelta

from msgspec import Struct

from autopilot.events.phase_tokens import phase_cap, phase_usage
from autopilot.events.pieces import EPOCH
from autopilot.events.state import PhaseState, RunState
from autopilot.model.agent import Usage
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Policy
from autopilot.model.run import Cap


class Tripped(Struct, frozen=True):
    """A cap that is reached, and the message that says so."""

    cap: Cap
    message: str
    phase: PhaseId | None = None  # whose cap it is, where it is not the run's


def first_tripped(state: RunState, policy: Policy, now: datetime) -> Tripped | None:
    """The cap of the whole run that is reached."""
    budget = policy.budget
    usage = state.totals.usage
    if usage.tokens_counted >= budget.tokens:
        return Tripped(Cap.TOKENS, f"the run's token cap is reached: {_against(usage, budget.tokens)}")
    if usage.usd >= budget.usd:
        used = f"~{usage.usd:.2f} (estimate)" if usage.usd_is_estimate else f"{usage.usd:.2f}"
        return Tripped(Cap.USD, f"the run's money cap is reached: {used} of {budget.usd:.2f} USD")
    if time_at_work(state, now).total_seconds() >= budget.minutes * 60:
        return Tripped(Cap.MINUTES, f"the run's time cap is reached: {budget.minutes:g} minutes")
    return None


def phase_tripped(state: RunState, policy: Policy, now: datetime) -> Tripped | None:
    """The cap of a phase at work that is reached; with parallel phases, one that a person has judged is at work too."""
    answered = [phase for phase in state.answered if phase.line.on_own_branch]
    at_work = (*state.at_work, *answered) or ((state.current,) if state.current else ())
    return next((tripped for phase in at_work if (tripped := _tripped(state, phase, policy, now))), None)


def _tripped(state: RunState, phase: PhaseState, policy: Policy, now: datetime) -> Tripped | None:
    budget = policy.budget
    used, cap = phase_usage(state, phase), phase_cap(state, phase, policy)
    if used.tokens_counted >= cap:
        reached = f"the token cap of phase {phase.id} is reached: {_against(used, cap)} (tokens_per_phase)"
        return Tripped(Cap.TOKENS_PER_PHASE, reached, phase.id)
    if time_in_phase(state, phase, now).total_seconds() >= budget.minutes_per_phase * 60:
        taken = f"{budget.minutes_per_phase:g} minutes (minutes_per_phase)"
        return Tripped(Cap.MINUTES_PER_PHASE, f"the time cap of phase {phase.id} is reached: {taken}", phase.id)
    return None


def _against(usage: Usage, cap: int) -> str:
    """What counts, of what may; all tokens as well where cached ones make the difference."""
    cached = f" ({usage.tokens:,} with the cached ones, which count by their price)" if usage.tokens_discounted else ""
    return f"{usage.tokens_counted:,} of {cap:,}{cached}"


def time_at_work(state: RunState, now: datetime) -> timedelta:
    """Since the last start or resume: a stopped run uses no time; without the waits for providers."""
    return now - state.session.since - _waited(state, state.session.waited_s, now)


def time_in_phase(state: RunState, phase: PhaseState, now: datetime) -> timedelta:
    """The same for a phase of the roadmap; its parts have the time of the whole. One that is held back uses none.

    Nor does one that waits for a person: its time begins anew with their verdict.
    """
    now = phase.line.held_at or now
    judged_at = phase.deferral.verdict_at if phase.deferral else None
    since = max(phase.started_at or now, state.session.since, judged_at or EPOCH)
    return now - since - _waited(state, phase.agents.waited_s, now)


def _waited(state: RunState, waited_s: float, now: datetime) -> timedelta:
    """With the wait that is not over yet: something may be recorded, and decided, in the middle of it."""
    running = now - max(state.availability.wait.since, state.session.since) if state.availability.wait else timedelta()
    return timedelta(seconds=waited_s) + max(running, timedelta())
