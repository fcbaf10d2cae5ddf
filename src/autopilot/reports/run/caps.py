"""The cap that stopped a run: who set it, and that of a call as an option high enough for it to continue."""

from __future__ import annotations

import math

from autopilot.events.state import RunState


def raised_caps(state: RunState) -> tuple[tuple[str, str], ...]:
    """Only the caps that were reached: a resumed run keeps the others that were named for it."""
    minutes = math.ceil(2 * _minutes_taken(state))
    needed = {"tokens": _tokens_needed(state), "usd": 2 * state.totals.usage.usd, "minutes": minutes}
    budget, of_config = state.policy.budget, state.policy.caps_of_config or ()
    named = [name for name in _reached(state) if name in state.policy.caps_named and name not in of_config]
    caps = ((name, getattr(budget, name)) for name in named)
    return tuple(cap_option(name, max(2 * cap, needed[name])) for name, cap in caps)


def is_of_config(state: RunState) -> bool | None:
    """Whether the repository's config set the cap that was reached; None where the journal does not say."""
    reached = _reached(state) or _reached_in_phase(state)
    if reached == ("usd",):
        return False  # config has no cap of money
    of_config = state.policy.caps_of_config
    return None if of_config is None else bool(reached) and set(reached) <= set(of_config)


def cap_option(name: str, value: float) -> tuple[str, str]:
    return f"--budget-{name}", f"{value:.15g}"


def _reached(state: RunState) -> tuple[str, ...]:
    used = {"tokens": state.totals.usage.tokens, "usd": state.totals.usage.usd, "minutes": _minutes_taken(state)}
    return tuple(name for name, amount in used.items() if amount >= getattr(state.policy.budget, name))


def _reached_in_phase(state: RunState) -> tuple[str, ...]:
    """Where no cap of the whole run was reached, one of a phase was."""
    most = max((phase.agents.usage.tokens for phase in state.phases.values()), default=0)
    return ("tokens_per_phase" if most >= state.policy.budget.tokens_per_phase else "minutes_per_phase",)


def _tokens_needed(state: RunState) -> int:
    """Twice what was used, or what was used and all that is expected: a phase may have to start over."""
    used, expected = state.totals.usage.tokens, sum(phase.intake.estimate or 0 for phase in state.phases.values())
    return used + max(used, expected)


def _minutes_taken(state: RunState) -> float:
    """Since the last start or resume, from which the minutes of a run are counted."""
    return (state.now - state.session.since).total_seconds() / 60
