"""Evaluating: observe a work, and check what the observations prove. Layer by layer, the cheap ones first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from autopilot.events.criteria import criteria_of
from autopilot.events.pieces import TaskState
from autopilot.inspection.control.changes import control_kind
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.planning.criterion import Criterion
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.base import base_of, checks_at_start
from autopilot.steps.evidence.brought.brought_tests import mark_brought
from autopilot.steps.evidence.brought.idle_tests import run_idle_tests
from autopilot.steps.evidence.brought.new_tests import run_without_new_tests
from autopilot.steps.evidence.brought.silent_tests import run_silent_tests
from autopilot.steps.evidence.canary import run_canary
from autopilot.steps.evidence.doubtful import run_doubtful
from autopilot.steps.evidence.expectations import run_other_expectations
from autopilot.steps.evidence.held_out import run_examples
from autopilot.steps.evidence.idle_work import run_idle_work
from autopilot.steps.evidence.known_answers import find_known_answers
from autopilot.steps.evidence.near_values import run_near_values
from autopilot.steps.evidence.neighbours import run_neighbours
from autopilot.steps.evidence.otherwise.absent import find_present
from autopilot.steps.evidence.otherwise.commented import run_commented
from autopilot.steps.evidence.otherwise.named_work import run_named_work
from autopilot.steps.evidence.otherwise.other_build import run_other_builds
from autopilot.steps.evidence.otherwise.other_day import run_other_day
from autopilot.steps.evidence.otherwise.other_input import run_other_inputs
from autopilot.steps.evidence.otherwise.other_name import run_other_names
from autopilot.steps.evidence.otherwise.other_surroundings import run_other_surroundings, run_suite_elsewhere
from autopilot.steps.evidence.otherwise.packaged import find_unpackaged
from autopilot.steps.evidence.otherwise.reading import run_reading
from autopilot.steps.evidence.otherwise.recorded_calls import run_recorded_calls
from autopilot.steps.evidence.otherwise.replaced_work import run_replaced_work
from autopilot.steps.evidence.otherwise.set_up_before import run_set_up_before
from autopilot.steps.evidence.otherwise.slight_changes import run_slight_changes
from autopilot.steps.evidence.otherwise.unwired import run_unwired
from autopilot.steps.evidence.otherwise.without_state import run_without_state
from autopilot.steps.evidence.outside import run_outside
from autopilot.steps.evidence.proving import Proving, replay, sabotage_scripts
from autopilot.steps.evidence.red_before import mark_red_before
from autopilot.steps.evidence.regression import compare, mark_legacy
from autopilot.steps.evidence.second_looking import (
    flag_suspicious_code,
    flag_unfinished_code,
    refuse_retries,
    refuse_swallowed_assertions,
)
from autopilot.steps.evidence.stated_commands import run_stated_commands
from autopilot.steps.evidence.work import Work, observe_work
from autopilot.steps.observing.observing import Check, list_configured_checks, list_criterion_checks
from autopilot.steps.observing.repeating import repeat_green, repeat_red


class Evaluation(Struct, frozen=True):
    observations: tuple[Observation, ...]
    proving: Proving = Proving()

    @property
    def undone(self) -> str:
        """What our own sandbox could not run, and why; "" when everything ran."""
        seen = (*self.observations, *self.proving.probes)
        return next(
            (
                f"{observation.subject} could not be run: {observation.reason}"
                for observation in seen
                if observation.seen is Seen.NOTHING
            ),
            "",
        )


def evaluate(ctx: StepContext, work: Work, criteria: Sequence[Criterion], checks: Sequence[Check]) -> Evaluation:
    """Every check, at the work's commit with its control files as pinned.

    Work that is refused already gets no further probes: each costs a run and would add nothing.
    """
    try:
        return _evaluate(ctx, work, criteria, checks)
    finally:
        if work.is_restored:
            ctx.ports.workspaces.forget(work.evidence)


def evaluate_kept(
    ctx: StepContext,
    work: Work,
    before: Mapping[str, Observation],
    checks: Sequence[Check],
    *,
    as_pinned: bool = True,
) -> Evaluation:
    """Of work that adds nothing a test could be red without: all that was there says what it said before."""
    try:
        return _compared(ctx, work, before, checks, as_pinned=as_pinned)
    finally:
        if work.is_restored:
            ctx.ports.workspaces.forget(work.evidence)


def _compared(
    ctx: StepContext, work: Work, before: Mapping[str, Observation], checks: Sequence[Check], *, as_pinned: bool = True
) -> Evaluation:
    seen, proving = repeat_red(ctx, work, before, observe_work(ctx, work, checks))
    if _is_undone(seen):
        return Evaluation(seen, proving)
    seen = mark_red_before(ctx, before, mark_legacy(ctx, before, seen), work)
    proving += Proving(objections=work.objections) + compare(ctx, work, before, seen, as_pinned=as_pinned)
    return Evaluation(seen, proving)


def _evaluate(ctx: StepContext, work: Work, criteria: Sequence[Criterion], checks: Sequence[Check]) -> Evaluation:
    before = base_of(ctx)
    compared = _compared(ctx, work, before, checks)
    seen, proving = compared.observations, compared.proving
    if _is_undone(seen):
        return compared
    wanted = {criterion.id for criterion in criteria}
    if proving.is_refused or any(
        observation.seen is not Seen.PASSED for observation in seen if observation.subject in wanted
    ):
        return Evaluation(seen, proving)
    proving += replay(ctx, work, criteria, tuple(before.values()), seen) + sabotage_scripts(ctx, work, criteria, seen)
    if not proving.is_refused:
        proving = _ask_otherwise(ctx, work, criteria, list_criterion_checks(ctx, criteria), seen, proving)
    if not proving.is_refused:
        proving += run_canary(ctx, work, seen, proving.probes) + repeat_green(ctx, work, seen)
    return Evaluation(seen, proving)


def _ask_otherwise(
    ctx: StepContext,
    work: Work,
    criteria: Sequence[Criterion],
    checks: Sequence[Check],
    seen: Sequence[Observation],
    proving: Proving,
) -> Proving:
    """With what the same criteria show when they, or the code that they are about, are changed."""
    proving += run_near_values(ctx, work, criteria, seen, proving) + run_idle_work(ctx, work, criteria, seen)
    proving += run_replaced_work(ctx, work, criteria, seen)
    proving += run_other_expectations(ctx, work, checks, seen) + run_doubtful(ctx, work, checks, seen)
    proving += run_other_inputs(ctx, work, criteria, seen) + run_reading(ctx, work, criteria, seen)
    proving += run_commented(ctx, work, criteria, seen) + run_other_day(ctx, work, criteria, seen)
    proving += run_without_state(ctx, work, criteria, seen) + run_other_names(ctx, work, criteria, seen)
    return proving + run_other_surroundings(ctx, work, criteria, seen)


def evaluate_phase(ctx: StepContext, work: Work, seen: Sequence[Observation]) -> Evaluation:
    """The whole phase at its last commit: what no task by itself could show."""
    before = base_of(ctx)
    excused = before if work.changes else {**checks_at_start(ctx), **before}
    settled, proving = repeat_red(ctx, work, excused, seen)
    if _is_undone(settled):
        return Evaluation(settled, proving)
    settled = mark_red_before(ctx, excused, mark_legacy(ctx, excused, settled), work)
    proving += Proving(objections=work.objections) + compare(ctx, work, before, settled)
    unproven = _unproven(ctx)
    if not proving.is_refused:
        proving += replay(ctx, work, unproven, tuple(before.values()), settled)
        doubted = [criterion for state in _doubted(ctx) for criterion in state.task.criteria]
        proving += sabotage_scripts(ctx, work, doubted, settled, criteria_of(ctx.phase)) if doubted else Proving()
    if not proving.is_refused:
        checks = [*list_criterion_checks(ctx, unproven), *list_configured_checks(ctx)]
        proving = _ask_otherwise(ctx, work, unproven, checks, settled, proving)
        proving += evaluate_unseen(ctx, work, settled)
    if not proving.is_refused:
        proving += run_idle_tests(ctx, work, before, settled, proving.probes)
    if not proving.is_refused:
        proving += run_named_work(ctx, work, criteria_of(ctx.phase), settled)
        proving += run_set_up_before(ctx, work, criteria_of(ctx.phase), settled)
    if not proving.is_refused:
        proving += run_slight_changes(ctx, work, criteria_of(ctx.phase), settled)
        proving += run_silent_tests(ctx, work, before, settled, proving.probes)
    if _doubted(ctx) and not proving.is_refused:
        proving += run_canary(ctx, work, settled, proving.probes) + repeat_green(ctx, work, settled)
    examples = run_examples(ctx, work.new, [c.path for c in work.changes if work.is_product(c.path)], settled)
    flags = (
        *flag_suspicious_code(ctx, work),
        *flag_unfinished_code(ctx, work),
        *refuse_swallowed_assertions(ctx, work),
        *refuse_retries(ctx, work),
        *find_present(ctx, work),
    )
    proving += Proving(*examples) + run_stated_commands(ctx, work) + run_unwired(ctx, work) + Proving(objections=flags)
    return Evaluation(mark_brought(ctx, work, settled), proving)


def evaluate_unseen(ctx: StepContext, work: Work, seen: Sequence[Observation]) -> Proving:
    """Does the product do it when no test is looking: without the test tool, without the new tests, asked otherwise."""
    proving = run_outside(ctx, work, seen) + run_without_new_tests(ctx, work, seen)
    proving += find_known_answers(ctx, work, seen) + run_other_builds(ctx, work, seen)
    proving += run_suite_elsewhere(ctx, work, seen) + find_unpackaged(ctx, work, seen)
    if not proving.is_refused:
        proving += run_neighbours(ctx, work, seen) + run_recorded_calls(ctx, work, seen)
    return proving


def _unproven(ctx: StepContext) -> list[Criterion]:
    """The roadmap's own criteria, which no task answers for, and those of tasks that an earlier one fulfilled; and all
    of them, where a task did not pass or others than its tasks had a hand in the phase since."""
    phase = ctx.phase
    touched = (
        phase.remediation.cycles
        or phase.split.resolutions
        or phase.split.conflict
        or any(debug.commit for debug in phase.retries.debug_rounds)
    )
    if not touched and not any(state.is_unfixed for state in phase.planned):
        fulfilled = [criterion for state in _fulfilled(ctx) for criterion in state.task.criteria]
        return [*phase.brief.criteria, *fulfilled]
    # A task that was to bring tests alone has nothing of its own that could be taken back.
    tests_only = {s.task.id for s in phase.planned if s.files and all(control_kind(path) for path in s.files)}
    return [criterion for criterion in criteria_of(phase) if criterion.task not in tests_only]


def _doubted(ctx: StepContext) -> list[TaskState]:
    """Tasks that were refused and not fixed, or have no commit of their own: the whole phase answers for them."""
    return [state for state in ctx.phase.planned if state.made_by or state.is_unfixed]


def _fulfilled(ctx: StepContext) -> list[TaskState]:
    """Tasks that an earlier one fulfilled: no evidence was gathered for them yet."""
    return [state for state in ctx.phase.planned if state.made_by]


def _is_undone(seen: Sequence[Observation]) -> bool:
    """What our own sandbox could not run is run first, before anything is held against the work."""
    return any(observation.seen is Seen.NOTHING for observation in seen)
