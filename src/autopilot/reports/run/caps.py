"""The cap that stopped a run: which one, who set it, the key that holds it, and an option that raises it."""

from __future__ import annotations

import math

from msgspec.structs import replace

from autopilot.events.phase_tokens import phase_cap, phase_usage
from autopilot.events.state import RunState
from autopilot.model.agent import Usage
from autopilot.model.run import Cap

# The caps that the repository's config can set, by its keys.
CONFIG_KEYS = {
    Cap.TOKENS: "circuit_breaker_config.cost_cap_tokens_total",
    Cap.TOKENS_PER_PHASE: "circuit_breaker_config.cost_cap_tokens_per_phase",
    Cap.MINUTES: "circuit_breaker_config.wall_clock_timeout_minutes_total",
    Cap.MINUTES_PER_PHASE: "circuit_breaker_config.wall_clock_timeout_minutes_per_phase",
}


def caps_reached(state: RunState) -> tuple[Cap, ...]:
    """The cap that stopped the run, and those that would stop it again at once when that one alone is raised."""
    recorded = (state.session.cap,) if state.session.cap else ()
    of_run = tuple(dict.fromkeys((*recorded, *_reached_by_run(state))))
    return tuple(dict.fromkeys((*of_run, *_next_in_phase(state)))) if of_run else _reached_in_phase(state)


def raised_caps(state: RunState) -> tuple[tuple[str, str], ...]:
    """Each as an option of a call, high enough to continue; the repository's own cannot be raised by a call."""
    of_config, needed = state.policy.caps_of_config or (), _needed(state)
    return tuple(cap_option(cap, needed[cap]) for cap in caps_reached(state) if cap not in of_config)


def is_of_call(state: RunState) -> bool:
    """Whether a call named a cap that was reached: a resumed run keeps it, whatever the settings say."""
    return bool(set(caps_reached(state)) & set(state.policy.caps_named))


def is_of_config(state: RunState) -> bool | None:
    """Whether the repository's config set the cap that was reached; None where the journal does not say."""
    reached = caps_reached(state)
    if not set(reached) & set(CONFIG_KEYS):
        return False  # config has no cap of money
    of_config = state.policy.caps_of_config
    return None if of_config is None else set(reached) <= set(of_config)


def keys_in_settings(state: RunState) -> str:
    return _joined([f"budget.{cap}" for cap in caps_reached(state)])


def keys_in_config(state: RunState) -> str:
    return _joined([CONFIG_KEYS[cap] for cap in caps_reached(state) if cap in CONFIG_KEYS])


def cap_option(name: str, value: float) -> tuple[str, str]:
    return f"--budget-{name.replace('_', '-')}", f"{value:.15g}"


def _joined(keys: list[str]) -> str:
    return " and ".join(keys) or "the cap"


def _reached_by_run(state: RunState) -> tuple[Cap, ...]:
    """By tokens and money, which a resumed run has used already; its minutes are counted from the resume."""
    budget, used = state.policy.budget, state.totals.usage
    figures = {Cap.TOKENS: (used.tokens_counted, budget.tokens), Cap.USD: (used.usd, budget.usd)}
    if state.session.cap is None:  # a journal that does not say which
        figures[Cap.MINUTES] = (_minutes_taken(state), budget.minutes)
    return tuple(cap for cap, (amount, most) in figures.items() if amount >= most)


def _next_in_phase(state: RunState) -> tuple[Cap, ...]:
    """The token cap of a phase at work, where it is reached too; a fresh run, for caps of config, counts anew."""
    if set(state.policy.caps_of_config or ()) & {Cap.TOKENS, Cap.TOKENS_PER_PHASE}:
        return ()
    raised = replace(state.policy, budget=replace(state.policy.budget, tokens=int(_needed(state)[Cap.TOKENS])))
    at_work = state.at_work or ((state.current,) if state.current else ())
    over = (phase_usage(state, phase).tokens_counted >= phase_cap(state, phase, raised) for phase in at_work)
    return (Cap.TOKENS_PER_PHASE,) if any(over) else ()


def _reached_in_phase(state: RunState) -> tuple[Cap, ...]:
    """Of a journal that does not say which; a cap that was not named was the same for every phase then."""
    cap = state.policy.budget.tokens_per_phase
    return (Cap.TOKENS_PER_PHASE,) if cap and _most_in_a_phase(state).tokens_counted >= cap else ()


def _needed(state: RunState) -> dict[Cap, float]:
    """Twice what was used, or what was used and all that is expected: a phase may have to start over."""
    budget, used, phase = state.policy.budget, state.totals.usage, _most_in_a_phase(state)
    all_expected = [known.intake.estimate or 0 for known in state.phases.values()]
    minutes = max(2 * _minutes_taken(state), 2 * budget.minutes_per_phase)
    return {
        Cap.TOKENS: max(2 * budget.tokens, used.tokens_counted + max(used.tokens_counted, sum(all_expected))),
        Cap.TOKENS_PER_PHASE: phase.tokens_counted + max(phase.tokens_counted, max(all_expected, default=0)),
        Cap.USD: max(2 * budget.usd, 2 * used.usd),
        Cap.MINUTES: max(2 * budget.minutes, math.ceil(2 * _minutes_taken(state))),
        Cap.MINUTES_PER_PHASE: math.ceil(minutes),
    }


def _most_in_a_phase(state: RunState) -> Usage:
    used = (phase_usage(state, phase) for phase in state.phases.values())
    return max(used, key=lambda usage: usage.tokens_counted, default=Usage())


def _minutes_taken(state: RunState) -> float:
    """Since the last start or resume, from which the minutes of a run are counted."""
    return (state.now - state.session.since).total_seconds() / 60
