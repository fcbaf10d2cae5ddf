"""The checks of the packages that a phase works on, for tasks that others are still to follow.

The last task of a phase, and the phase as a whole, are held to every check of the repository (ADR 50): what only runs
beside the work can break by it as well.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from autopilot.events.pieces import TaskState
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.planning.plan import Task
from autopilot.model.policy import Commands
from autopilot.model.run import TaskStatus
from autopilot.planning.config.nearest import commands_of, find_nearest
from autopilot.steps.context import StepContext
from autopilot.steps.observing.observing import list_configured_checks, observe

TO_COME = (TaskStatus.PENDING, TaskStatus.HANDED_OVER)


class Near(Struct, frozen=True):
    """Packages that everything planned lies in, and their checks."""

    packages: tuple[str, ...]
    commands: Commands


def near_of(ctx: StepContext, tasks: Sequence[Task]) -> Near | None:
    """None where the repository has one package, where some file is not known, or where it would leave nothing out."""
    packages, automatic = ctx.policy.packages, [task for task in tasks if task.is_automatic]
    if not packages or ctx.phase.parent or not all(task.files for task in automatic):
        return None
    found = find_nearest([path for task in automatic for path in task.files], list(packages))
    if not found or set(found) == set(packages):
        return None
    return Near(found, commands_of(found, packages, ctx.policy.commands))


def observe_near(ctx: StepContext, commit: str, tasks: Sequence[Task]) -> tuple[Observation, ...]:
    """Their checks before the work, to compare with; none where the phase has only one task, held to all of them."""
    near = near_of(ctx, tasks)
    if near is None or sum(task.is_automatic for task in tasks) < 2:
        return ()
    known = {command for _, command in ctx.policy.commands.checks()}
    checks = [check for check in list_configured_checks(_with(ctx, near.commands)) if check.command not in known]
    seen = observe(ctx, commit, checks, at_base=True)
    return seen if all(observation.seen is not Seen.NOTHING for observation in seen) else ()


def narrow_to_package(ctx: StepContext, state: TaskState) -> tuple[StepContext, tuple[str, ...]]:
    """The context in which one task is checked, and the packages whose checks alone are run; () for all of them."""
    tasks = [planned.task for planned in ctx.phase.planned]
    near, before = near_of(ctx, tasks), ctx.phase.plan.near
    if near is None or not before or not _is_followed(ctx, state):
        return ctx, ()
    changed = find_nearest(state.files, list(ctx.policy.packages))
    base = {(seen.subject, seen.command): seen for seen in (*(ctx.phase.plan.baseline or ()), *before)}
    if not changed or not set(changed) <= set(near.packages) or any(key not in base for key in near.commands.checks()):
        return ctx, ()
    baseline = tuple(base[key] for key in near.commands.checks())
    narrowed = _with(ctx, near.commands)
    return replace(narrowed, phase=replace(ctx.phase, plan=replace(ctx.phase.plan, baseline=baseline))), near.packages


def _is_followed(ctx: StepContext, state: TaskState) -> bool:
    others = (other for name, other in ctx.phase.tasks.items() if name != state.task.id and other.task.is_automatic)
    return any(other.status in TO_COME for other in others)


def _with(ctx: StepContext, commands: Commands) -> StepContext:
    return replace(ctx, state=replace(ctx.state, policy=replace(ctx.policy, commands=commands)))
