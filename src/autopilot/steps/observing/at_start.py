"""What the run saw of the configured checks before it began: a phase that begins there need not run them again."""

from __future__ import annotations

from autopilot.model.evidence.observation import Observation
from autopilot.steps.context import StepContext
from autopilot.steps.observing.observing import Check, observe

# The one check that reads documents as well: what it says may change with a plan.
READS_DOCUMENTS = ("lint",)


def observe_before(ctx: StepContext, commit: str, folder: str, checks: list[Check]) -> tuple[Observation, ...]:
    """Every check at ``commit``, before the work. ``folder``: where plans are, which no other check reads."""
    known = seen_at_start(ctx, commit, folder)
    fresh = observe(ctx, commit, [check for check in checks if _key(check) not in known], at_base=True)
    seen = {(observation.subject, observation.command): observation for observation in (*known.values(), *fresh)}
    return tuple(seen[_key(check)] for check in checks)


def seen_at_start(ctx: StepContext, commit: str, folder: str) -> dict[tuple[str, str], Observation]:
    """By subject and command; nothing where more than plans came since the run began."""
    start = ctx.state.inputs.baseline
    if not start:
        return {}
    paths = [change.path for change in ctx.ports.vault.changes(start[0].commit, commit)]
    if any(not path.startswith(f"{folder}/") for path in paths):
        return {}
    return {
        (observation.subject, observation.command): observation
        for observation in start
        if not paths or observation.subject not in READS_DOCUMENTS
    }


def _key(check: Check) -> tuple[str, str]:
    return check.subject, check.command
