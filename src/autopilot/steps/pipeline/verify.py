"""Verify: checks, criteria and scripts run by code at the phase's last commit; then a blind verifier reads it."""

from __future__ import annotations

from msgspec.structs import replace

from autopilot.events.accounts import reviewed_in_parts
from autopilot.events.happened import PhaseObserved, PhaseVerified
from autopilot.events.rooms.phase import Observed
from autopilot.gates.contradiction import contradictions
from autopilot.gates.evidence.idle import judge_given_up
from autopilot.gates.integrity import refuse_verification
from autopilot.model.agent import Role
from autopilot.model.assessment import Verification
from autopilot.model.evidence.objection import Weight
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import PHASE
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.run import StepStatus
from autopilot.steps.asking.asking import Question, ask, no_answer
from autopilot.steps.asking.context_files import facts_for_review
from autopilot.steps.asking.reviewing import redact_facts, review_prompt
from autopilot.steps.context import Result, StepContext, StepRun
from autopilot.steps.evidence.collecting import phase_verdicts
from autopilot.steps.evidence.evaluation import Evaluation, evaluate_phase
from autopilot.steps.evidence.proving import Proving
from autopilot.steps.evidence.work import Work, survey
from autopilot.steps.observing.inspecting import inspect_change, seen_type
from autopilot.steps.observing.observing import Check, list_configured_checks, list_phase_checks, observe
from autopilot.steps.unasked import find_given_up, find_unasked
from autopilot.steps.unspelled import refuse_unspelled
from autopilot.steps.visual.of_phase import look_at_phase
from autopilot.steps.visual.reviewing import pictures_for_review

LONGEST_COMMAND = 100_000  # bytes; Linux takes 131,071 for one argument, and reports are asked for in some of them


def perform(ctx: StepContext) -> StepRun:
    observations = _recorded(ctx)
    if observations is None:
        work = _work(ctx)
        evaluation = evaluate_phase(ctx, work, _observe_phase(ctx))
        # What could not be run is no evidence and is not recorded as any: the next try observes it again.
        if reason := _why_unobserved(evaluation):
            return Result(StepStatus.UNPROVEN, detail=reason)
        kind = seen_type(ctx, ctx.tip)
        observations, (visual, objections) = evaluation.observations, look_at_phase(ctx, evaluation)
        proving = evaluation.proving + Proving(objections=objections)
        left = find_unasked(ctx, work, observations, proving.probes)
        given_up = find_given_up(ctx, work, observations, proving.probes)
        given = (*judge_given_up(PHASE, given_up, work.text), *refuse_unspelled(ctx, work, left))
        proving += Proving(objections=given)
        observed = Observed(ctx.tip, observations, proving.probes, proving.objections, left, visual)
        seen = (observed.probes, observed.objections, left, visual)
        yield (PhaseObserved(ctx.phase.id, ctx.tip, observations, kind, *seen),)
        intake = replace(ctx.phase.intake, phase_type=kind or ctx.phase.intake.phase_type)
        ctx = replace(ctx, phase=replace(ctx.phase, observed=observed, intake=intake))
    verdicts = phase_verdicts(ctx.phase)
    if refused := [v for v in verdicts if v.outcome is not Outcome.PASS]:
        # No opinion can raise what evidence refuses, so none is paid for.
        return Result(StepStatus.FAIL, detail=f"{refused[0].subject}: {refused[0].because}")
    if reviewed_in_parts(ctx.phase):
        return Result(StepStatus.OBSERVED, detail="every part was reviewed by itself")
    files = {**facts_for_review(ctx.phase, observations), **pictures_for_review(ctx)}
    question = Question(Role.VERIFIER, review_prompt(ctx, "verify"), "review", files)
    answer = yield from ask(ctx, question, Verification)
    if answer.value is None:
        return no_answer(answer)
    if reason := _refuse(ctx, answer.value, observations, answer.event.duration_ms / 1000):
        return Result(StepStatus.ERROR, detail=f"the verification was refused: {reason}")
    event = PhaseVerified(ctx.phase.id, ctx.tip, answer.value, answer.event.duration_ms)
    return Result(StepStatus.PASS if answer.value.passed else StepStatus.FAIL, (event,))


def _work(ctx: StepContext) -> Work:
    """What the phase changed: against its plan, or against what others landed where it was joined with that."""
    phase, vault = ctx.phase, ctx.ports.vault
    joined = bool(phase.line.tip) and vault.is_ancestor(ctx.state.line.tip, ctx.tip)
    old = ctx.state.line.tip if joined else phase.plan.commit or phase.line.base
    work = survey(ctx, PHASE, old, ctx.tip, [state.task for state in phase.tasks.values()])
    # What lands is this very tree: nothing in it is restored for the observation.
    return replace(work, evidence=ctx.tip)


def _why_unobserved(evaluation: Evaluation) -> str:
    ours = next((str(objection) for objection in evaluation.proving.objections if objection.weight is Weight.OURS), "")
    seen = (*evaluation.observations, *(probe for probe in evaluation.proving.probes if _can_start(probe)))
    is_open = ours or any(observation.seen is Seen.NOTHING for observation in seen)
    return (evaluation.undone or ours) if is_open else ""


def _can_start(probe: Observation) -> bool:
    """Not where what it is made of cannot be set up, or where the calls of long tests make a longer command than the
    kernel takes: the layer has nothing to say then, today and tomorrow."""
    return probe.trouble is None and len(probe.command.encode()) <= LONGEST_COMMAND


def _refuse(ctx: StepContext, report: Verification, observations: tuple[Observation, ...], took_s: float) -> str:
    """A report that is none, or that denies what we saw ourselves."""
    if reason := refuse_verification(report, took_s, ctx.policy.verifier_min_s):
        return reason
    facts = redact_facts(ctx, observations)
    return "; ".join(contradictions(report, facts.observations, facts.criteria)[:3])


def _recorded(ctx: StepContext) -> tuple[Observation, ...] | None:
    """What was observed at this very commit already, by an earlier attempt or by a try that was killed."""
    return ctx.phase.observed.observations if ctx.phase.observed.commit == ctx.tip else None


def _observe_phase(ctx: StepContext) -> tuple[Observation, ...]:
    checks = list_configured_checks(ctx) + list_phase_checks(ctx, ctx.phase, ctx.tip)
    seen = _seen_at_tip(ctx)
    fresh = observe(ctx, ctx.tip, [check for check in checks if _key(check) not in seen])
    by_subject = {observation.subject: observation for observation in (*seen.values(), *fresh)}
    return (*(by_subject[check.subject] for check in checks), *inspect_change(ctx, ctx.tip))


def _seen_at_tip(ctx: StepContext) -> dict[tuple[str, str], Observation]:
    """What the last task's checks observed at this very commit need not be run again."""
    return {
        (observation.subject, observation.command): observation
        for task in ctx.phase.tasks.values()
        for observation in task.observations
        if observation.commit == ctx.tip and observation.seen is not Seen.NOTHING
    }


def _key(check: Check) -> tuple[str, str]:
    return check.subject, check.command
