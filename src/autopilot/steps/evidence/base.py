"""How things stood before the work of a phase began: what its checks said, and which files their runs opened."""

from __future__ import annotations

from autopilot.gates.baseline import Goal, find_red, goal_of, is_aimed_at
from autopilot.model.evidence.observation import Observation
from autopilot.model.evidence.subject import SubjectKind
from autopilot.steps.context import StepContext
from autopilot.steps.observing.test_reports import report_of
from autopilot.steps.observing.texts import files_opened


def base_of(ctx: StepContext) -> dict[str, Observation]:
    """What was seen before the work of this phase began, by subject."""
    phase = ctx.phase
    return {
        observation.subject: observation
        for observation in (*(phase.intake.triage or ()), *(phase.plan.red or ()), *(phase.plan.baseline or ()))
    }


def checks_at_start(ctx: StepContext) -> dict[str, Observation]:
    """The checks at the commit that the run began with, but for one that is red by what this phase is to turn green.

    A phase that is only verified was not looked at before its work, and what is red here was reported at the start.
    """
    goal = goal_of(ctx.phase.brief)
    return {seen.subject: seen for seen in ctx.state.inputs.baseline if not _is_aim(ctx, seen, goal)}


def _is_aim(ctx: StepContext, seen: Observation, goal: Goal) -> bool:
    report = report_of(ctx, seen)
    red = find_red([seen], {seen.subject: report} if report else {}, ())
    return any(is_aimed_at(test, [goal], seen.command) for test in red)


def opened_before(ctx: StepContext) -> frozenset[str]:
    """Files of the project that its tests opened at the base. What linters and compilers open says nothing."""
    runs = [seen for seen in base_of(ctx).values() if _is_of_tests(seen)]
    return frozenset(path for seen in runs for path in files_opened(ctx, seen))


def _is_of_tests(seen: Observation) -> bool:
    return seen.tests is not None or seen.subject == "test" or seen.about.is_plain(SubjectKind.SCRIPT)
