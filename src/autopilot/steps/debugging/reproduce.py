"""Reproduce: we run the reproduction where the bug is, as often as it takes to say how often it fails."""

from __future__ import annotations

from autopilot.events.debugging.happened import ReproductionSeen
from autopilot.gates.debugging.hypothesis import NEVER_RAN
from autopilot.model.debugging.repeats import runs_wanted
from autopilot.model.debugging.session import Repeats
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.run import StepStatus
from autopilot.steps.context import Result, StepContext, StepRun
from autopilot.steps.debugging.session_context import reproduction_check, session_in
from autopilot.steps.observing.observing import list_configured_checks, observe


def perform(ctx: StepContext) -> StepRun:
    yield from ()
    commit, check = session_in(ctx).commit, reproduction_check(ctx)
    seen: list[Observation] = []
    while wanted := runs_wanted(count(seen)):
        seen += observe(ctx, commit, [check] * wanted, at_base=True)
        if undone := [observation for observation in seen if observation.seen is Seen.NOTHING]:
            return Result(StepStatus.UNPROVEN, detail=f"the reproduction could not be run: {undone[0].reason}")
        if seen[0].exit_code in NEVER_RAN:
            break
    red = next((observation for observation in seen if observation.seen is not Seen.PASSED), None)
    problem = _problem(seen, red)
    baseline = () if problem else observe(ctx, commit, list_configured_checks(ctx), at_base=True)
    event = ReproductionSeen(ctx.phase.id, commit, count(seen), red, baseline, problem)
    return Result(StepStatus.FAIL if problem else StepStatus.PASS, (event,), problem or f"failed in {count(seen).text}")


def count(seen: list[Observation]) -> Repeats:
    return Repeats(len(seen), sum(observation.seen is not Seen.PASSED for observation in seen))


def _problem(seen: list[Observation], red: Observation | None) -> str:
    if red is None:
        return f"the reproduction passed in all of {len(seen)} runs"
    if red.exit_code in NEVER_RAN:
        return f"the reproduction is no command that runs here (exit {red.exit_code}): {red.excerpt.strip()[:200]}"
    return ""
