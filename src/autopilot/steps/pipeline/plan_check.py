"""Plan check: lint, then a checker, then every criterion run at the base, where a new one must be red."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

import msgspec
from msgspec.structs import replace

from autopilot.events.happened import Event, PlanChecked, RedObserved, Warned
from autopilot.events.pieces import TaskState
from autopilot.events.recovery import BaselineObserved, TaskAlreadyThere
from autopilot.gates.already import NEW_OR_KEEP, describe_held, find_held, is_general
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
from autopilot.gates.red import judge_red
from autopilot.model.agent import Role
from autopilot.model.assessment import PlanCheck
from autopilot.model.evidence.deciding import deciding, script_of, seen_for
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.intent import Purpose
from autopilot.model.planning.complaint import Complaint, Severity
from autopilot.model.planning.criterion import Criterion, Kind, Strength
from autopilot.model.planning.phase_type import PhaseType
from autopilot.model.planning.plan import Task
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
from autopilot.steps.observing.reading import PlanRead, find_carried_out, read_plan, users_plan
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
    first = not ctx.phase.plan.commit
    entered: Batch = (users_plan(ctx, commit, plan),) if first else ()
    complaints = (*plan.complaints, *lint_plan(plan.tasks, plan.scripts, ours, _scope(ctx, plan)))
    done: frozenset[str] = frozenset() if ours else find_carried_out(ctx, commit, plan)
    complaints = tuple(c for c in complaints if c.path not in done)  # no agent is to carry these out
    mapped = map_promises(ctx, plan)
    complaints = (*complaints, *promise_complaints(mapped, plan, ours=ours))
    blockers = tuple(str(c) for c in complaints if c.severity is Severity.BLOCKER)
    unspoken = ask_for_unspoken(ctx, plan, mapped) if ours else ()
    if blockers := (*blockers, *(_refuse_ours(ctx, plan, mapped) if ours else ()), *unspoken):
        lack = lacking(plan.tasks, plan.scripts, complaints)
        asks = lack.asks if lack.curable and not ours else ()
        if not ours:  # what only its author can mend comes first: the others are not why it stops here
            blockers = tuple(dict.fromkeys((*lack.beyond, *blockers)))
        checked = PlanChecked(ctx.phase.id, False, None, blockers, asks, clauses=bool(unspoken))
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
    broken = tuple(_broken(ctx, plan, red))
    seen_through = (because for _, because in (*broken, *green))
    if ours and (toothless := (*_toothless(plan, red, _kept_by_user(ctx), is_redo=is_redo), *seen_through)):
        return _refused(ctx, entered, check, toothless, holds=not broken and _all_hold(ctx, plan, red))
    objections = Objections((), ()) if ours else _objections(ctx, plan, check, red, (*broken, *green), done)
    if objections.founded:
        holds = not broken and _all_hold(ctx, plan, red)
        return _refused(ctx, entered, check, objections.founded, asks=objections.founded, holds=holds)
    before = {observation.subject: observation.seen for observation in red}
    held = () if is_redo else refuse_held_out(ctx.phase.plan.held_out, before)
    if idle := tuple(held):
        return _refused(ctx, entered, check, idle)
    noted = tuple(Complaint(plan.paths[0], 0, f"{OPINION}: {text}") for text in objections.opinions)
    approved = PlanChecked(ctx.phase.id, True, check, (), complaints=(*complaints, *noted))
    begun = tuple(_begin(ctx, plan, seen, done, ours=ours))
    built = {event.task for event in begun if isinstance(event, TaskAlreadyThere)}
    warned = (Warned(text, ctx.phase.id) for text in (() if is_redo else _held(ctx, plan, red, built)))
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
    idle = (Ground(task.id, _nothing_fails(task)) for task in automatic if _is_idle(task, red))
    grounds = (*idle, *(Ground(about, because) for about, because in seen_of), *found)
    return sort_objections(check, MIN_CONFIDENCE, grounds)


def _refuse_ours(ctx: StepContext, plan: PlanRead, mapped: Mapped) -> Iterator[str]:
    """What only a plan of ours is refused for."""
    yield from refuse_answers(mapped)
    if ctx.policy.evidence.held_out:
        criteria = [*ctx.phase.brief.criteria, *(criterion for task in plan.tasks for criterion in task.criteria)]
        yield from refuse_lone_examples(criteria, ctx.phase.plan.held_out)


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
            is_there = _is_there(task, seen, own)
            if is_there or (task.path in done and task.is_automatic and not _is_red(task, seen)):
                yield TaskAlreadyThere(ctx.phase.id, task.id, unshown=not is_there)
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


def _all_hold(ctx: StepContext, plan: PlanRead, red: Sequence[Observation]) -> bool:
    """Whether there is nothing that the work could turn green, though something can be run for every task."""
    automatic = [task for task in plan.tasks if task.is_automatic]
    wanted = {c.id for c in ctx.phase.brief.criteria if c.is_runnable}
    is_red = any(seen.seen is not Seen.PASSED for seen in red if seen.subject in wanted)
    return bool(automatic) and not is_red and all(_holds(task, red) for task in automatic)


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
    whole = (*ctx.phase.brief.criteria, *ctx.phase.plan.held_out)
    checks = list_task_checks(ctx, plan.tasks, commit) + list_criterion_checks(ctx, whole)
    return observe_before(ctx, commit, PLANNING, checks + list_configured_checks(ctx))


def _kept_by_user(ctx: StepContext) -> frozenset[str]:
    """What the roadmap itself marks `[keep]`; a plan that repeats its words need not repeat the mark."""
    return frozenset(criterion.identity for criterion in ctx.phase.brief.criteria if criterion.kind is Kind.KEEP)


def _toothless(plan: PlanRead, red: Sequence[Observation], kept: Collection[str], *, is_redo: bool) -> Iterator[str]:
    """What could not tell done from not done: it would hold had nothing been done.

    Of a phase that is made again, what holds already is what the earlier run built, and counts as already there.
    """
    for task in (task for task in plan.tasks if task.is_automatic):
        script = script_of(task.id, red)
        if task.criteria and all(criterion.identity in kept for criterion in task.criteria):
            continue
        promised = [criterion for criterion in task.criteria if criterion.is_new and criterion.identity not in kept]
        new = [(c, deciding(c, red, script).seen) for c in promised]
        for criterion, seen in new:
            if seen is Seen.TIMED_OUT or (seen is Seen.PASSED and not is_redo):
                how = _how_it_passed(criterion, red)
                remedy = "test what is new" + (", or mark it [keep] if it only has to stay so" if not how else "")
                yield f"{criterion.id} ({criterion.text}) {seen.value} before any work{how}: {remedy}"
        if is_redo:
            continue
        if all(seen is not Seen.FAILED for _, seen in new):
            yield _nothing_fails(task)
        elif script is not None and script.seen is not Seen.FAILED:
            yield f"the test script of task {task.id} {script.seen.text} before any work"


def _held(ctx: StepContext, plan: PlanRead, red: Sequence[Observation], built: Collection[str]) -> Iterator[str]:
    """Of an approved plan and of the roadmap: what is to turn green, and was green before the work of this phase.

    Of the roadmap's own the run's start has told already, where they held there. ``built``: tasks that no agent has to
    do, which is all that their criteria are to show.
    """
    reported = {seen.subject for seen in ctx.state.inputs.criteria.get(ctx.phase.id, ()) if seen.seen is Seen.PASSED}
    places = [(task.path, task.criteria) for task in plan.tasks if task.id not in built]
    for path, criteria in (*places, (ctx.state.inputs.roadmap, ctx.phase.brief.criteria)):
        asked = [c for c in criteria if c.is_new and c.is_runnable and c.id not in reported]
        for criterion in find_held(asked, red, ()).criteria:
            message = f"{describe_held(ctx.phase.id, criterion)}; {NEW_OR_KEEP}"
            yield str(Complaint(criterion.path or path, criterion.line, message))


def _nothing_fails(task: Task) -> str:
    return f"nothing that task {task.id} promises fails before the work"


def _is_idle(task: Task, red: Sequence[Observation]) -> bool:
    """Whether nothing that was run for the task could tell done from not done."""
    script = script_of(task.id, red)
    new = (deciding(criterion, red, script).seen for criterion in task.criteria if criterion.is_new)
    return all(seen is not Seen.FAILED for seen in (*new, *((script.seen,) if script else ())))


def _holds(task: Task, red: Sequence[Observation]) -> bool:
    found = seen_for(task.id, task.criteria, red)
    return bool(found) and all(seen is Seen.PASSED for seen in found)


def _how_it_passed(criterion: Criterion, red: Sequence[Observation]) -> str:
    """A command that failed, with an error message that contains what is expected, does not explain itself."""
    own = next((seen for seen in red if seen.subject == criterion.id), None)
    if own is None or not own.exit_code:
        return ""
    return f" (`{own.command}` exited {own.exit_code}, but printed what is expected: {' '.join(own.excerpt.split())})"


def _broken(ctx: StepContext, plan: PlanRead, red: Sequence[Observation]) -> Iterator[tuple[str, str]]:
    """By subject. Red because it could not be read or broke off is no red: nothing that is built turns it green."""
    if not ctx.policy.evidence.red:
        return
    criteria = {criterion.id: criterion for task in plan.tasks for criterion in task.criteria}
    for seen in red:
        if objection := judge_red(criteria.get(seen.subject), seen):
            yield seen.subject, f"{seen.subject}: {objection}"


def _is_red(task: Task, red: Sequence[Observation]) -> bool:
    """Whether anything that can be run shows that the task is not done, whatever was written about it."""
    return any(seen is not Seen.PASSED for seen in seen_for(task.id, task.criteria, red))


def _is_there(task: Task, red: Sequence[Observation], checks: Sequence[str]) -> bool:
    """Whether everything a user's task promises holds already, seen by more than a search for words.

    That a whole file of tests is green says nothing of one task: it was before the task was thought of.
    """
    script = script_of(task.id, red)
    if not task.is_automatic or (script is not None and script.seen is not Seen.PASSED):
        return False
    promised = [c for c in task.criteria if c.is_new]
    runnable = all(c.is_runnable for c in task.criteria)
    general = {observation.subject for observation in red if is_general(observation, checks)}
    is_shown = script is not None or any(c.strength is not Strength.GREP and c.id not in general for c in promised)
    held = all(deciding(c, red, script).seen is Seen.PASSED for c in task.criteria)
    return bool(promised) and runnable and is_shown and held
