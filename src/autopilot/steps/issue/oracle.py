"""Oracle: red, green, coverage and sabotage of one iteration, each seen by us at an exact commit."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from autopilot.model.issue.issue import FIXING, MEASURING, REPRODUCING, REWORDING, STEADYING
from autopilot.steps.context import StepContext, StepRun
from autopilot.steps.issue import oracle_atdd, oracle_bugfix, oracle_express, oracle_flaky

ORACLES: Mapping[str, Callable[[StepContext], StepRun]] = {
    REPRODUCING: oracle_bugfix.verify_reproduction,
    FIXING: oracle_bugfix.verify_fix,
    MEASURING: oracle_flaky.measure_before,
    STEADYING: oracle_flaky.measure_after,
    REWORDING: oracle_express.verify_documents,
}


def perform(ctx: StepContext) -> StepRun:
    """Steps of the user's own naming are looked at as a whole implementation is."""
    return (yield from ORACLES.get(ctx.task, oracle_atdd.verify_iteration)(ctx))
