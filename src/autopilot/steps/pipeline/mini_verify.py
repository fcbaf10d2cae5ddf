"""Mini-verify: one task at the commit it produced, looked at by code; what a reader adds can only lower that."""

from __future__ import annotations

from collections.abc import Generator

from msgspec import Struct
from msgspec.structs import replace

from autopilot.events.happened import TaskVerified
from autopilot.events.pieces import TaskState
from autopilot.events.recovery import TaskRead
from autopilot.gates.check import judge_checks_of_task
from autopilot.gates.contradiction import mini_contradictions
from autopilot.gates.criterion import judge_criteria, worst
from autopilot.gates.evidence.replay import overlay
from autopilot.gates.evidence.wiring import judge_unwired
from autopilot.gates.integrity import refuse_mini
from autopilot.model.agent import Role, Usage
from autopilot.model.assessment import MiniVerification
from autopilot.model.evidence.objection import verdicts_of
from autopilot.model.evidence.observation import Observation
from autopilot.model.evidence.subject import whole_task
from autopilot.model.evidence.verdict import Outcome, Verdict
from autopilot.model.intent import Purpose
from autopilot.model.run import StepStatus, TaskStatus
from autopilot.steps.asking.asking import BLAMELESS, Question, ask, no_answer
from autopilot.steps.asking.context_files import facts_for_task_review
from autopilot.steps.asking.prompt import bullets, render_prompt
from autopilot.steps.context import Batch, Result, StepContext, StepRun
from autopilot.steps.evidence.evaluation import Evaluation, evaluate
from autopilot.steps.evidence.proving import Proving
from autopilot.steps.evidence.work import survey
from autopilot.steps.observing.inspecting import find_unwired
from autopilot.steps.observing.nearest_package import narrow_to_package
from autopilot.steps.observing.observing import list_configured_checks, list_task_checks

ASKED_AT_MOST = 2


def perform(ctx: StepContext) -> StepRun:
    state = ctx.phase.tasks[ctx.task]
    checks = list_task_checks(ctx, (state.task,), state.commit)
    work = survey(ctx, whole_task(state.task.id), state.parent, state.commit, (state.task,))
    # What may not be changed is known by every check of the repository; which of them run, by where the work is.
    near, packages = narrow_to_package(ctx, state)
    evaluation = evaluate(near, work, state.task.criteria, checks + list_configured_checks(near))
    evaluation = _with_unwired(ctx, state, evaluation)
    observations = evaluation.observations
    verdicts = _judge(near, state, evaluation)
    outcome = worst(verdicts) if verdicts or not state.task.may_prove_nothing else Outcome.PASS
    if outcome is not Outcome.PASS:
        # No opinion can raise what evidence refuses, so none is paid for.
        event = _verified(ctx, state, evaluation, verdicts, outcome, packages)
        status = _status(outcome, verdicts)
        undone = evaluation.undone if status == StepStatus.UNPROVEN else ""
        return Result(status, (event,), undone or _because(verdicts, observations))
    read = yield from _read(ctx, state, evaluation)
    if isinstance(read, Result):
        return read
    lowered = _lower(read.value)
    verdicts, outcome = (*verdicts, *lowered), Outcome.FAIL if lowered else Outcome.PASS
    events = (
        TaskRead(ctx.phase.id, state.task.id, state.commit, read.value, read.problem),
        _verified(ctx, state, evaluation, verdicts, outcome, packages),
    )
    return Result(StepStatus.FAIL if lowered else StepStatus.PASS, events, _because(verdicts, observations))


def _with_unwired(ctx: StepContext, state: TaskState, evaluation: Evaluation) -> Evaluation:
    """What no task is left to use. While others are to come, what is new may be meant for them; so may it of a part."""
    others = (other for name, other in ctx.phase.tasks.items() if name != state.task.id and other.task.is_automatic)
    to_come = any(other.status in (TaskStatus.PENDING, TaskStatus.HANDED_OVER) for other in others)
    if not ctx.policy.evidence.wiring or evaluation.proving.is_refused or to_come or ctx.phase.parent:
        return evaluation
    found = judge_unwired(whole_task(state.task.id), find_unwired(ctx, state.commit))
    return replace(evaluation, proving=evaluation.proving + Proving(objections=found)) if found else evaluation


