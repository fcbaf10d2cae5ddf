"""Judge: an independent reading of the change, recorded first; then the same judge beside the verifier's report."""

from __future__ import annotations

import msgspec

from autopilot.events.happened import PhaseJudged
from autopilot.events.recovery import JudgeFound
from autopilot.gates.integrity import refuse_judgement
from autopilot.model.agent import Role
from autopilot.model.assessment import Divergence, JudgeFindings, Judgement, graver
from autopilot.model.run import StepStatus
from autopilot.reports.documents.verification import render_verification
from autopilot.steps.asking.asking import Question, ask, no_answer
from autopilot.steps.asking.context_files import facts_for_review
from autopilot.steps.asking.reviewing import minimum_concerns, review_prompt
from autopilot.steps.context import Result, StepContext, StepRun
from autopilot.steps.visual.reviewing import pictures_for_review


def perform(ctx: StepContext) -> StepRun:
    files = {**facts_for_review(ctx.phase, ctx.phase.observed.observations or ()), **pictures_for_review(ctx)}
    first = yield from ask(ctx, Question(Role.JUDGE, review_prompt(ctx, "judge"), "review", files), JudgeFindings)
    if first.value is None:
        return no_answer(first)
    # Durable before the judge sees anyone else's conclusion: what it found, it found alone.
    yield (JudgeFound(ctx.phase.id, ctx.tip, first.value),)
    shown = {
        **files,
        "findings.json": msgspec.json.encode(first.value),
        "VERIFICATION.md": render_verification(ctx.state, ctx.phase).encode(),
    }
    prompt = review_prompt(ctx, "judge_divergence")
    question = Question(Role.JUDGE, prompt, "review", shown, nth=1, spent=first.event.usage)
    second = yield from ask(ctx, question, Divergence)
    if second.value is None:
        return no_answer(second)
    judgement = join(first.value, second.value)
    if reason := refuse_judgement(judgement, minimum_concerns(ctx.phase)):
        return Result(StepStatus.ERROR, detail=f"the judgement was refused: {reason}")
    return Result(StepStatus(judgement.recommendation), (PhaseJudged(ctx.phase.id, ctx.tip, judgement),))


def join(findings: JudgeFindings, divergence: Divergence) -> Judgement:
    """Of two recommendations the graver counts: a second look can lower the first, not raise it."""
    return Judgement(
        recommendation=graver(findings.recommendation, divergence.recommendation),
        concerns=findings.concerns,
        independent_evidence=findings.independent_evidence,
        verifier_missed=divergence.verifier_missed,
        scope_creep=findings.scope_creep,
        missing_requirements=findings.missing_requirements,
        notes=findings.notes,
        traces=findings.traces,
        verifier_agreement=divergence.verifier_agreement,
        agreements=divergence.agreements,
        disagreements=divergence.disagreements,
        judge_missed=divergence.judge_missed,
    )
