"""How long each room of a state lasts, of a phase's and of a run's, and the one way to forget what is over."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum

from msgspec.structs import replace

from autopilot.events.state import PhaseState, RunState
from autopilot.model.step import Step, StepKind


class Lifetime(IntEnum):
    """None outlasts the one before it: forgetting an attempt forgets its plan, its reviews and its rulings."""

    PHASE = 0  # as long as the run
    ATTEMPT = 1  # until the phase starts over
    PLAN = 2  # until it is planned again
    TREE = 3  # until a commit changes what was observed
    REVIEW = 4  # until a reviewer has to review that tree again
    RULING = 5  # until the gate has to rule again


LIFETIMES: Mapping[str, Lifetime] = {
    **dict.fromkeys(("brief", "parent", "totals"), Lifetime.PHASE),
    **dict.fromkeys(("status", "started_at", "warnings"), Lifetime.ATTEMPT),
    **dict.fromkeys(("line", "intake", "retries", "agents"), Lifetime.ATTEMPT),
    **dict.fromkeys(("open", "plan", "tasks", "split", "remediation"), Lifetime.PLAN),
    **dict.fromkeys(("deferral", "landing", "ending"), Lifetime.PLAN),
    "observed": Lifetime.TREE,
    **dict.fromkeys(("reviews", "gate"), Lifetime.REVIEW),
    "ruling": Lifetime.RULING,
}
# The steps are the one field of several lifetimes: each goes with what it made; any other goes with the plan.
KIND_LIFETIMES: Mapping[StepKind, Lifetime] = {
    StepKind.INTAKE: Lifetime.ATTEMPT,
    StepKind.REVIEW: Lifetime.REVIEW,
    StepKind.RULING: Lifetime.RULING,
}
STEP_LIFETIMES: Mapping[str, Lifetime] = {
    step.value: KIND_LIFETIMES[step.kind] for step in Step if step.kind in KIND_LIFETIMES
}


def forget(phase: PhaseState, lifetime: Lifetime) -> PhaseState:
    """The phase without anything that lasts no longer than this: every such room is as in a new phase."""
    new = PhaseState(phase.brief)
    over = {name: getattr(new, name) for name, lasts in LIFETIMES.items() if lasts >= lifetime}
    steps = {name: step for name, step in phase.steps.items() if _lasts(name) < lifetime}
    return replace(phase, **over, steps=steps)


def _lasts(step: str) -> Lifetime:
    return STEP_LIFETIMES.get(step, Lifetime.PLAN)


class RunLifetime(IntEnum):
    """None outlasts the one before it: resuming a stopped run starts a session as well."""

    RUN = 0  # as long as the run
    STOP = 1  # until a run that had stopped is resumed; a kill does not end it
    SESSION = 2  # until the run is resumed, after a stop or a kill


RUN_LIFETIMES: Mapping[str, RunLifetime] = {
    **dict.fromkeys(("run", "archived", "started_at", "now", "seq", "policy"), RunLifetime.RUN),
    **dict.fromkeys(("phases", "parts", "issue", "debugging", "drafting", "breaker"), RunLifetime.RUN),
    **dict.fromkeys(("inputs", "line", "provision", "people", "lessons", "completion", "totals"), RunLifetime.RUN),
    "availability": RunLifetime.STOP,
    **dict.fromkeys(("status", "session"), RunLifetime.SESSION),
}


def forget_of_run(state: RunState, lifetime: RunLifetime) -> RunState:
    """The run without anything that lasts no longer than this: every such room is as in a new run."""
    new = RunState()
    return replace(state, **{name: getattr(new, name) for name, lasts in RUN_LIFETIMES.items() if lasts >= lifetime})
