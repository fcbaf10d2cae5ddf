"""Plan check: lint, then a checker, then every criterion run at the base, where a new one must be red."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain

import msgspec
from msgspec.structs import replace

from autopilot.events.happened import Event, PlanChecked, RedObserved, Warned
from autopilot.events.pieces import TaskState
from autopilot.events.recovery import BaselineObserved, TaskAlreadyThere
from autopilot.gates.already import NEW_OR_KEEP, all_hold, complain_of_held, is_left, is_there
from autopilot.gates.held_out import refuse_held_out, refuse_lone_examples
from autopilot.gates.plan_objection import (
    BLOCKER,
    Ground,
    Objections,
    describe_doubt,
    describe_issue,
    sort_objections,
)
from autopilot.gates.promise import Mapped, refuse_answers
from autopilot.gates.red import describe_idle, is_idle, refuse_broken, refuse_toothless
from autopilot.model.agent import Role
from autopilot.model.assessment import PlanCheck
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.intent import Purpose
from autopilot.model.planning.complaint import Complaint, Severity
from autopilot.model.planning.phase_type import PhaseType
from autopilot.model.planning.plan import criteria_of_tasks
from autopilot.model.policy import CHECKS
from autopilot.model.run import StepStatus
from autopilot.planning.lint.plan_rules import Scope, lint_evidence, lint_plan
from autopilot.planning.plan.supplement import lacking
from autopilot.planning.roadmap.phase_type import classify, facets
from autopilot.steps.asking.asking import Question, ask, no_answer
from autopilot.steps.asking.context_files import facts
from autopilot.steps.asking.prompt import bullets, render_prompt
from autopilot.steps.context import Batch, Result, StepContext, StepRun
from autopilot.steps.observing.before_work import observe_before
from autopilot.steps.observing.listed import render_tasks
from autopilot.steps.observing.nearest_package import observe_near
from autopilot.steps.observing.observing import list_configured_checks, list_criterion_checks, list_task_checks
from autopilot.steps.observing.reading import PlanRead, find_done, read_plan, users_plan
from autopilot.steps.observing.texts import text_at
from autopilot.steps.pipeline.estimating import estimate, files_of
from autopilot.steps.promises import map_promises, promise_complaints, promise_lines, refuse_green_answers
from autopilot.steps.unspoken import ask_for_unspoken

MIN_CONFIDENCE = 7.0
OPINION = "the checker's opinion, with no rule and nothing observed behind it"
PLANNING = ".planning"


def perform(ctx: StepContext) -> StepRun:
    commit = ctx.phase.plan.commit or ctx.tip
    ours = ctx.phase.plan.ours and bool(ctx.phase.plan.commit)
    plan = read_plan(ctx, commit, ours=ours)
    # A user's plan was not made by a plan step: it enters the record here.
    entered: Batch = () if ctx.phase.plan.commit else (users_plan(ctx, commit, plan),)
    complaints = (*plan.complaints, *lint_plan(plan.tasks, plan.scripts, ours, _scope(ctx, plan)))
    done: frozenset[str] = frozenset() if ours else find_done(ctx, commit, plan)
    complaints = tuple(c for c in complaints if c.path not in done)  # no agent is to carry these out
    mapped = map_promises(ctx, plan)
    complaints = (*complaints, *promise_complaints(mapped, plan, ours=ours))
    blockers = tuple(str(c) for c in complaints if c.severity is Severity.BLOCKER)
    wished = tuple(_ask_once(ctx, plan, mapped)) if ours else ()
    if blockers := (*blockers, *(refuse_answers(mapped) if ours else ()), *wished):
        asks: tuple[str, ...] = ()
        if not ours:  # what only its author can mend comes first: the others are not why it stops here
            lack = lacking(plan.tasks, plan.scripts, complaints)
            asks = lack.asks if lack.curable else ()
            blockers = tuple(dict.fromkeys((*lack.beyond, *blockers)))
        checked = PlanChecked(ctx.phase.id, False, None, blockers, asks, clauses=bool(wished))
        return Result(StepStatus.FAIL, (*entered, checked), blockers[0])
    answer = yield from ask(ctx, _question(ctx, plan), PlanCheck)
    check = answer.value
    if check is None:
        return no_answer(answer)
    if ours and (blocking := _blocking(check)):
        return _refused(ctx, entered, check, blocking)
    seen = _observe_base(ctx, plan, commit)
    if nothing := [observation for observation in seen if observation.seen is Seen.NOTHING]:
        return Result(StepStatus.UNPROVEN, detail=f"{nothing[0].subject} could not be run: {nothing[0].reason}")
    red = tuple(observation for observation in seen if observation.subject not in CHECKS)
    is_redo = ctx.phase.brief.purpose is Purpose.REDO
    green = () if is_redo else tuple(refuse_green_answers(mapped, red))
    broken = tuple(refuse_broken(plan.tasks, red)) if ctx.policy.evidence.red else ()
    seen_through = (because for _, because in (*broken, *green))
    holds = not broken and all_hold(ctx.phase.brief, plan.tasks, red)
    toothless = tuple(refuse_toothless(plan.tasks, red, ctx.phase.brief.kept, is_redo=is_redo)) if ours else ()
    if ours and (found := (*toothless, *seen_through)):
        return _refused(ctx, entered, check, found, holds=holds)
    objections = Objections((), ()) if ours else _objections(ctx, plan, check, red, (*broken, *green), done)
    if objections.founded:
        return _refused(ctx, entered, check, objections.founded, asks=objections.founded, holds=holds)
    before = {observation.subject: observation.seen for observation in red}
    held = () if is_redo else refuse_held_out(ctx.phase.plan.held_out, before)
    if idle := tuple(held):
        return _refused(ctx, entered, check, idle)
    noted = tuple(Complaint(plan.paths[0], 0, f"{OPINION}: {text}") for text in objections.opinions)
    approved = PlanChecked(ctx.phase.id, True, check, (), complaints=(*complaints, *noted))
    begun = tuple(_begin(ctx, plan, seen, done, ours=ours))
    warned = () if is_redo else tuple(_warn_of_held(ctx, plan, red, begun))
    events = (*entered, approved, RedObserved(ctx.phase.id, red), *begun, *warned)
    thought = "; ".join(objections.opinions[:2])
    detail = f"Confidence: {check.confidence:g}/10" + (f"; {OPINION}: {thought}" if thought else "")
    return Result(StepStatus.PASS, events, detail)


def _blocking(check: PlanCheck) -> tuple[str, ...]:
    """Whatever the checker of a plan of ours says sends it back to the planner."""
    blocking = tuple(describe_issue(issue) for issue in check.issues if issue.severity == BLOCKER)
    doubts = not check.passed or check.confidence < MIN_CONFIDENCE
    return blocking or ((describe_doubt(check),) if doubts else ())


def _objections(
    ctx: StepContext,
    plan: PlanRead,
    check: PlanCheck,
    red: Sequence[Observation],
    seen_of: Iterable[tuple[str, str]],
    done: Collection[str],
) -> Objections:
    """To a plan of the user's: by what the lint says of its checks, and by what was seen before the work."""
    scope, automatic = _scope(ctx, plan), [t for t in plan.tasks if t.is_automatic and t.path not in done]
    found = (
        Ground(task.id, str(complaint))
        for task in automatic
        for complaint in lint_evidence([task], plan.scripts, scope)
    )
    idle = (Ground(task.id, describe_idle(task)) for task in automatic if is_idle(task, red))
    grounds = (*idle, *(Ground(about, because) for about, because in seen_of), *found)
    return sort_objections(check, MIN_CONFIDENCE, grounds)


