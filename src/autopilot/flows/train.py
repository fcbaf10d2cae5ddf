"""Parallel phases: each on a branch of its own, merged one after the other into the run's branch and then landed."""

from __future__ import annotations

from collections.abc import Sequence

from autopilot.events.state import PhaseState, RunState
from autopilot.flows.command import Command, Halt, RunStep
from autopilot.flows.holding import hold
from autopilot.flows.phase import next_in_phase
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.policy import Policy
from autopilot.model.run import PhaseStatus, Step

COUPLING = (Step.INTEGRATE, Step.RESOLVE)


def next_at_work(state: RunState, policy: Policy) -> tuple[Command, ...]:
    """What comes next for every phase in progress; a stop that one of several needs waits for the others."""
    at_work = _at_work(state, policy)
    by_phase = [(phase, next_in_phase(state, phase, policy)) for phase in at_work]
    for phase, of_phase in by_phase:
        if all(isinstance(command, Halt) for command in of_phase) and (held := hold(state, phase)):
            return (held,)
    steps = [(phase, command) for phase, of_phase in by_phase for command in of_phase]
    admitted = _admitted(at_work, [phase for phase, command in steps if _couples(phase, command)])
    commands = [command for phase, command in steps if not _couples(phase, command) or phase is admitted]
    going = tuple(command for command in commands if not isinstance(command, Halt))
    return going or tuple(commands[:1])


def settled_tip(state: RunState) -> str:
    """The tip of the run's branch without work on it that has not passed there: that may yet be rolled back, or wait
    for a person, and must not land with a phase that builds on it."""
    on_it = (p for p in state.phases.values() if p.line.on_own_branch and _takes_a_place(p) and not p.line.tip)
    return next((phase.line.base for phase in on_it if phase.ruling.outcome is not Outcome.PASS), state.line.tip)


def is_taken(state: RunState) -> bool:
    """Whether a phase is on the run's branch, or is being merged into it, and does not land yet."""
    at_work = [phase for phase in state.phases.values() if _takes_a_place(phase)]
    return any(_is_coming(phase) or not (phase.line.tip or phase.landing.state) for phase in at_work)


def _takes_a_place(phase: PhaseState) -> bool:
    return phase.status is PhaseStatus.IN_PROGRESS or phase.is_answered


def _at_work(state: RunState, policy: Policy) -> tuple[PhaseState, ...]:
    """One at a time: the one in progress before those with a person's verdict. In parallel: all of them."""
    if policy.parallel.phases == 1:
        return (state.current,) if state.current else ()
    in_progress = (p for p in state.at_work if p.id in state.phases)
    return (*in_progress, *state.answered)


def _couples(phase: PhaseState, command: Command) -> bool:
    """Whether this merges the phase's own branch into the run's."""
    return isinstance(command, RunStep) and command.step in COUPLING and command.task == phase.id


def _admitted(at_work: Sequence[PhaseState], ready: Sequence[PhaseState]) -> PhaseState | None:
    """The run's branch takes one phase at a time, from merge to landing: the base of its verification must stay.

    A phase whose merge has started, or whose conflict is being resolved, keeps its place even while it waits: a
    conflict is resolved against the branch as it was. Otherwise the first in the order of the run.
    """
    if any(not phase.line.tip for phase in at_work):
        return None
    coming = [phase for phase in at_work if _is_coming(phase)]
    return next((phase for phase in coming or ready if phase in ready), None)


def _is_coming(phase: PhaseState) -> bool:
    begun = phase.open is not None and phase.open.step in COUPLING and phase.open.task == phase.id
    return begun or (phase.split.conflict is not None and phase.split.conflict.part == phase.id)
