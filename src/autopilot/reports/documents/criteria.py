"""The criteria and tasks of a phase as its reports show them, and what decides each."""

from __future__ import annotations

from collections.abc import Mapping

from autopilot.events.pieces import TaskState
from autopilot.events.state import PhaseState, RunState
from autopilot.model.evidence.objection import about
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.planning.criterion import Criterion, Form, Strength, identity

DONE = ("verified", "already")
UNDONE = ("failed", "refused")
SCRIPT = "script:"


def parts_of(state: RunState, phase: PhaseState) -> tuple[PhaseState, ...]:
    return tuple(state.parts[name] for name in phase.parts if name in state.parts)


def tasks_of(state: RunState, phase: PhaseState) -> Mapping[str, TaskState]:
    """Every task as it stands now: those of a split phase are done by its parts."""
    done = {name: task for part in parts_of(state, phase) for name, task in part.tasks.items()}
    return {**phase.tasks, **done}


def home_of(state: RunState, phase: PhaseState, task: str) -> PhaseState:
    """Whose verdicts speak of a task: those of the whole phase, and while it has none, those of its part."""
    if phase.verdicts:
        return phase
    return next((part for part in parts_of(state, phase) if task in part.tasks), phase)


def is_done(task: TaskState, phase: PhaseState) -> bool:
    """By what was judged at the phase's last commit; before that, by what was seen at the task's own."""
    own = {f"task {task.task.id}", f"{SCRIPT}{task.task.id}", *(c.id for c in task.task.criteria)}
    judged = [v.outcome for v in phase.verdicts if about(v.subject) in own]
    return all(outcome is Outcome.PASS for outcome in judged) if judged else task.status in DONE


def is_undone(task: TaskState, phase: PhaseState) -> bool:
    judged = bool(phase.verdicts) and not is_done(task, phase)
    return task.task.is_automatic and (judged or (task.status in UNDONE and not is_done(task, phase)))


def deciding_strength(phase: PhaseState, criterion: Criterion) -> Strength | None:
    """How strong the evidence is that decides it: a line of its task's test script before its own command."""
    observed = {o.subject: o for o in phase.observations or ()}
    script, own = observed.get(f"{SCRIPT}{criterion.task}"), observed.get(criterion.id)
    if script is not None and _speaks_of(script, criterion):
        return Strength.SCRIPT
    return own.strength if own is not None else None


def held_at_base(phase: PhaseState, criterion: Criterion) -> bool:
    """Whether what decides it was green before the work: then it was there already, whatever the plan calls it."""
    before = {o.subject: o for o in phase.red or ()}
    script, own = before.get(f"{SCRIPT}{criterion.task}"), before.get(criterion.id)
    if script is not None and _speaks_of(script, criterion) and script.lines:
        return any(passed for text, passed in script.lines if identity(text) == criterion.identity)
    return own is not None and own.seen is Seen.PASSED


def _speaks_of(script: Observation, criterion: Criterion) -> bool:
    if script.seen in (Seen.NOTHING, Seen.TIMED_OUT):
        return criterion.form is not Form.COMMAND
    return criterion.identity in {identity(text) for text, _ in script.lines}
