"""The tasks that another tool lists for a phase, as a plan of GSD's.

What was done there is listed as words: it is believed and not carried out again, as before, and what the phase is asked
for is asked of all of it. (A plan with a summary would make each of these tasks wait for a person.)
"""

from __future__ import annotations

from collections.abc import Iterator

from autopilot.model.planning.outline import Listed
from autopilot.model.planning.plan import Task
from autopilot.model.planning.roadmap import Phase
from autopilot.model.policy import Commands
from autopilot.planning.importing.criteria_text import write_criterion
from autopilot.planning.importing.plain_words import one_line, task_text
from autopilot.planning.roadmap.phase_id import folder_prefix

BELIEVED = "Called done by {title} when the plan was imported; none of it is proven, and none is done again:"


def is_believed(task: Task, listed: Listed) -> bool:
    return task.id in listed.done and task.id not in listed.held and task not in listed.to_do


def render_plan(phase: Phase, listed: Listed, title: str, commands: Commands) -> str:
    """``phase``: under its new number; "" where no task is to be run."""
    if not listed.to_do:
        return ""
    done = [task for task in listed.plan.tasks if is_believed(task, listed)]
    believed = [BELIEVED.format(title=title), "", *(f"- {task.id}: {_words(task.title)}" for task in done), ""]
    head = ["---", f"phase: {folder_prefix(phase.id)}", "plan: 01", "type: execute", "---", ""]
    head += [f"<objective>{_words(phase.goal)}</objective>", "", *(believed if done else [])]
    body = [line for task in listed.to_do for line in ("", *_task(task, commands))]
    return "\n".join([*head, "<tasks>", *body, "</tasks>", ""])


def _words(text: str) -> str:
    return task_text(one_line(text))


def _task(task: Task, commands: Commands) -> Iterator[str]:
    yield f'<task id="{task.id}" type="{task.type}" wave="{task.wave}">'
    yield f"  <name>{_words(task.title)}</name>"
    if task.files:
        yield f"  <files>{', '.join(task.files)}</files>"
    yield f"  <action>\n{task_text(task.action.strip()) or one_line(task.title)}\n  </action>"
    if task.criteria:
        yield "  <acceptance_criteria>"
        for criterion in task.criteria:
            yield f"    - {write_criterion(criterion, commands, in_full=True)[0]}"
        yield "  </acceptance_criteria>"
    if task.done:
        yield f"  <done>{_words(task.done)}</done>"
    yield "</task>"
