"""Reading the plan of a phase out of a commit."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from autopilot.model.complaint import Complaint
from autopilot.model.plan import Task
from autopilot.planning.plan import find_plans, parse_plan
from autopilot.steps.context import StepContext
from autopilot.steps.looking import script_path


class PlanRead(Struct, frozen=True):
    """Every task of the phase, from all its plan files, with their test scripts by task id."""

    paths: tuple[str, ...]
    tasks: tuple[Task, ...]
    complaints: tuple[Complaint, ...]
    scripts: Mapping[str, str]


def read_plan(ctx: StepContext, commit: str) -> PlanRead:
    folder = ctx.phase.brief.folder
    paths = find_plans(ctx.ports.vault.list(commit, folder), folder)
    plans = [parse_plan(_text(ctx, commit, path), path, ctx.phase.id, ctx.policy.commands) for path in paths]
    tasks = tuple(sorted((task for plan in plans for task in plan.tasks), key=lambda task: task.wave))
    scripts = {task.id: _text(ctx, commit, script_path(folder, task.id)) for task in tasks}
    return PlanRead(
        paths=paths,
        tasks=tasks,
        complaints=tuple(complaint for plan in plans for complaint in plan.complaints),
        scripts={task: text for task, text in scripts.items() if text},
    )


def _text(ctx: StepContext, commit: str, path: str) -> str:
    content = ctx.ports.vault.read(commit, path)
    return "" if content is None else content.decode("utf-8", "replace")
