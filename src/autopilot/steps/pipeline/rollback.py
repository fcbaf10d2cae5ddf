"""Rollback: the base tree again, as one commit on top; what was tried stays on branches of its own."""

from __future__ import annotations

from autopilot.events.happened import RolledBack
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import StepStatus
from autopilot.steps.accepting import public_commit
from autopilot.steps.authoring import AUTHOR
from autopilot.steps.context import Result, StepContext, StepRun


def perform(ctx: StepContext) -> StepRun:
    yield from ()
    vault, phase, tip = ctx.ports.vault, ctx.phase, ctx.tip
    name = f"diagnostic-phase-{phase.id}-{ctx.state.run}-{ctx.attempt}"
    branch = ctx.ports.checkout.offer(name, tip)
    if not phase.owns_branch:
        return Result(StepStatus.COMPLETED, (RolledBack(phase.id, "", branch),), f"kept on {branch}")
    kept = [branch, *(_keep_part(ctx, part) for part in phase.split.parts)]
    if tip == phase.line.base:
        return Result(StepStatus.COMPLETED, (RolledBack(phase.id, tip, branch, ""),), f"kept on {', '.join(kept)}")
    subject = f"rollback: restore the tree phase {phase.id} began with"
    commit = vault.commit(vault.tree_of(phase.line.base), [tip], subject, ctx.time, AUTHOR)
    public = public_commit(ctx, commit, ctx.state.line.public_tip, subject)
    return Result(StepStatus.COMPLETED, (RolledBack(phase.id, commit, branch, public),), f"kept on {', '.join(kept)}")


def _keep_part(ctx: StepContext, part: PhaseId) -> str:
    """Each part's work is safe, whatever became of the others."""
    return ctx.ports.checkout.offer(f"part-{part}-{ctx.state.run}-{ctx.attempt}", ctx.state.parts[part].line.tip)
