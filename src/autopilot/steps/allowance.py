"""What one call may use: no more than is left of the run's and the phase's budget."""

from __future__ import annotations

from collections.abc import Sequence

from autopilot.model.agent import Caps, Usage
from autopilot.rails.budget import time_at_work, time_in_phase
from autopilot.steps.context import StepContext


def allow(ctx: StepContext, spent: Usage) -> Caps:
    """What is left of the budget is the most one call may use; parts at work side by side share it."""
    budget, used, timeouts, state = ctx.policy.budget, ctx.state.usage, ctx.policy.timeouts, ctx.state
    whole = state.phases[ctx.phase.parent] if ctx.phase.parent else ctx.phase
    parts = [state.parts[name] for name in whole.parts]
    in_phase = whole.attempt_usage.tokens + sum(part.attempt_usage.tokens for part in parts)
    left_s = budget.minutes * 60 - time_at_work(state, state.now).total_seconds()
    in_phase_s = time_in_phase(state, whole, state.now).total_seconds()
    left_s = min(left_s, budget.minutes_per_phase * 60 - in_phase_s)
    tokens = min(budget.tokens - used.tokens, budget.tokens_per_phase - in_phase)
    at_work = [part.attempt_usage for part in parts if not part.settled] if ctx.phase.parent else []
    own = ctx.phase.attempt_usage
    return Caps(
        wall_s=max(1.0, min(timeouts.agent, left_s)),
        stall_s=timeouts.agent_stall,
        tokens=max(0, int(share(tokens, [u.tokens for u in at_work], own.tokens)) - spent.tokens),
        usd=max(0.0, share(budget.usd - used.usd, [u.usd for u in at_work], own.usd) - spent.usd),
    )


def share(left: float, at_work: Sequence[float], own: float) -> float:
    """An equal share for each part at work, less what this one has used of it.

    A share of what is left would not do: while one part's agent is still at work with its share, another that calls
    again would be given a share of the very same tokens.
    """
    return (left + sum(at_work)) / len(at_work) - own if at_work else left
