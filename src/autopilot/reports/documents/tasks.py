"""The tasks and parts of a phase as its reports show them."""

from __future__ import annotations

from collections.abc import Mapping

from autopilot.events.pieces import TaskState
from autopilot.events.state import PhaseState, RunState
from autopilot.model.evidence.subject import script_subject, whole_task
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.run import TaskStatus

DONE = (TaskStatus.VERIFIED, TaskStatus.ALREADY)
UNDONE = (TaskStatus.FAILED, TaskStatus.REFUSED)


def parts_of(state: RunState, phase: PhaseState) -> tuple[PhaseState, ...]:
    return tuple(state.parts[name] for name in phase.split.parts if name in state.parts)


def tasks_of(state: RunState, phase: PhaseState) -> Mapping[str, TaskState]:
    """Every task as it stands now: those of a split phase are done by its parts."""
    done = {name: task for part in parts_of(state, phase) for name, task in part.tasks.items()}
    return {**phase.tasks, **done}


def home_of(state: RunState, phase: PhaseState, task: str) -> PhaseState:
    """Whose verdicts speak of a task: those of the whole phase, and while it has none, those of its part."""
    if phase.gate.verdicts:
        return phase
    return next((part for part in parts_of(state, phase) if task in part.tasks), phase)


def is_done(task: TaskState, phase: PhaseState) -> bool:
    """By what was judged at the phase's last commit; before that, by what was seen at the task's own."""
    own = {whole_task(task.task.id), script_subject(task.task.id), *task.task.promises}
    judged = [v.outcome for v in phase.gate.verdicts if v.about.without_layer in own]
    return all(outcome is Outcome.PASS for outcome in judged) if judged else task.status in DONE


def is_undone(task: TaskState, phase: PhaseState) -> bool:
    judged = bool(phase.gate.verdicts) and not is_done(task, phase)
    return task.task.is_automatic and (judged or (task.status in UNDONE and not is_done(task, phase)))
