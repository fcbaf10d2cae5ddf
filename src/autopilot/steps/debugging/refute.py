"""Refute: we run the test of the hypothesis where the bug is. What was observed decides, against the prediction."""

from __future__ import annotations

from autopilot.events.debugging.happened import HypothesisTested
from autopilot.gates.debugging.hypothesis import judge_test
from autopilot.model.debugging.session import Hypothesis, HypothesisResult
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.planning.criterion import Expectation, Strength
from autopilot.model.run import StepStatus
from autopilot.steps.context import Result, StepContext, StepRun
from autopilot.steps.debugging.session_context import session_in
from autopilot.steps.observing.observing import Check, observe

TIMES = 2  # a test that ends now this way, now that refutes nothing


def perform(ctx: StepContext) -> StepRun:
    yield from ()
    session = session_in(ctx)
    hypothesis = next(idea.hypothesis for idea in session.ideas if idea.is_open)
    seen = run_test(ctx, hypothesis, session.commit)
    if undone := [observation for observation in seen if observation.seen is Seen.NOTHING]:
        return Result(StepStatus.UNPROVEN, detail=f"the test of the hypothesis could not be run: {undone[0].reason}")
    result, because = judge_seen(ctx, hypothesis, seen)
    event = HypothesisTested(ctx.phase.id, hypothesis.number, result, because, seen)
    return Result(StepStatus.PASS if result is HypothesisResult.SUPPORTED else StepStatus.FAIL, (event,), because)


def run_test(ctx: StepContext, hypothesis: Hypothesis, commit: str) -> tuple[Observation, ...]:
    name = f"hypothesis.c{hypothesis.number}"
    check = Check(name, hypothesis.test, Expectation(), Strength.COMMAND, ctx.policy.timeouts.test)
    return observe(ctx, commit, [check] * TIMES, at_base=True)


def judge_seen(ctx: StepContext, hypothesis: Hypothesis, seen: tuple[Observation, ...]) -> tuple[HypothesisResult, str]:
    return judge_test(hypothesis, seen, [_printed(ctx, observation) for observation in seen])


def _printed(ctx: StepContext, seen: Observation) -> str:
    return ctx.ports.blobs.get(seen.output).decode("utf-8", "replace") if seen.output else ""
