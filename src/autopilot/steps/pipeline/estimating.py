"""What a phase will cost: by formula, before it is spent, and again when its plan is known."""

from __future__ import annotations

from collections.abc import Sequence

from autopilot.events.happened import Event, Warned
from autopilot.events.recovery import Estimated
from autopilot.model.planning.plan import Task
from autopilot.planning.choosing.estimate import estimate_tokens, estimate_work, over_cap_warning
from autopilot.planning.roadmap.phase_type import classify
from autopilot.steps.context import StepContext


def estimate(ctx: StepContext, tasks: Sequence[Task]) -> tuple[Event, ...]:
    """The estimate, and a warning when it comes near the phase's cap."""
    kind = classify([f for task in tasks for f in task.files], ctx.policy.ui_source_dir, ctx.policy.ui_extensions)
    guess, brief = estimate_tokens(tasks, kind), ctx.phase.brief
    if brief.purpose.refines:  # its plan is carried out already: what is left are rounds of fixes
        guess = estimate_work(brief.purpose, tasks, kind, len(brief.earlier.deficiencies) if brief.earlier else 0)
    known = guess.medium + guess.unknown
    event = Estimated(ctx.phase.id, guess.tokens, kind.value, guess.simple, known, guess.complex)
    warning = over_cap_warning(guess, ctx.policy.budget.tokens_per_phase)
    return (event, Warned(f"phase {ctx.phase.id}: {warning}", ctx.phase.id)) if warning else (event,)
