"""Judge: a second, independent reading of the change, with a recommendation."""

from __future__ import annotations

from autopilot.events.happened import PhaseJudged
from autopilot.model.agent import Role
from autopilot.model.assessment import Judgement
from autopilot.steps.asking import Question, ask, no_answer
from autopilot.steps.context import Result, StepContext, StepRun
from autopilot.steps.knowing import facts_for_review
from autopilot.steps.reviewing import review_prompt


def perform(ctx: StepContext) -> StepRun:
    files = facts_for_review(ctx.phase, ctx.phase.observations or ())
    answer = yield from ask(ctx, Question(Role.JUDGE, review_prompt(ctx, "judge"), "review", files), Judgement)
    if answer.value is None:
        return no_answer(answer)
    event = PhaseJudged(ctx.phase.id, ctx.state.tip, answer.value)
    return Result(answer.value.recommendation.value, (event,))
