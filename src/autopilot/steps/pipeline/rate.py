"""Rate: a rater scores each criterion; the aggregate, its caps and its rounding are ours."""

from __future__ import annotations

from collections.abc import Sequence

from autopilot.events.happened import PhaseRated
from autopilot.gates.contradiction import rating_contradictions
from autopilot.gates.score import Card, band, compute_score, deductions, refuse_rating
from autopilot.gates.visual import weigh_look
from autopilot.model.agent import Role
from autopilot.model.assessment import Rating
from autopilot.model.evidence.verdict import Outcome, Verdict
from autopilot.model.planning.criterion import Criterion, Form
from autopilot.model.run import StepStatus
from autopilot.ports.rating import RatingReply, read_rating
from autopilot.reports.evidence.examples import examples_of, weak_of
from autopilot.steps.asking.asking import Question, ask, no_answer
from autopilot.steps.asking.context_files import facts_for_review, observed_concerns
from autopilot.steps.asking.reviewing import ReviewedFacts, redact_facts, review_prompt
from autopilot.steps.context import Result, StepContext, StepRun
from autopilot.steps.evidence.collecting import phase_verdicts
from autopilot.steps.visual.reviewing import pictures_for_review


def perform(ctx: StepContext) -> StepRun:
    files = {**facts_for_review(ctx.phase, ctx.phase.observed.observations or ()), **pictures_for_review(ctx)}
    answer = yield from ask(ctx, Question(Role.RATER, review_prompt(ctx, "rate"), "review", files), RatingReply)
    if answer.value is None:
        return no_answer(answer)
    rating = read_rating(answer.value)
    if isinstance(rating, str):
        return _refused(rating)
    facts = redact_facts(ctx, ctx.phase.observed.observations or ())
    if reason := _refuse(rating, facts):
        return _refused(reason)
    return _scored(ctx, rating, facts.criteria)


def _refused(reason: str) -> Result:
    return Result(StepStatus.ERROR, detail=f"the rating was refused: {reason}")


def _refuse(rating: Rating, facts: ReviewedFacts) -> str:
    if reason := refuse_rating(rating, [criterion.text for criterion in facts.criteria]):
        return reason
    return "; ".join(rating_contradictions(rating, facts.observations, facts.criteria)[:3])


def _scored(ctx: StepContext, rating: Rating, criteria: Sequence[Criterion]) -> Result:
    card = Card(
        rating,
        _by_text(ctx, criteria),
        [c.text for c in criteria],
        weights={c.text: c.weight for c in criteria},
        behavioural=[c.text for c in criteria if c.form is Form.TRACE],
        traces=ctx.phase.reviews.verification.traces if ctx.phase.reviews.verification else (),
        examples=examples_of(ctx.phase),
        weak=weak_of(ctx.phase),
        looked_at=[c.text for c in criteria if c.visual] or [c.text for c in criteria],
        look=weigh_look(ctx.phase.observed.visual),
    )
    score = compute_score(card, observed_concerns(ctx.phase))
    lost = deductions(
        card,
        commands={c.text: c.command for c in criteria},
        files={c.text: ctx.phase.tasks[c.task].task.files for c in criteria if c.task in ctx.phase.tasks},
    )
    event = PhaseRated(ctx.phase.id, ctx.tip, rating, score, band(score), lost)
    return Result(StepStatus.PASS if score >= ctx.policy.pass_threshold else StepStatus.FAIL, (event,), f"{score}/10")


def _by_text(ctx: StepContext, criteria: Sequence[Criterion]) -> dict[str, Verdict]:
    """What evidence says of each text; of two criteria with the same words the one that does not hold decides."""
    by_id = {verdict.subject: verdict for verdict in phase_verdicts(ctx.phase)}
    held = [(c.text, by_id[c.id]) for c in criteria if c.id in by_id]
    return dict(sorted(held, key=lambda pair: pair[1].outcome is not Outcome.PASS))
