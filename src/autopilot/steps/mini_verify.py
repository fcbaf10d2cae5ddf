"""Mini-verify: one task, looked at by code alone, at the commit it produced."""

from __future__ import annotations

from autopilot.events.happened import TaskVerified
from autopilot.gates.task import judge_criteria, worst
from autopilot.model.evidence import Observation
from autopilot.model.verdict import Outcome, Verdict
from autopilot.steps.context import Result, StepContext, StepRun
from autopilot.steps.looking import look_at_criteria, look_at_script, observe


def perform(ctx: StepContext) -> StepRun:
    yield from ()
    state = ctx.phase.tasks[ctx.task]
    looks = look_at_criteria(ctx, state.task.criteria) + look_at_script(ctx, state.task, state.commit)
    observations = observe(ctx, state.commit, looks)
    verdicts = judge_criteria(
        state.task.criteria, ctx.phase.red or (), observations, f"script:{state.task.id}", ours=ctx.phase.plan_ours
    )
    outcome = worst(verdicts)
    event = TaskVerified(ctx.phase.id, state.task.id, state.commit, observations, verdicts, outcome)
    return Result(_status(outcome, verdicts), (event,), _because(verdicts, observations))


def _status(outcome: Outcome, verdicts: tuple[Verdict, ...]) -> str:
    if outcome is Outcome.UNPROVEN and all(v.ours for v in verdicts if v.outcome is not Outcome.PASS):
        return "unproven"
    return "pass" if outcome is Outcome.PASS else "fail"


def _because(verdicts: tuple[Verdict, ...], observations: tuple[Observation, ...]) -> str:
    bad = next((v for v in verdicts if v.outcome is not Outcome.PASS), None)
    if bad is None:
        return f"{len(verdicts)} of {len(verdicts)} hold"
    seen = next((o for o in observations if o.subject == bad.subject), None)
    return f"{bad.subject}: {bad.because}" + (f" ({seen.reason})" if seen and seen.reason else "")
