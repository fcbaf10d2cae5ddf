"""A task that the work of an earlier task fulfilled: red before the phase, green at a commit that the phase has made.

What an agent says does not count here: a task is taken for fulfilled only where everything that it is to turn green
was seen red before the work, and is seen green now. What that green is worth, verify asks of the whole phase.
"""

from __future__ import annotations

from autopilot.model.evidence.deciding import deciding, script_of
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.planning.plan import FIX, REMEDIATION, Task
from autopilot.steps.context import StepContext
from autopilot.steps.observing.observing import list_task_checks, observe


def find_fulfilling(ctx: StepContext, task: Task) -> str:
    """The first commit of an earlier task at which all that this task promises holds, or "" where none does."""
    if task.type in (REMEDIATION, FIX) or ctx.phase.tasks[task.id].commit or not _was_red(ctx, task):
        return ""
    others = [state for name, state in ctx.phase.tasks.items() if name != task.id]
    commits = list(dict.fromkeys(state.commit for state in others if state.commit))
    if ctx.tip not in commits or not _is_green(ctx, task, ctx.tip):
        return ""
    return next((commit for commit in commits if commit == ctx.tip or _is_green(ctx, task, commit)), ctx.tip)


def _was_red(ctx: StepContext, task: Task) -> bool:
    """Whether each thing that the task is to turn green was seen to fail before the work. Prose shows nothing."""
    red = ctx.phase.plan.red or ()
    script = script_of(task.id, red)
    new = [deciding(criterion, red, script).seen for criterion in task.criteria if criterion.is_new]
    return bool(new) and all(seen is Seen.FAILED for seen in (*new, *((script.seen,) if script else ())))


def _is_green(ctx: StepContext, task: Task, commit: str) -> bool:
    seen = observe(ctx, commit, list_task_checks(ctx, (task,), commit))
    script = script_of(task.id, seen)
    return _all_passed(seen) and all(deciding(c, seen, script).seen is Seen.PASSED for c in task.criteria if c.is_new)


def _all_passed(seen: tuple[Observation, ...]) -> bool:
    return bool(seen) and all(observation.seen is Seen.PASSED for observation in seen)
