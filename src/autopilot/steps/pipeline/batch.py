"""Batch execution: over eight tasks, one agent does them all and commits each under its id."""

from __future__ import annotations

import re
from collections.abc import Sequence

from autopilot.events.happened import Event, TaskCommitted, TaskRefused
from autopilot.model.agent import Role
from autopilot.model.claim import ExecutorClaim
from autopilot.model.git import LogEntry
from autopilot.model.planning.plan import Task
from autopilot.model.run import StepStatus, TaskStatus
from autopilot.steps.accepting import commit_task, cut_off, has_died, refuse_tree, refuse_work
from autopilot.steps.asking.asking import POSTPONED, Question, ask, no_answer
from autopilot.steps.asking.context_files import commands_and_baseline, facts_for_work
from autopilot.steps.asking.map_excerpt import map_of_tasks
from autopilot.steps.asking.prompt import bullets, render_prompt
from autopilot.steps.context import Result, StepContext, StepRun


def execute_all(ctx: StepContext) -> StepRun:
    tasks = [t.task for t in ctx.phase.tasks.values() if t.status == TaskStatus.PENDING and t.task.is_automatic]
    code_map = yield from map_of_tasks(ctx, *tasks)
    question = Question(Role.EXECUTOR, _prompt(ctx, tasks, code_map), "clone", facts_for_work(ctx))
    answer = yield from ask(ctx, question, ExecutorClaim)
    reason = refuse_work(ctx, answer)
    if reason and cut_off(ctx, answer):
        return no_answer(answer)
    if reason:
        died = has_died(ctx, answer)
        refused = tuple(TaskRefused(ctx.phase.id, task.id, reason, died=died) for task in tasks)
        return Result(StepStatus.REFUSED, refused, reason)
    events = _one_commit_each(ctx, tasks, ctx.ports.vault.log(ctx.tip, answer.head), answer.event.made or ())
    done = tuple(event for event in events if isinstance(event, TaskCommitted))
    summary = f"{len(done)} of {len(tasks)} tasks committed"
    if answer.event.ending in POSTPONED:  # it did not get to the others: they are still to be done, one by one
        return Result(StepStatus.COMPLETED, done, f"{summary}; {answer.problem}")
    return Result(StepStatus.COMPLETED, events, summary)


def _one_commit_each(
    ctx: StepContext, tasks: list[Task], log: tuple[LogEntry, ...], made: Sequence[str]
) -> tuple[Event, ...]:
    """A commit belongs to the task its subject names; what names none goes with the task before it.

    The tasks' commits are made in the order the agent worked, each with the tree it had then.
    """
    trees: dict[str, str] = {}
    last = tasks[0].id
    for entry in log:
        last = _named(entry.subject, tasks) or last
        trees.pop(last, None)
        # Each tree on the way becomes a commit and is looked at, so each must be one that may be taken in.
        if not refuse_tree(ctx, entry.sha, made=made):
            trees[last] = entry.tree
    events: list[Event] = []
    parents = (ctx.tip, ctx.state.line.public_tip)
    by_id = {task.id: task for task in tasks}
    for name, tree in trees.items():
        committed = commit_task(ctx, by_id[name], tree, parents, claimed=True)
        parents = (committed.commit, committed.public)
        events.append(committed)
    missing = [task.id for task in tasks if task.id not in trees]
    return (*events, *(TaskRefused(ctx.phase.id, name, "no commit names this task") for name in missing))


def _named(subject: str, tasks: list[Task]) -> str:
    """The task a subject names, as a word of its own: task 1 is not meant by "10"."""
    named = [task.id for task in tasks if re.search(rf"(?<![\w.-]){re.escape(task.id)}(?![\w-]|\.\w)", subject)]
    return max(named, key=len, default="")


def _prompt(ctx: StepContext, tasks: list[Task], code_map: str) -> str:
    return render_prompt(
        "batch",
        phase=ctx.phase.id,
        name=ctx.phase.brief.name,
        tasks="\n\n".join(_task(task) for task in tasks),
        folder=ctx.phase.brief.folder,
        commands=bullets(commands_and_baseline(ctx), "none configured"),
        map=code_map,
    )


def _task(task: Task) -> str:
    criteria = bullets(task.promised_lines)
    return f"### {task.id}: {task.title}\nFiles: {', '.join(task.files) or 'not listed'}\n{task.action}\n{criteria}"
