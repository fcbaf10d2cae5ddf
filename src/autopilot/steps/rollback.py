"""Rollback: the base tree again, as one commit on top; what was tried stays on a branch of its own."""

from __future__ import annotations

from autopilot.events.happened import RolledBack
from autopilot.steps.authoring import AUTHOR
from autopilot.steps.context import Result, StepContext, StepRun


def perform(ctx: StepContext) -> StepRun:
    yield from ()
    vault, phase = ctx.ports.vault, ctx.phase
    branch = ctx.ports.checkout.offer(f"diagnostic-phase-{phase.id}-{ctx.state.run}-{phase.attempt}", ctx.state.tip)
    subject = f"rollback: restore the tree phase {phase.id} began with"
    commit = vault.commit(vault.tree_of(phase.base), [ctx.state.tip], subject, ctx.at, AUTHOR)
    public = ""
    if not ctx.policy.commit_docs:
        tree = vault.tree_without(phase.base, ".planning")
        public = vault.commit(tree, [ctx.state.public_tip], subject, ctx.at, AUTHOR)
    return Result("completed", (RolledBack(phase.id, commit, branch, public),), f"kept on {branch}")
