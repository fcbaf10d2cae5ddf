"""What one call may use: no more than is left of the run's and the phase's budget."""

from __future__ import annotations

from collections.abc import Sequence

from autopilot.events.phase_tokens import phase_cap, phase_usage
from autopilot.events.state import PhaseState, RunState
from autopilot.model.agent import Caps, Usage
from autopilot.model.run import PhaseStatus
from autopilot.rails.budget import time_at_work, time_in_phase
from autopilot.steps.context import StepContext


def allow(ctx: StepContext, spent: Usage) -> Caps:
    """What is left of the budget is the most one call may use; those at work in parallel share it."""
    budget, used, timeouts, state = ctx.policy.budget, ctx.state.totals.usage, ctx.policy.timeouts, ctx.state
    whole = state.phases[ctx.phase.parent] if ctx.phase.parent else ctx.phase
    parts = [state.parts[name] for name in whole.split.parts]
    beside = _beside(state, ctx.phase)
    left_s = budget.minutes * 60 - time_at_work(state, state.now).total_seconds()
    in_phase_s = time_in_phase(state, whole, state.now).total_seconds()
    left_s = min(left_s, budget.minutes_per_phase * 60 - in_phase_s)
    in_parts = [part.agents.usage.tokens_counted for part in parts if not part.settled] if ctx.phase.parent else []
    own = ctx.phase.agents.usage
    of_run = share(budget.tokens - used.tokens_counted, [u.tokens_counted for u in beside], own.tokens_counted)
    left = phase_cap(state, whole, ctx.policy) - phase_usage(state, whole).tokens_counted
    of_phase = share(left, in_parts, own.tokens_counted)
    return Caps(
        wall_s=max(1.0, min(timeouts.agent, left_s)),
        stall_s=timeouts.agent_stall,
        tokens=max(0, int(min(of_run, of_phase)) - spent.tokens_counted),
        usd=max(0.0, share(budget.usd - used.usd, [u.usd for u in beside], own.usd) - spent.usd),
    )


def _beside(state: RunState, phase: PhaseState) -> list[Usage]:
    """The usage of all phases and parts that run in parallel, this one included; empty when it runs alone.

    Phases that may start while the call is in progress are counted with no usage: a call gets its cap once.
    """
    parallel = _at_work(state) if phase.line.on_own_branch or _is_part_on_own_branch(state, phase) else []
    phases_at_work = parallel or ([state.phases[phase.parent]] if phase.parent else [])
    workers = [worker for whole in phases_at_work for worker in _open_parts(state, whole) or [whole]]
    coming = _may_begin(state, phase, state.policy.parallel.phases - len(parallel)) if parallel else 0
    return [*(worker.agents.usage for worker in workers), *[Usage()] * coming]


def _open_parts(state: RunState, whole: PhaseState) -> list[PhaseState]:
    return [part for part in (state.parts[name] for name in whole.split.parts) if not part.settled]


def _at_work(state: RunState) -> list[PhaseState]:
    """Phases on branches of their own, with those that waited for a person and have their verdict."""
    return [phase for phase in (*state.at_work, *state.answered) if phase.line.on_own_branch]


def _may_begin(state: RunState, phase: PhaseState, room: int) -> int:
    after = state.building_on([phase.parent or phase.id])
    waiting = [p for p in state.phases.values() if p.status is PhaseStatus.NOT_STARTED and p.id not in after]
    return max(0, min(room, len(waiting)))


def _is_part_on_own_branch(state: RunState, phase: PhaseState) -> bool:
    return phase.parent is not None and state.phases[phase.parent].line.on_own_branch


def share(left: float, at_work: Sequence[float], own: float) -> float:
    """An equal share for each part at work, less what this one has used of it.

    A share of what is left would not do: while one part's agent is still at work with its share, another that calls
    again would be given a share of the very same tokens.
    """
    return (left + sum(at_work)) / len(at_work) - own if at_work else left
