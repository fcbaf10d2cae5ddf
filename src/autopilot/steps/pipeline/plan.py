"""Plan: an agent writes PLAN.md and its test scripts; we take those files, and nothing else, into a commit of ours."""

from __future__ import annotations

import msgspec

from autopilot.events.happened import Planned
from autopilot.model.agent import Role
from autopilot.model.claim import PlannerClaim
from autopilot.model.intent import Purpose
from autopilot.model.planning.criterion import Criterion
from autopilot.model.planning.promise import promises
from autopilot.model.run import StepStatus
from autopilot.planning.plan.files import SUPPLEMENT
from autopilot.planning.plan.held_out import HELD_OUT, parse_held_out
from autopilot.steps.accepting import refuse_contents
from autopilot.steps.asking.asking import Question, ask, no_answer
from autopilot.steps.asking.context_files import facts_for_work
from autopilot.steps.asking.prompt import bullets, render_prompt
from autopilot.steps.authoring import AUTHOR
from autopilot.steps.context import Result, StepContext, StepRun
from autopilot.steps.observing.listed import read_listed
from autopilot.steps.observing.reading import read_plan
from autopilot.steps.pipeline.earlier_plan import put_away, start_without
from autopilot.steps.pipeline.estimating import likely_type
from autopilot.steps.promises import mapped_of, promise_lines
from autopilot.testtools.expectations.site import Draw
from autopilot.testtools.questions.example import lone_examples
from autopilot.testtools.questions.question import read_question
from autopilot.testtools.questions.variation import variations

MOST_WORDS = 200  # characters of what a planner gives as its reason


def perform(ctx: StepContext) -> StepRun:
    """A plan of the user's is not rewritten: what it lacks goes into a supplement beside it."""
    vault, supplement = ctx.ports.vault, ctx.phase.plan.has_plan
    prompt = _supplement_prompt(ctx) if supplement else _prompt(ctx)
    edits = put_away(ctx) if not supplement else {}
    question = Question(Role.PLANNER, prompt, "clone", _files(ctx), start=start_without(ctx, edits))
    answer = yield from ask(ctx, question, PlannerClaim)
    documents = _documents(ctx, answer.head, supplement) if answer.head else {}
    wanted = SUPPLEMENT if supplement else "PLAN.md"
    if not any(path.endswith(wanted) for path in documents):
        # Who wrote the plan is told what it lacks, not only that nobody supplied it.
        lacks = f"; your plan lacks: {'; '.join(ctx.phase.plan.lacks)}" if supplement and ctx.phase.plan.lacks else ""
        missing = f"the planner committed no {wanted} in {ctx.phase.brief.folder}"
        return no_answer(answer, f"{missing}{lacks}{give_reason(answer.value)}")
    held = f"{ctx.phase.brief.folder}/{HELD_OUT}"
    if reason := refuse_contents(ctx, answer.head, [*documents, *([held] if vault.read(answer.head, held) else [])]):
        return Result(StepStatus.ERROR, detail=reason)
    edits.update(documents)
    if ctx.phase.plan.research:
        edits[f"{ctx.phase.brief.folder}/RESEARCH.md"] = ctx.ports.blobs.get(ctx.phase.plan.research)
    subject = f"docs({ctx.phase.id}): plan {ctx.phase.brief.name}"
    commit = vault.commit(vault.edit_tree(ctx.phase.line.base, edits), [ctx.phase.line.base], subject, ctx.time, AUTHOR)
    plan = read_plan(ctx, commit, ours=not supplement)
    blobs = tuple((path, ctx.ports.blobs.put(content)) for path, content in sorted(documents.items()))
    planned = Planned(
        ctx.phase.id,
        commit,
        plan.tasks,
        plan.complaints,
        blobs,
        ours=not supplement,
        answers=plan.answers,
        must_haves=plan.must_haves,
        held_out=_held_out(ctx, answer.head, held),
    )
    return Result(StepStatus.COMPLETED, (planned,), f"{len(plan.tasks)} tasks")


def give_reason(claim: PlannerClaim | None) -> str:
    """Its own words, in one short line: they decide nothing, and say where to begin."""
    text = " ".join("; ".join(claim.concerns[:3]).split()) if claim else ""
    return f"; it says: {text[:MOST_WORDS]}{'…' if len(text) > MOST_WORDS else ''}" if text else ""


def _held_out(ctx: StepContext, head: str, path: str) -> tuple[Criterion, ...]:
    """Read where the planner wrote it, and left there: who carries the plan out begins at a commit without it."""
    text = (ctx.ports.vault.read(head, path) or b"").decode("utf-8", "replace")
    return parse_held_out(text, path, ctx.policy.commands)


