"""What a phase will cost: by formula, before it is spent, and again when its plan is known."""

from __future__ import annotations

from collections.abc import Sequence

from autopilot.events.happened import Event, Warned
from autopilot.events.recovery import Estimated
from autopilot.model.planning.phase_type import PhaseType
from autopilot.model.planning.plan import Task
from autopilot.planning.choosing.estimate import estimate_tokens, estimate_work, over_cap_warning
from autopilot.planning.roadmap.phase_type import classify
from autopilot.reports.places import files_in
from autopilot.steps.context import StepContext

UNKNOWN_TYPE = "decided by the files of your tasks: those of a user interface make it ui, with others mixed"


def likely_type(ctx: StepContext) -> str:
    """The type of a phase for its planner: by what an attempt before changed, or by the files that its texts name."""
    brief, known = ctx.phase.brief, ctx.phase.intake.phase_type
    texts = (brief.goal, *map(str, brief.criteria), *brief.requirements, ctx.phase.plan.approach)
    named = [path for text in texts for path in files_in(text)]
    if ctx.phase.retries.replans and known:
        return known
    return _classify(ctx, named).value if named else UNKNOWN_TYPE


def files_of(tasks: Sequence[Task]) -> list[str]:
    return [path for task in tasks for path in task.files]


def _classify(ctx: StepContext, paths: Sequence[str]) -> PhaseType:
    return classify(paths, ctx.policy.interface.source_dir, ctx.policy.interface.extensions)


def estimate(ctx: StepContext, tasks: Sequence[Task]) -> tuple[Event, ...]:
    """The estimate, and a warning when it comes near the phase's cap."""
    kind = _classify(ctx, files_of(tasks))
    guess, brief = estimate_tokens(tasks, kind), ctx.phase.brief
    if brief.purpose.refines:  # its plan is carried out already: what is left are rounds of fixes
        guess = estimate_work(brief.purpose, tasks, kind, len(brief.earlier.deficiencies) if brief.earlier else 0)
    known = guess.medium + guess.unknown
    event = Estimated(ctx.phase.id, guess.tokens, kind.value, guess.simple, known, guess.complex)
    warning = over_cap_warning(guess, ctx.policy.budget.tokens_per_phase)
    return (event, Warned(f"phase {ctx.phase.id}: {warning}", ctx.phase.id)) if warning else (event,)