def _ask_once(ctx: StepContext, plan: PlanRead, mapped: Mapped) -> Iterator[str]:
    """What would make a plan of ours stronger: one that comes back as it was is taken, and what it lacks is shown."""
    if ctx.phase.plan.clauses_asked:
        return
    if ctx.policy.evidence.held_out:
        asked = (*ctx.phase.brief.criteria, *criteria_of_tasks(plan.tasks))
        yield from refuse_lone_examples(asked, ctx.phase.plan.held_out)
    yield from ask_for_unspoken(ctx, plan, mapped)


def _begin(
    ctx: StepContext, plan: PlanRead, seen: Sequence[Observation], done: Collection[str], *, ours: bool
) -> Iterator[Event]:
    """How things stand as the work on an approved plan begins. ``done``: plan files with a summary."""
    commit = ctx.phase.plan.commit or ctx.tip
    checks = tuple(observation for observation in seen if observation.subject in CHECKS)
    yield BaselineObserved(ctx.phase.id, commit, checks, observe_near(ctx, commit, plan.tasks))
    # Made again, it gets its agent all the same: who finds nothing to do may say so.
    if not ours and ctx.phase.brief.purpose is not Purpose.REDO:
        own = [command for _, command in ctx.policy.commands.checks()]
        for task in plan.tasks:
            is_shown = is_there(task, seen, own)
            if is_shown or (task.path in done and task.is_automatic and not is_left(task, seen)):
                yield TaskAlreadyThere(ctx.phase.id, task.id, unshown=not is_shown)
    yield from estimate(ctx, plan.tasks)