def _judge(ctx: StepContext, state: TaskState, evaluation: Evaluation) -> tuple[Verdict, ...]:
    before = {observation.subject: observation for observation in ctx.phase.plan.baseline or ()}
    task = state.task
    phase, is_redo = ctx.phase, ctx.phase.brief.purpose is Purpose.REDO
    red, seen = overlay(phase.plan.red or (), evaluation.proving.probes), evaluation.observations
    verdicts = judge_criteria(task.criteria, red, seen, task.id, ours=phase.plan.ours, repeated=is_redo)
    return (*verdicts, *judge_checks_of_task(seen, before), *verdicts_of(evaluation.proving.objections))


def _verified(
    ctx: StepContext,
    state: TaskState,
    evaluation: Evaluation,
    verdicts: tuple[Verdict, ...],
    outcome: Outcome,
    packages: tuple[str, ...],
) -> TaskVerified:
    return TaskVerified(
        phase=ctx.phase.id,
        task=state.task.id,
        commit=state.commit,
        observations=evaluation.observations,
        verdicts=verdicts,
        outcome=outcome,
        probes=evaluation.proving.probes,
        objections=evaluation.proving.objections,
        packages=packages,
    )


class Read(Struct, frozen=True):
    value: MiniVerification | None
    problem: str = ""


def _read(ctx: StepContext, state: TaskState, evaluation: Evaluation) -> Generator[Batch, None, Read | Result]:
    """A reader's opinion. One that cannot be used is asked for once more; without any, what was seen stands."""
    problem, spent = "", Usage()
    seen, proving = evaluation.observations, evaluation.proving
    for nth in range(ASKED_AT_MOST):
        question = Question(
            Role.MINI_VERIFIER,
            _prompt(ctx, state, problem),
            "review",
            facts_for_task_review(ctx.phase, state.task, seen, proving.objections),
            nth=nth,
            start=state.commit,
            before=state.parent,
            spent=spent,
        )
        answer = yield from ask(ctx, question, MiniVerification)
        if answer.event.ending in BLAMELESS:
            return no_answer(answer)
        spent = answer.event.usage
        problem = answer.problem or (_refuse(answer.value, state, seen) if answer.value else "")
        if answer.value is not None and not problem:
            return Read(answer.value)
    return Read(None, problem)


def _refuse(reading: MiniVerification, state: TaskState, observations: tuple[Observation, ...]) -> str:
    denied = mini_contradictions(reading, observations, state.task.criteria)
    return refuse_mini(reading) or "; ".join(denied[:3])


def _lower(reading: MiniVerification | None) -> tuple[Verdict, ...]:
    if reading is None:
        return ()
    failed = [r for r in reading.criteria_results if r.status == "failed"]
    if failed or not reading.passed:
        because = "; ".join(f"{r.criterion}: {r.evidence}" for r in failed) or "; ".join(reading.concerns)
        return (
            Verdict("reading", Outcome.FAIL, f"the mini-verifier rejected the task: {because or 'no reason given'}"),
        )
    return ()


def _prompt(ctx: StepContext, state: TaskState, problem: str) -> str:
    return render_prompt(
        "mini_verify",
        phase=ctx.phase.id,
        name=ctx.phase.brief.name,
        task=state.task.id,
        title=state.task.title,
        files=", ".join(state.files) or "none",
        criteria=bullets(state.task.promised_lines),
        refused=f"\nYour last review was refused: {problem}\n" if problem else "",
    )


def _status(outcome: Outcome, verdicts: tuple[Verdict, ...]) -> StepStatus:
    if outcome is Outcome.UNPROVEN and all(v.ours for v in verdicts if v.outcome is not Outcome.PASS):
        return StepStatus.UNPROVEN
    return StepStatus.PASS if outcome is Outcome.PASS else StepStatus.FAIL


def _because(verdicts: tuple[Verdict, ...], observations: tuple[Observation, ...]) -> str:
    bad = next((v for v in verdicts if v.outcome is not Outcome.PASS), None)
    if bad is None:
        return f"{len(verdicts)} of {len(verdicts)} hold"
    seen = next((observation for observation in observations if observation.subject == bad.subject), None)
    return f"{bad.subject}: {bad.because}" + (f" ({seen.reason})" if seen and seen.reason else "")
