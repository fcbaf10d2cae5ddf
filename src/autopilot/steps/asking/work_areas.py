"""The work areas of one agent's clone: what is not to be committed there."""

from __future__ import annotations

from collections.abc import Sequence

from autopilot.gates.evidence.declared import declared_by
from autopilot.gates.work_area import WorkAreas, find_work_areas
from autopilot.steps.context import StepContext


def work_areas_of(ctx: StepContext, start: str, made: Sequence[str]) -> WorkAreas:
    """``made``: what setup put into the clone that began at ``start``."""
    return find_work_areas(ctx.ports.vault.list(start), made, declared_files(ctx))


def declared_files(ctx: StepContext) -> tuple[str, ...]:
    """What the step's task declares; of a step without a task, what all tasks of the phase do."""
    tasks = ctx.phase.tasks
    chosen = [tasks[ctx.task]] if ctx.task in tasks else list(tasks.values())
    return tuple(path for state in chosen for path in declared_by(state.task))
