"""Reading the plan of a phase out of a commit, with what Autopilot adds to a user's plan."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from autopilot.events.happened import Planned
from autopilot.model.intent import Purpose
from autopilot.model.planning.complaint import Complaint
from autopilot.model.planning.plan import Plan, Task
from autopilot.model.planning.promise import Answer, promises
from autopilot.planning.plan.answers import resolve_answers
from autopilot.planning.plan.files import SUPPLEMENT, find_carried_out
from autopilot.planning.plan.plan import find_plans, parse_plan
from autopilot.planning.plan.supplement import drop_unfailing, merge_supplement
from autopilot.planning.plan.waves import split_waves
from autopilot.steps.context import StepContext
from autopilot.steps.observing.listed import read_listed
from autopilot.steps.observing.observing import script_path


class PlanRead(Struct, frozen=True):
    """Every task of the phase, from all its plan files, with their test scripts by task id."""

    paths: tuple[str, ...]
    tasks: tuple[Task, ...]
    complaints: tuple[Complaint, ...]
    scripts: Mapping[str, str]
    plans: tuple[Plan, ...] = ()
    supplement: str = ""  # the file beside a user's plan, when there is one
    answers: tuple[Answer, ...] = ()  # how it says that what the owner asks for is to be checked

    @property
    def must_haves(self) -> tuple[str, ...]:
        return tuple(text for plan in self.plans for text in plan.must_haves)


NO_PLAN = PlanRead((), (), (), {})


def users_plan(ctx: StepContext, commit: str, plan: PlanRead) -> Planned:
    """A plan that no plan step made, as it enters the record."""
    return Planned(
        ctx.phase.id,
        commit,
        plan.tasks,
        plan.complaints,
        ours=False,
        answers=plan.answers,
        must_haves=plan.must_haves,
    )


def read_plan(ctx: StepContext, commit: str, *, ours: bool = False) -> PlanRead:
    """In a plan of the user's, a command that cannot fail proves nothing and is set dropped; in ours it is refused."""
    folder, listed = ctx.phase.brief.folder, read_listed(ctx, commit)
    if listed is not None:
        plans: tuple[Plan, ...] = (replace(listed.plan, tasks=listed.to_do),)
    else:
        found = find_plans(ctx.ports.vault.list(commit, folder), folder)
        plans = tuple(_parse(ctx, commit, path) for path in found)
    paths = tuple(plan.path for plan in plans)
    tasks = split_waves([task for plan in plans for task in plan.tasks])
    complaints = tuple(complaint for plan in plans for complaint in plan.complaints)
    beside = f"{folder}/{SUPPLEMENT}"
    extra = _parse(ctx, commit, beside)
    if plans and extra.tasks:
        tasks, about_extra = merge_supplement(tasks, extra.tasks)
        complaints = (*complaints, *extra.complaints, *about_extra)
    if not ours:
        tasks, dropped = drop_unfailing(tasks)
        complaints = (*complaints, *dropped)
    scripts = {task.id: _text(ctx, commit, script_path(folder, task.id)) for task in tasks}
    known = {task: text for task, text in scripts.items() if text}
    brief = ctx.phase.brief
    answers = resolve_answers((*plans, extra), tasks, promises(brief.criteria), brief.requirements)
    return PlanRead(paths, tasks, complaints, known, plans, beside if plans and extra.tasks else "", answers)


def find_done(ctx: StepContext, commit: str, plan: PlanRead) -> frozenset[str]:
    """The plan files that were carried out before this run: a summary follows them, and not all of the phase's.

    That is its author's word. What such a plan can have run is run; in the first attempt at the phase, no agent is
    asked to do it again.
    """
    phase = ctx.phase
    if phase.brief.purpose is not Purpose.BUILD or phase.totals.attempt > 1 or phase.parent:
        return frozenset()
    return find_carried_out(plan.paths, frozenset(ctx.ports.vault.list(commit, phase.brief.folder)))


def _parse(ctx: StepContext, commit: str, path: str) -> Plan:
    return parse_plan(_text(ctx, commit, path), path, ctx.phase.id, ctx.policy.commands)


def _text(ctx: StepContext, commit: str, path: str) -> str:
    content = ctx.ports.vault.read(commit, path)
    return "" if content is None else content.decode("utf-8", "replace")
