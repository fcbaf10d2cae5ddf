"""Execute: one agent, one task, its own clone; over eight tasks one agent for all of them."""

from __future__ import annotations

from autopilot.model.agent import Role
from autopilot.model.claim import ExecutorClaim
from autopilot.model.planning.plan import FIX, REMEDIATION, Task
from autopilot.steps.accepting import take_work
from autopilot.steps.asking.asking import Question, ask
from autopilot.steps.asking.context_files import commands_and_baseline, facts_for_work
from autopilot.steps.asking.map_excerpt import map_of_tasks
from autopilot.steps.asking.prompt import bullets, render_prompt
from autopilot.steps.context import StepContext, StepRun
from autopilot.steps.pipeline.batch import execute_all

PROMPTS = {REMEDIATION: "remediate", FIX: "fix"}  # by type of task


def perform(ctx: StepContext) -> StepRun:
    if not ctx.task:
        return (yield from execute_all(ctx))
    task = ctx.phase.tasks[ctx.task].task
    code_map = yield from map_of_tasks(ctx, task)
    question = Question(Role.EXECUTOR, _prompt(ctx, task, code_map), "clone", facts_for_work(ctx, task))
    answer = yield from ask(ctx, question, ExecutorClaim)
    claimed = answer.value is not None and answer.value.tasks_completed.startswith("1")
    return take_work(ctx, task, answer, claimed, answer.value.confidence if answer.value else None)


def _prompt(ctx: StepContext, task: Task, code_map: str) -> str:
    return render_prompt(
        PROMPTS.get(task.type, "execute"),
        phase=ctx.phase.id,
        name=ctx.phase.brief.name,
        task=task.id,
        title=task.title,
        files=", ".join(task.files) or "not listed",
        action=task.action or "see the plan",
        criteria=bullets(task.promised_lines),
        folder=ctx.phase.brief.folder,
        commands=bullets(commands_and_baseline(ctx), "none configured"),
        map=code_map,
    )
