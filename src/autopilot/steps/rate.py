"""Rate: a rater scores each criterion; the aggregate, its caps and its rounding are ours."""

from __future__ import annotations

from autopilot.events.happened import PhaseRated
from autopilot.gates.score import band, compute_score, refuse_rating
from autopilot.model.agent import Role
from autopilot.model.assessment import Rating
from autopilot.steps.asking import Question, ask, no_answer
from autopilot.steps.context import Result, StepContext, StepRun
from autopilot.steps.evidence import phase_verdicts
from autopilot.steps.knowing import every_criterion, facts_for_review
from autopilot.steps.reviewing import review_prompt


def perform(ctx: StepContext) -> StepRun:
    files = facts_for_review(ctx.phase, ctx.phase.observations or ())
    answer = yield from ask(ctx, Question(Role.RATER, review_prompt(ctx, "rate"), "review", files), Rating)
    if answer.value is None:
        return no_answer(answer)
    # Replies are kept without secrets, so the criteria they name are compared in that form too.
    texts = {criterion.id: ctx.ports.blobs.clean(criterion.text) for _, criterion in every_criterion(ctx.phase)}
    if reason := refuse_rating(answer.value, list(texts.values())):
        return Result("error", detail=f"the rating was refused: {reason}")
    by_id = {verdict.subject: verdict for verdict in phase_verdicts(ctx.phase)}
    verdicts = {text: by_id[name] for name, text in texts.items() if name in by_id}
    score = compute_score(answer.value, verdicts, list(texts.values()))
    event = PhaseRated(ctx.phase.id, ctx.state.tip, answer.value, score, band(score))
    return Result("pass" if score >= ctx.policy.pass_threshold else "fail", (event,), f"{score}/10")
