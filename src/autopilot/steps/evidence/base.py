"""How things stood before the work of a phase began: what its checks said, and which files their runs opened."""

from __future__ import annotations

from autopilot.model.evidence.observation import Observation
from autopilot.model.evidence.subject import SubjectKind
from autopilot.steps.context import StepContext


def base_of(ctx: StepContext) -> dict[str, Observation]:
    """What was seen before the work of this phase began, by subject."""
    phase = ctx.phase
    return {
        observation.subject: observation
        for observation in (*(phase.intake.triage or ()), *(phase.plan.red or ()), *(phase.plan.baseline or ()))
    }


def opened_before(ctx: StepContext) -> frozenset[str]:
    """Files of the project that its tests opened at the base. What linters and compilers open says nothing."""
    runs = [seen for seen in base_of(ctx).values() if seen.opened and _is_of_tests(seen)]
    return frozenset(path for seen in runs for path in ctx.ports.blobs.get(seen.opened).decode().splitlines())


def _is_of_tests(seen: Observation) -> bool:
    return seen.tests is not None or seen.subject == "test" or seen.about.is_plain(SubjectKind.SCRIPT)
