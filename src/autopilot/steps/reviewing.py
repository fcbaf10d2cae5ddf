"""What every reviewer is told: the criteria, the change, and what we saw; nothing anyone claims."""

from __future__ import annotations

from autopilot.steps.context import StepContext
from autopilot.steps.knowing import every_criterion
from autopilot.steps.prompt import bullets, render_prompt


def review_prompt(ctx: StepContext, name: str) -> str:
    return render_prompt(
        name,
        phase=ctx.phase.id,
        name=ctx.phase.brief.name,
        goal=ctx.phase.brief.goal or "see the roadmap",
        criteria=bullets([f"{c.text}: `{c.command}`" if c.command else c.text for _, c in every_criterion(ctx.phase)]),
    )
