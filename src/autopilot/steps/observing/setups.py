"""What setup installed for a checkout; of a setup that failed, whose doing that is."""

from __future__ import annotations

from pathlib import PurePosixPath

from autopilot.ports.layers import Layer, SetupRun
from autopilot.ports.sandbox import Exited, NeverRan, Outcome
from autopilot.steps.context import StepContext
from autopilot.steps.observing.ends import describe_end, stop_if_killed


def find_dependencies(ctx: StepContext, backing: PurePosixPath) -> Layer | Outcome | None:
    if not ctx.policy.commands.setup:
        return None
    layer = ctx.ports.layers.ensure(spell_setup(ctx), backing)
    if isinstance(layer, Outcome):
        stop_if_killed(layer)
    return layer


def spell_setup(ctx: StepContext) -> SetupRun:
    policy = ctx.policy
    grants = policy.conditions.setup_env
    return SetupRun(policy.commands.setup or "", ctx.project, policy.timeouts.setup, ctx.label, grants=grants)


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
    control = ctx.ports.layers.repeat(spell_setup(ctx), PurePosixPath(ctx.ports.workspaces.export(commit)))
    stop_if_killed(control)
    return control.ended == Exited(0)


def describe_failed_setup(ctx: StepContext, outcome: Outcome) -> str:
    return f"setup did not succeed: {ctx.ports.blobs.clean(describe_end(outcome))}"
