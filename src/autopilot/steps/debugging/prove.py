"""Prove: the reproduction was red before and is green after, as often as its rate asks for, and nothing else broke."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from autopilot.events.debugging.happened import FixJudged, FixTaken
from autopilot.gates.check import judge_checks_of_task
from autopilot.inspection.control.changes import control_kind
from autopilot.model.debugging.repeats import greens_wanted
from autopilot.model.debugging.session import REPRODUCTION, HypothesisResult, Repeats
from autopilot.model.evidence.control import ControlKind
from autopilot.model.evidence.objection import Weight
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.planning.plan import Task
from autopilot.model.run import StepStatus
from autopilot.steps.context import Result, StepContext, StepRun
from autopilot.steps.debugging.refute import judge_seen, run_test
from autopilot.steps.debugging.session_context import reproduction_check, reproduction_criterion, session_in
from autopilot.steps.evidence.base import base_of
from autopilot.steps.evidence.evaluation import Evaluation, evaluate, evaluate_kept
from autopilot.steps.evidence.work import survey
from autopilot.steps.observing.observing import list_configured_checks, observe

AT_ONCE = 10  # greens that are asked for in one go


def perform(ctx: StepContext) -> StepRun:
    yield from ()
    session = session_in(ctx)
    fix = session.fix
    assert fix is not None, "only a fix that was taken is proven"
    wanted = greens_wanted(session.repeats)
    runs = _run_until_red(ctx, fix.commit, wanted)
    if undone := [observation for observation in runs if observation.seen is Seen.NOTHING]:
        return Result(StepStatus.UNPROVEN, detail=f"the reproduction could not be run: {undone[0].reason}")
    repeats = Repeats(len(runs), sum(observation.seen is not Seen.PASSED for observation in runs))
    evaluation = Evaluation(tuple(runs[:1])) if repeats.failures else _evaluate(ctx, fix)
    if evaluation.undone:
        return Result(StepStatus.UNPROVEN, detail=evaluation.undone)
    findings = tuple(_findings(ctx, repeats, evaluation))
    event = FixJudged(ctx.phase.id, fix.round, fix.commit, not findings, repeats, wanted, findings)
    event = replace(_with_evidence(event, evaluation), cause_gone=None if findings else _is_cause_gone(ctx, fix))
    detail = findings[0] if findings else f"passed in {repeats.runs} runs; it failed in {session.repeats.text} before"
    return Result(StepStatus.FAIL if findings else StepStatus.PASS, (event,), detail)


def _run_until_red(ctx: StepContext, commit: str, wanted: int) -> list[Observation]:
    """Consecutive greens: the first run that is none ends the row."""
    runs: list[Observation] = []
    while len(runs) < wanted and all(observation.seen is Seen.PASSED for observation in runs):
        runs += observe(ctx, commit, [reproduction_check(ctx)] * min(AT_ONCE, wanted - len(runs)))
    return runs


def _evaluate(ctx: StepContext, fix: FixTaken) -> Evaluation:
    """Every layer of evidence there is. What fails now and then is not replayed on the code before: green there says
    nothing, so the row of greens decides, and all that was there says what it said before."""
    session, criterion = session_in(ctx), reproduction_criterion(ctx)
    # The version of a dependency may be what is wrong. Whatever else judges the product is not the fix's to change.
    files = tuple(path for path in fix.files if control_kind(path) in (None, ControlKind.LOCK))
    task = Task("reproduction", session.brief.text, files=files, criteria=(criterion,))
    work = survey(ctx, "fix", session.commit, fix.commit, (task,))
    checks = [reproduction_check(ctx), *list_configured_checks(ctx)]
    if session.repeats.is_steady:
        return evaluate(ctx, work, [criterion], checks)
    return evaluate_kept(ctx, work, base_of(ctx), checks[1:])


def _findings(ctx: StepContext, repeats: Repeats, evaluation: Evaluation) -> Iterator[str]:
    if repeats.failures:
        last = evaluation.observations[-1]
        yield f"the reproduction failed in run {repeats.runs} after the fix: {' '.join(last.excerpt.split())[:200]}"
        return
    seen = {observation.subject: observation for observation in evaluation.observations}
    if (shown := seen.get(REPRODUCTION)) is not None and shown.seen is not Seen.PASSED:
        yield f"the reproduction fails with control files as they were: {shown.reason or shown.excerpt.strip()[:200]}"
    baseline = {observation.subject: observation for observation in ctx.phase.plan.baseline or ()}
    for verdict in judge_checks_of_task(evaluation.observations, baseline):
        if verdict.outcome is not Outcome.PASS:
            yield f"{verdict.about}: {verdict.because}"
    for objection in evaluation.proving.objections:
        if objection.weight is not Weight.FLAG:
            yield f"{objection.subject}: {objection}"


def _is_cause_gone(ctx: StepContext, fix: FixTaken) -> bool | None:
    """Whether the test of the cause ends otherwise after the fix. It refuses nothing: a test may show the cause by a
    detour that stays true. Where it says the same, the file of the session says so."""
    cause = session_in(ctx).cause
    if cause is None:
        return None
    result, _ = judge_seen(ctx, cause, run_test(ctx, cause, fix.commit))
    return None if result is HypothesisResult.UNCLEAR else result is HypothesisResult.ELIMINATED


def _with_evidence(event: FixJudged, evaluation: Evaluation) -> FixJudged:
    proving = evaluation.proving
    seen = {"observations": evaluation.observations, "probes": proving.probes, "objections": proving.objections}
    return replace(event, **seen)
