"""The caps of a call that stopped a run, as options high enough for it to continue."""

from __future__ import annotations

import math

from autopilot.events.state import RunState


def raised_caps(state: RunState) -> tuple[tuple[str, str], ...]:
    """Only the caps that were reached: a resumed run keeps the others that were named for it."""
    minutes = math.ceil(2 * _minutes_taken(state))
    needed = {"tokens": _tokens_needed(state), "usd": 2 * state.totals.usage.usd, "minutes": minutes}
    caps = ((name, getattr(state.policy.budget, name)) for name in _reached(state) if name in state.policy.caps_named)
    return tuple(cap_option(name, max(2 * cap, needed[name])) for name, cap in caps)


def cap_option(name: str, value: float) -> tuple[str, str]:
    return f"--budget-{name}", f"{value:.15g}"


def _reached(state: RunState) -> tuple[str, ...]:
    used = {"tokens": state.totals.usage.tokens, "usd": state.totals.usage.usd, "minutes": _minutes_taken(state)}
    return tuple(name for name, amount in used.items() if amount >= getattr(state.policy.budget, name))


def _tokens_needed(state: RunState) -> int:
    """Twice what was used, or what was used and all that is expected: a phase may have to start over."""
    used, expected = state.totals.usage.tokens, sum(phase.intake.estimate or 0 for phase in state.phases.values())
    return used + max(used, expected)


def _minutes_taken(state: RunState) -> float:
    """Since the last start or resume, from which the minutes of a run are counted."""
    return (state.now - state.session.since).total_seconds() / 60
