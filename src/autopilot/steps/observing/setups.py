"""What setup installed for a checkout; of a setup that failed, whose doing that is."""

from __future__ import annotations

from pathlib import PurePosixPath

from autopilot.ports.layers import Layer
from autopilot.ports.sandbox import Exited, NeverRan, Outcome
from autopilot.steps.context import StepContext
from autopilot.steps.observing.ends import describe_end, stop_if_killed


def find_dependencies(ctx: StepContext, backing: PurePosixPath) -> Layer | Outcome | None:
    setup = ctx.policy.commands.setup
    if not setup:
        return None
    timeout_s, grants = ctx.policy.timeouts.setup, ctx.policy.conditions.setup_env
    layer = ctx.ports.layers.ensure(setup, backing, ctx.project, timeout_s, ctx.label, grants=grants)
    if isinstance(layer, Outcome):
        stop_if_killed(layer)
    return layer


def settle_dependencies(ctx: StepContext, backing: PurePosixPath, base: str) -> tuple[Layer | Outcome | None, bool]:
    """With whether a failure is no fault of the change: where the base, "" for none, cannot be set up any more either.

    Setup is the one command with a network, and a registry that is down for an hour fails the best of work. What was
    there again by the time of that control is tried once more.
    """
    layer = find_dependencies(ctx, backing)
    if not isinstance(layer, Outcome) or isinstance(layer.ended, NeverRan) or not base:
        return layer, False
    if not _can_still_be_set_up(ctx, base):
        return layer, True
    return find_dependencies(ctx, backing), False


def _can_still_be_set_up(ctx: StepContext, commit: str) -> bool:
    timeout_s, grants = ctx.policy.timeouts.setup, ctx.policy.conditions.setup_env
    backing = PurePosixPath(ctx.ports.workspaces.export(commit))
    setup = ctx.policy.commands.setup or ""
    control = ctx.ports.layers.repeat(setup, backing, ctx.project, timeout_s, ctx.label, grants=grants)
    stop_if_killed(control)
    return control.ended == Exited(0)


def describe_failed_setup(ctx: StepContext, outcome: Outcome) -> str:
    return f"setup did not succeed: {ctx.ports.blobs.clean(describe_end(outcome))}"
