"""Triage: is the phase there already? Its criteria are run before anything is spent on it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from autopilot.events.happened import Event, RedObserved, Triaged, Warned
from autopilot.events.recovery import TaskAlreadyThere
from autopilot.gates.already import shows_that_it_is_there
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.intent import Purpose
from autopilot.model.planning.criterion import CriteriaSource, Criterion, Kind, Strength, as_already
from autopilot.model.planning.plan import criteria_of_tasks
from autopilot.model.run import StepStatus
from autopilot.planning.roadmap.standing.disk import GAPS, inspect_folder
from autopilot.steps.context import Result, StepContext, StepRun
from autopilot.steps.observing.observing import Check, list_criterion_checks, list_script_checks, observe
from autopilot.steps.observing.reading import NO_PLAN, PlanRead, read_plan, users_plan
from autopilot.steps.observing.texts import text_at
from autopilot.steps.pipeline.earlier_plan import is_ours_again
from autopilot.steps.pipeline.estimating import estimate

ENOUGH = 0.8
CARRIED_OUT = "its plans are followed by summaries, and nothing that can be run shows that its work is there"
KEPT = "the plan is yours and is kept, although the phase is built again"


def perform(ctx: StepContext) -> StepRun:
    yield from ()
    purpose, plan = ctx.phase.brief.purpose, _plan(ctx)
    criteria = _criteria(ctx, plan)
    source = CriteriaSource.PLAN if plan.tasks else CriteriaSource.ROADMAP
    # What must merely stay green says nothing about whether the phase is done; what cannot be run a reviewer reads.
    open_ = [c for c in criteria if c.kind is not Kind.KEEP]
    telling = list_criterion_checks(ctx, open_)
    scripts = [check for task in plan.tasks for check in list_script_checks(ctx, task, ctx.tip)]
    observations = _observe(ctx, [*telling, *scripts]) if telling else ()
    if nothing := [observation for observation in observations if observation.seen is Seen.NOTHING]:
        return Result(StepStatus.UNPROVEN, detail=f"{nothing[0].subject} could not be run: {nothing[0].reason}")
    ids = {check.subject for check in telling}
    held = [seen for seen in observations if seen.subject in ids and seen.seen is Seen.PASSED]
    commands = [command for _, command in ctx.policy.commands.checks()]
    shown = {seen.subject for seen in held if shows_that_it_is_there(seen, commands)}
    scripts_hold = all(seen.seen is Seen.PASSED for seen in observations if seen.subject not in ids)
    is_there = scripts_hold and _may_be_there(ctx) and _is_enough(plan, telling, shown)
    unshown = "" if is_there else _unshown(ctx, plan, observations)
    verify_only = is_there or bool(unshown)
    if verify_only or purpose.refines:
        criteria = as_already(criteria)
    prose = len(open_) - len(telling)
    note = _note(len(held), len(telling), len(shown), prose) if telling else "no verifiable criteria for triage"
    event = Triaged(
        phase=ctx.phase.id,
        source=source if telling else CriteriaSource.NONE,
        criteria=criteria,
        observations=observations,
        verify_only=verify_only,
        has_plan=bool(plan.paths),
        note=note,
        answers=plan.answers,
        must_haves=plan.must_haves,
        unshown=unshown,
    )
    events = (event, *_consequences(ctx, plan, observations), *estimate(ctx, plan.tasks))
    route = (
        StepStatus.REFINE if purpose.refines else StepStatus.VERIFY_ONLY if verify_only else StepStatus.FULL_PIPELINE
    )
    return Result(route, events, f"{note}; {unshown}" if unshown else note)


def _observe(ctx: StepContext, checks: Sequence[Check]) -> tuple[Observation, ...]:
    """What the run's start saw at this very commit is not run again, unless it was resumed since: the machine may have
    other tools."""
    is_first = ctx.state.session.since == ctx.state.started_at
    begun = ctx.state.inputs.criteria.get(ctx.phase.id, ()) if is_first else ()
    known = {(seen.subject, seen.command): seen for seen in begun if seen.commit == ctx.tip}
    missing = [check for check in checks if (check.subject, check.command) not in known]
    fresh = {(seen.subject, seen.command): seen for seen in observe(ctx, ctx.tip, missing, at_base=True)}
    return tuple((known | fresh)[check.subject, check.command] for check in checks)


def _unshown(ctx: StepContext, plan: PlanRead, seen: Sequence[Observation]) -> str:
    """Why a phase that was carried out by its files is only verified: nothing is red that an agent could turn green.

    Who wrote the summaries is not known, and they are prose: they choose the way, and a person decides.
    """
    folder = ctx.phase.brief.folder
    if not _may_be_there(ctx) or not plan.tasks or any(observation.seen is not Seen.PASSED for observation in seen):
        return ""
    read = text_at(ctx, ctx.tip)
    disk = inspect_folder(folder, ctx.ports.vault.list(ctx.tip, folder), lambda path: read(path) or "")
    return CARRIED_OUT if disk.finished and disk.verified != GAPS else ""


def _may_be_there(ctx: StepContext) -> bool:
    """Not where it is to be made again, nor where it was sent back through the whole pipeline."""
    return ctx.phase.brief.purpose is Purpose.BUILD and not ctx.phase.retries.rerouted


def _is_enough(plan: PlanRead, telling: Sequence[Check], shown: Collection[str]) -> bool:
    """Text that is found shows little. It is enough where there is no plan to carry out and every criterion holds:
    the evidence is called weak then, and reviewers read the phase."""
    if not telling or len(shown) / len(telling) <= ENOUGH:
        return False
    if any(check.strength is not Strength.GREP for check in telling):
        return True
    return not plan.tasks and len(shown) == len(telling)


def _note(held: int, asked: int, shown: int, prose: int) -> str:
    """Tests that pass before the work are no sign that it was done."""
    by_tests = f", {held - shown} of them by tests that may have been there before" if held > shown else ""
    to_read = f"; {prose} in prose, for reviewers to read" if prose else ""
    return f"{held} of {asked} criteria hold{by_tests}{to_read}"


def _criteria(ctx: StepContext, plan: PlanRead) -> tuple[Criterion, ...]:
    """A plan may promise less than the roadmap: what the roadmap itself can have run is asked for all the same."""
    own = ctx.phase.brief.criteria
    if not plan.tasks:
        return own
    return (*criteria_of_tasks(plan.tasks), *(c for c in own if c.is_runnable))


def _plan(ctx: StepContext) -> PlanRead:
    """What lies in the phase's folder; when the phase is made again from scratch, only if the user wrote it."""
    plan = read_plan(ctx, ctx.tip)
    is_redo = ctx.phase.brief.purpose is Purpose.REDO
    return NO_PLAN if is_redo and is_ours_again(ctx, plan.paths) else plan


def _consequences(ctx: StepContext, plan: PlanRead, seen: tuple[Observation, ...]) -> tuple[Event, ...]:
    """A refinement is held to all its phase has promised: the plan is carried out, and its test scripts count on."""
    phase = ctx.phase
    if phase.brief.purpose is Purpose.REDO and plan.paths:
        return (Warned(f"phase {phase.id}: {KEPT}", phase.id),)
    if not phase.brief.purpose.refines or not plan.tasks:
        return ()
    already_done = (TaskAlreadyThere(phase.id, task.id) for task in plan.tasks if task.is_automatic)
    planned = users_plan(ctx, ctx.tip, plan)
    return (planned, RedObserved(phase.id, seen), *already_done)
