"""Plan: an agent writes PLAN.md and its test scripts; we take those files, and nothing else, into a commit of ours."""

from __future__ import annotations

from autopilot.events.happened import Planned
from autopilot.model.agent import Role
from autopilot.model.claim import PlannerClaim
from autopilot.steps.asking import Question, ask, no_answer
from autopilot.steps.authoring import AUTHOR
from autopilot.steps.context import Result, StepContext, StepRun
from autopilot.steps.knowing import facts
from autopilot.steps.prompt import bullets, render_prompt
from autopilot.steps.reading import read_plan


def perform(ctx: StepContext) -> StepRun:
    question = Question(Role.PLANNER, _prompt(ctx), "clone", _files(ctx))
    answer = yield from ask(ctx, question, PlannerClaim)
    documents = _documents(ctx, answer.head) if answer.head else {}
    if not any(path.endswith("PLAN.md") for path in documents):
        return no_answer(answer, f"no PLAN.md was committed in {ctx.phase.brief.folder}")
    edits: dict[str, bytes | None] = dict(documents)
    if ctx.phase.research:
        edits[f"{ctx.phase.brief.folder}/RESEARCH.md"] = ctx.ports.blobs.get(ctx.phase.research)
    vault = ctx.ports.vault
    subject = f"docs({ctx.phase.id}): plan {ctx.phase.brief.name}"
    commit = vault.commit(vault.edit_tree(ctx.phase.base, edits), [ctx.phase.base], subject, ctx.at, AUTHOR)
    plan = read_plan(ctx, commit)
    blobs = tuple((path, ctx.ports.blobs.put(content)) for path, content in sorted(documents.items()))
    planned = Planned(ctx.phase.id, commit, plan.tasks, plan.complaints, blobs)
    return Result("completed", (planned,), f"{len(plan.tasks)} tasks")


def _documents(ctx: StepContext, head: str) -> dict[str, bytes]:
    """The plan and its test scripts as committed by the planner; whatever else it changed stays behind."""
    vault, folder = ctx.ports.vault, ctx.phase.brief.folder
    wanted = {}
    for path in vault.list(head, folder):
        name = path.removeprefix(f"{folder}/")
        is_script = name.startswith("tests/") and name.endswith(".sh") and name.count("/") == 1
        if (is_script or (name.endswith("PLAN.md") and "/" not in name)) and (content := vault.read(head, path)):
            wanted[path] = content
    return wanted


def _prompt(ctx: StepContext) -> str:
    brief, commands = ctx.phase.brief, ctx.policy.commands
    return render_prompt(
        "plan",
        phase=brief.id,
        name=brief.name,
        goal=brief.goal or "not given: derive it from the roadmap",
        folder=brief.folder,
        spec=ctx.state.spec.path,
        requirements=bullets(brief.requirements, "none mapped: derive them from the goal"),
        criteria=bullets([c.text for c in brief.criteria]),
        commands=bullets([f"{name}: `{command}`" for name, command in commands.checks()], "none configured"),
        approach=ctx.phase.approach or "no research was done",
        refused=bullets(ctx.phase.plan_blockers, "this is the first plan"),
    )


def _files(ctx: StepContext) -> dict[str, bytes]:
    files = dict(facts(ctx.phase))
    if ctx.phase.research:
        files["RESEARCH.md"] = ctx.ports.blobs.get(ctx.phase.research)
    return files