def _refused(
    ctx: StepContext,
    entered: Batch,
    check: PlanCheck,
    blockers: tuple[str, ...],
    *,
    asks: tuple[str, ...] = (),
    holds: bool = False,
) -> Result:
    """``asks``: what a supplement to a user's plan is to bring."""
    checked = PlanChecked(ctx.phase.id, False, check, blockers, asks, holds=holds)
    return Result(StepStatus.FAIL, (*entered, checked), blockers[0])


def _scope(ctx: StepContext, plan: PlanRead) -> Scope:
    """By the type that the plan's own files make it: triage has classified a phase without a plan."""
    files, policy = files_of(plan.tasks), ctx.policy
    ui = (policy.interface.source_dir, policy.interface.extensions)
    read = text_at(ctx, ctx.phase.plan.commit or ctx.tip)
    held_out = ctx.phase.plan.held_out
    return Scope(
        plans=plan.plans,
        requirements=ctx.phase.brief.requirements,
        phase_type=classify(files, *ui),
        commands=policy.commands,
        read=read,
        held_out=held_out,
        has_ui=PhaseType.UI in facets(files, *ui),
        is_last=not ctx.phase.plan.has_rounds_left(policy.attempts.plan_rounds),
    )


def _warn_of_held(
    ctx: StepContext, plan: PlanRead, red: Sequence[Observation], begun: Sequence[Event]
) -> Iterator[Warned]:
    """Of an approved plan and of the roadmap: what is to turn green, and was green before the work of this phase.

    Of the roadmap's own the run's start has told already, where they held there. Of tasks that no agent has to do that
    is all that their criteria are to show.
    """
    phase, reported = ctx.phase.id, ctx.state.inputs.criteria.get(ctx.phase.id, ())
    held_then = {seen.subject for seen in reported if seen.seen is Seen.PASSED}
    news = [seen for seen in red if seen.subject not in held_then]
    built = {event.task for event in begun if isinstance(event, TaskAlreadyThere)}
    of_tasks = (complain_of_held(phase, t.path, t.criteria, news) for t in plan.tasks if t.id not in built)
    of_phase = complain_of_held(phase, ctx.state.inputs.roadmap, ctx.phase.brief.criteria, news)
    for complaint in chain(*of_tasks, of_phase):
        yield Warned(f"{complaint}; {NEW_OR_KEEP}", phase)


def _question(ctx: StepContext, plan: PlanRead) -> Question:
    shown = (*plan.paths, plan.supplement) if plan.supplement else plan.paths
    prompt = render_prompt(
        "plan_check",
        phase=ctx.phase.id,
        name=ctx.phase.brief.name,
        goal=ctx.phase.brief.goal or "see the roadmap",
        spec=ctx.spec,
        plans=bullets(shown),
        requirements=bullets(ctx.phase.brief.requirements),
        promises=bullets(promise_lines(map_promises(ctx, plan)), "none"),
    )
    with_tasks = replace(ctx.phase, tasks={task.id: TaskState(task) for task in plan.tasks})
    files = dict(facts(with_tasks))
    commit = ctx.phase.plan.commit or ctx.tip
    for number, path in enumerate(shown, 1):
        files[f"plan/{number:02d}-{path.rsplit('/', 1)[-1]}"] = _as_shown(ctx, plan, path, commit)
    files["plan/scripts.json"] = msgspec.json.encode(plan.scripts)
    if ctx.phase.plan.held_out:
        files["plan/held-out.txt"] = "\n".join(str(held) for held in ctx.phase.plan.held_out).encode()
    return Question(Role.PLAN_CHECKER, prompt, "clone", files)


def _as_shown(ctx: StepContext, plan: PlanRead, path: str, commit: str) -> bytes:
    """Of another tool's file only the tasks of this phase that are to be carried out."""
    if path not in ctx.state.inputs.planning.paths:
        return ctx.ports.vault.read(commit, path) or b""
    tasks = [task for of_path in plan.plans if of_path.path == path for task in of_path.tasks]
    return render_tasks(ctx.phase.id, tasks, path).encode("utf-8", "replace")


def _observe_base(ctx: StepContext, plan: PlanRead, commit: str) -> tuple[Observation, ...]:
    """The base tree plus the plan's own files: the state before any work, with the pinned scripts in place."""
    of_tasks = list_task_checks(ctx, plan.tasks, commit)
    of_whole = list_criterion_checks(ctx, (*ctx.phase.brief.criteria, *ctx.phase.plan.held_out))
    return observe_before(ctx, commit, PLANNING, of_tasks + of_whole + list_configured_checks(ctx))
