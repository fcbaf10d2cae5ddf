"""Gate: is the phase done? Evidence first, assessments after, nobody's claims."""

from __future__ import annotations

from autopilot.events.happened import GateJudged
from autopilot.gates.phase import judge_phase
from autopilot.model.verdict import Outcome
from autopilot.steps.context import Result, StepContext, StepRun
from autopilot.steps.evidence import phase_verdicts


def perform(ctx: StepContext) -> StepRun:
    yield from ()
    phase = ctx.phase
    verdicts = phase_verdicts(phase)
    verdict = judge_phase(verdicts, phase.verification, phase.judgement, phase.score, ctx.policy.pass_threshold)
    event = GateJudged(phase.id, phase.observed_commit, verdict.outcome, verdict.because, verdicts)
    # "unproven" is the word for what is ours; what the work left unproven fails it.
    status = "fail" if verdict.outcome is Outcome.UNPROVEN and not verdict.ours else verdict.outcome.value.lower()
    return Result(status, (event,), verdict.because)