def _documents(ctx: StepContext, head: str, supplement: bool) -> dict[str, bytes]:
    """The plan and its test scripts as committed by the planner; whatever else it changed stays behind."""
    vault, folder = ctx.ports.vault, ctx.phase.brief.folder
    wanted = {}
    for path in vault.list(head, folder):
        name = path.removeprefix(f"{folder}/")
        is_script = name.startswith("tests/") and name.endswith(".sh") and name.count("/") == 1
        is_plan = name == SUPPLEMENT if supplement else name.endswith("PLAN.md") and "/" not in name
        if supplement and is_script and vault.read(ctx.phase.line.base, path) is not None:
            continue  # the user's own script
        if (is_script or is_plan) and (content := vault.read(head, path)):
            wanted[path] = content
    return wanted


def _supplement_prompt(ctx: StepContext) -> str:
    return render_prompt(
        "supplement",
        phase=ctx.phase.id,
        name=ctx.phase.brief.name,
        folder=ctx.phase.brief.folder,
        plan=_where(ctx),
        lacks=bullets(ctx.phase.plan.lacks),
        promises=bullets(promise_lines(mapped_of(ctx.phase)), "none"),
        commands=bullets([f"{name}: `{command}`" for name, command in ctx.policy.commands.checks()], "none configured"),
    )


def _where(ctx: StepContext) -> str:
    """Where the user's plan stands: in the phase's folder, or in a file of another tool."""
    listed = read_listed(ctx, ctx.tip)
    return listed.plan.path if listed else ctx.phase.brief.folder


def _prompt(ctx: StepContext) -> str:
    brief, commands = ctx.phase.brief, ctx.policy.commands
    return render_prompt(
        "plan",
        phase=brief.id,
        name=brief.name,
        goal=brief.goal or "not given: derive it from the roadmap",
        folder=brief.folder,
        spec=ctx.spec,
        requirements=bullets(brief.requirements, "none mapped: derive them from the goal"),
        criteria=bullets([f"{asked.name}: {asked.criterion}" for asked in promises(brief.criteria)]),
        commands=bullets([f"{name}: `{command}`" for name, command in commands.checks()], "none configured"),
        approach=ctx.phase.plan.approach or "no research was done",
        refused=bullets(_refused(ctx), "this is the first plan"),
        examples=bullets([f"{c.id}: `{c.command}`" for c in _examples(ctx)]),
        kind=likely_type(ctx),
    )


def _examples(ctx: StepContext) -> tuple[Criterion, ...]:
    return lone_examples(ctx.phase.brief.criteria, strict=True) if ctx.policy.evidence.held_out else ()


def _refused(ctx: StepContext) -> tuple[str, ...]:
    """What was wrong with the plan before, or with the work that came of the one before that."""
    score = f"the work it led to scored {ctx.phase.retries.replan_score}" if ctx.phase.retries.replans else ""
    replanned = (score, *ctx.phase.retries.replan_issues) if score else ()
    return (*ctx.phase.plan.blockers, *replanned, *_found_earlier(ctx))


def _found_earlier(ctx: StepContext) -> tuple[str, ...]:
    """Of a phase made again: what it was worth, and what its reviewers missed."""
    brief = ctx.phase.brief
    if brief.purpose is not Purpose.REDO or brief.earlier is None:
        return ()
    lacks = (
        f"{deficiency.criterion}: {deficiency.text}" if deficiency.criterion else deficiency.text
        for deficiency in brief.earlier.deficiencies
    )
    return (f"an earlier run built this phase, its code is there; it scored {brief.earlier.score}", *lacks)


def _files(ctx: StepContext) -> dict[str, bytes]:
    files = dict(facts_for_work(ctx))
    if ctx.phase.plan.research:
        files["RESEARCH.md"] = ctx.ports.blobs.get(ctx.phase.plan.research)
    if examples := _examples(ctx):
        files["examples.json"] = msgspec.json.encode([_asked_otherwise(ctx, criterion) for criterion in examples])
    return files


def _asked_otherwise(ctx: StepContext, criterion: Criterion) -> dict[str, str]:
    """An example, and the same question with another value, as a proposal."""
    question = read_question(criterion.command, frozenset(ctx.ports.vault.list(ctx.tip)).__contains__)
    value = next(value for value in question.values if not value.is_name)
    other = value.put(question.command, variations(value, Draw(f"{ctx.tip} {criterion.id}"), ())[0])
    return {"id": criterion.id, "text": criterion.text, "command": question.command, "other": other}
