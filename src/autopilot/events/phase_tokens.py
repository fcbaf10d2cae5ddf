"""How many tokens a phase has used, and how many it may use: asked by the rail, by every call, and by remedies."""

from __future__ import annotations

from statistics import median

from autopilot.events.state import PhaseState, RunState
from autopilot.model.agent import Usage
from autopilot.model.policy import Policy
from autopilot.model.step import PLANNING_STEPS, REVIEWS, that_ask

# The cap of a phase where nobody named one: a multiple of what it is expected to take, and never less than this.
LEAST_PHASE_TOKENS = 500_000
PHASE_FACTOR = 3
CALLS_PER_PHASE = len(that_ask((*PLANNING_STEPS, *REVIEWS))) + 1  # the judge is asked twice; one more for each task


def phase_usage(state: RunState, phase: PhaseState) -> Usage:
    """Of its present attempt, with what its parts used."""
    return sum((state.parts[name].agents.usage for name in phase.split.parts), phase.agents.usage)


def phase_cap(state: RunState, phase: PhaseState, policy: Policy) -> int:
    """The most tokens one attempt at a phase may use: as it was named, or by its estimate and the calls made so far.

    The middle call counts and not the mean: one that ran away must not raise the cap that is to stop it.
    """
    if policy.budget.tokens_per_phase:
        return policy.budget.tokens_per_phase
    calls = [call.counted for known in (*state.phases.values(), *state.parts.values()) for call in known.agents.asked]
    expected_calls = CALLS_PER_PHASE + len(phase.tasks)
    expected = max(phase.intake.estimate or 0, round(median(calls) * expected_calls) if calls else 0)
    return min(policy.budget.tokens, max(LEAST_PHASE_TOKENS, PHASE_FACTOR * expected))
