"""Execute: one agent, one task, its own clone. What it committed is taken in or refused by facts alone."""

from __future__ import annotations

from typing import Any

from autopilot.events.happened import TaskCommitted, TaskRefused
from autopilot.gates.commit import CONTROL, outside, refuse_commit
from autopilot.model.agent import Role
from autopilot.model.claim import ExecutorClaim
from autopilot.model.plan import Task
from autopilot.steps.asking import BLAMELESS, Answer, Question, ask, no_answer
from autopilot.steps.authoring import AUTHOR, task_subject
from autopilot.steps.context import Result, StepContext, StepRun
from autopilot.steps.knowing import facts
from autopilot.steps.prompt import bullets, render_prompt


def perform(ctx: StepContext) -> StepRun:
    task = ctx.phase.tasks[ctx.task].task
    question = Question(Role.EXECUTOR, _prompt(ctx, task), "clone", facts(ctx.phase, task))
    answer = yield from ask(ctx, question, ExecutorClaim)
    claimed = answer.value is not None and answer.value.tasks_completed.startswith("1")
    return take_work(ctx, task, answer, claimed)


def take_work(ctx: StepContext, task: Task, answer: Answer[Any], claimed: bool) -> Result:
    """Make the task's commit from what the agent committed. How the agent ended does not matter: the work does."""
    vault, tip, head = ctx.ports.vault, ctx.state.tip, answer.head
    if not head or head == tip:
        if answer.event.ending in BLAMELESS:
            return no_answer(answer)
        reason = "it committed nothing" + (f"; {answer.problem}" if answer.problem else "")
        return _refused(ctx, task, reason, claimed)
    control = (*CONTROL, f"{ctx.state.roadmap}/", f"{ctx.state.spec.path}/")
    changes = vault.changes(tip, head)
    if reason := refuse_commit(changes, descends=vault.is_ancestor(tip, head), control=control):
        return _refused(ctx, task, reason, claimed)
    # A mended task takes the place of its earlier commit: one task, one commit, and nothing false in the history.
    before = ctx.phase.tasks[task.id]
    parent, public_parent = before.parent or tip, before.public_parent or ctx.state.public_tip
    subject = task_subject(ctx.phase.id, task)
    commit = vault.commit(vault.tree_of(head), [parent], subject, ctx.at, AUTHOR)
    changes = vault.changes(parent, commit)
    event = TaskCommitted(
        phase=ctx.phase.id,
        task=task.id,
        commit=commit,
        files=tuple(change.path for change in changes),
        outside=outside(changes, task.files),
        claimed=claimed,
        parent=parent,
        public=_public(ctx, commit, public_parent, subject),
        public_parent=public_parent,
    )
    return Result("completed", (event,), f"{len(changes)} files")


def _public(ctx: StepContext, commit: str, parent: str, subject: str) -> str:
    if ctx.policy.commit_docs:
        return ""
    vault = ctx.ports.vault
    return vault.commit(vault.tree_without(commit, ".planning"), [parent], subject, ctx.at, AUTHOR)


def _refused(ctx: StepContext, task: Task, reason: str, claimed: bool) -> Result:
    return Result("refused", (TaskRefused(ctx.phase.id, task.id, reason, claimed),), reason)


def _prompt(ctx: StepContext, task: Task) -> str:
    return render_prompt(
        "execute",
        phase=ctx.phase.id,
        name=ctx.phase.brief.name,
        task=task.id,
        title=task.title,
        files=", ".join(task.files) or "not listed",
        action=task.action or "see the plan",
        criteria=bullets([f"{c.text}: `{c.command}`" if c.command else c.text for c in task.criteria]),
        folder=ctx.phase.brief.folder,
        commands=bullets([f"{name}: `{command}`" for name, command in ctx.policy.commands.checks()]),
    )
