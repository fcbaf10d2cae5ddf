"""Branches that are merged: the parts of a split phase, and work that waited for a person."""

from __future__ import annotations

from collections.abc import Callable

from autopilot.events.state import PhaseState, RunState
from autopilot.flows.after_gate import NextStep, fail
from autopilot.flows.command import Command, Halt
from autopilot.model.failure import Category
from autopilot.model.policy import Policy
from autopilot.model.run import PhaseStatus, Step

NextInPart = Callable[[RunState, PhaseState, Policy], tuple[Command, ...]]


def next_in_parts(state: RunState, phase: PhaseState, policy: Policy, next_in: NextInPart) -> tuple[Command, ...]:
    """The next commands of the parts in progress, a limited number in parallel; () when all of them are settled."""
    open_parts = [state.parts[name] for name in phase.split.parts if not state.parts[name].settled]
    commands = [command for part in open_parts[: policy.parallel.parts] for command in next_in(state, part, policy)]
    going = tuple(command for command in commands if not isinstance(command, Halt))
    return going or tuple(commands[:1])


def fit_together(state: RunState, phase: PhaseState, policy: Policy, next_step: NextStep) -> Command | None:
    """The next part to merge, or the end when one failed; None when all are merged."""
    failed = [name for name in phase.split.parts if state.parts[name].status is not PhaseStatus.COMPLETED]
    if failed:
        because = "; ".join(f"part {name}: {state.parts[name].ending.failure}" for name in failed)
        return _give_up(state, phase, because, state.parts[failed[0]].ending.failure_category, next_step)
    waiting = [name for name in phase.split.parts if name not in phase.split.integrated]
    return take_in(state, phase, waiting[0], policy, next_step) if waiting else None


def take_in(state: RunState, phase: PhaseState, part: str, policy: Policy, next_step: NextStep) -> Command:
    """Merge and check; a conflict goes to a resolver, a limited number of times, and the result is checked too."""
    conflict = phase.split.conflict
    if conflict is None or conflict.resolved:
        return next_step(phase, Step.INTEGRATE, part)
    if conflict.rounds < policy.attempts.task_debugs:
        return next_step(phase, Step.RESOLVE, part)
    because = f"{conflict.part} could not be merged with the work that is there: {conflict.refusal or conflict.because}"
    return _give_up(state, phase, because, Category.NONE, next_step)


def _give_up(state: RunState, phase: PhaseState, because: str, category: Category, next_step: NextStep) -> Command:
    """The rollback keeps every part's work on a branch of its own; then the phase fails."""
    return fail(state, phase, because, category or Category.COORDINATION_FAILURE, Step.INTEGRATE, next_step)
