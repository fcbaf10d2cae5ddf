"""Verify: checks, criteria and scripts run by code at the phase's last commit; then a blind verifier reads it."""

from __future__ import annotations

from msgspec.structs import replace

from autopilot.events.happened import PhaseObserved, PhaseVerified
from autopilot.model.agent import Role
from autopilot.model.assessment import Verification
from autopilot.model.evidence import Observation, Seen
from autopilot.model.verdict import Outcome
from autopilot.steps.asking import Question, ask, no_answer
from autopilot.steps.context import Result, StepContext, StepRun
from autopilot.steps.evidence import phase_verdicts
from autopilot.steps.knowing import every_criterion, facts_for_review
from autopilot.steps.looking import look_at_checks, look_at_criteria, look_at_script, observe
from autopilot.steps.reviewing import review_prompt


def perform(ctx: StepContext) -> StepRun:
    observations = _recorded(ctx)
    if observations is None:
        observations = _observe_phase(ctx)
        # What could not be run is no evidence and is not recorded as any: the next try looks again.
        if nothing := [o for o in observations if o.seen is Seen.NOTHING]:
            return Result("unproven", detail=f"{nothing[0].subject} could not be run: {nothing[0].reason}")
        yield (PhaseObserved(ctx.phase.id, ctx.state.tip, observations),)
    verdicts = phase_verdicts(replace(ctx.phase, observations=observations))
    if refused := [v for v in verdicts if v.outcome is not Outcome.PASS]:
        # No opinion can raise what evidence refuses, so none is paid for.
        return Result("fail", detail=f"{refused[0].subject}: {refused[0].because}")
    prompt = review_prompt(ctx, "verify")
    question = Question(Role.VERIFIER, prompt, "review", facts_for_review(ctx.phase, observations))
    answer = yield from ask(ctx, question, Verification)
    if answer.value is None:
        return no_answer(answer)
    if not answer.value.commands_run:
        return Result("error", detail="the verifier ran no command")
    event = PhaseVerified(ctx.phase.id, ctx.state.tip, answer.value, answer.event.duration_ms)
    return Result("pass" if answer.value.passed else "fail", (event,))


def _recorded(ctx: StepContext) -> tuple[Observation, ...] | None:
    """What was observed at this very commit already, by an earlier attempt or by a try that was killed."""
    return ctx.phase.observations if ctx.phase.observed_commit == ctx.state.tip else None


def _observe_phase(ctx: StepContext) -> tuple[Observation, ...]:
    looks = look_at_checks(ctx) + look_at_criteria(ctx, [criterion for _, criterion in every_criterion(ctx.phase)])
    for task in ctx.phase.tasks.values():
        looks += look_at_script(ctx, task.task, ctx.state.tip)
    return observe(ctx, ctx.state.tip, looks)
