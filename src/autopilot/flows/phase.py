"""The pipeline of one phase: which step comes next. One question a stage, asked in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from autopilot.events.happened import Event, PhaseCompleted, Rerouted, StepSkipped
from autopilot.events.pieces import OpenStep, StepState, TaskState, step_name
from autopilot.events.state import PhaseState, RunState
from autopilot.flows.after_gate import carry_out, fail
from autopilot.flows.command import Command, Halt, Record, RunStep
from autopilot.flows.parts import fit_together, next_in_parts, take_in
from autopilot.flows.refining import REASONS, begin, pass_over_fruitless
from autopilot.model.agent import Ending
from autopilot.model.assessment import Recommendation
from autopilot.model.evidence.deciding import seen_for
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.failure import Category
from autopilot.model.intent import Purpose
from autopilot.model.planning.plan import Task
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Policy
from autopilot.model.ruling import Action
from autopilot.model.run import LandingStage, PhaseStatus, RunStatus, StepStatus, StopKind, TaskStatus
from autopilot.model.step import PLANNING_STEPS, REVIEWS, Step
from autopilot.planning.plan.split import should_split, should_split_feedback
from autopilot.rails.breaker import find_stall
from autopilot.rails.rubber_stamp import notice_uniform_scores

MAX_STEP_ERRORS = 2
HOLDS = "everything that its plans check held before any work, and no check of yours shows that its work is there"
BATCH_OVER = 8  # tasks: above this one executor does them all


def next_in_phase(state: RunState, phase: PhaseState, policy: Policy) -> tuple[Command, ...]:
    """The first stage that has something left to do names the command; only parts of a split phase name several."""
    if phase.open is not None:
        return (try_again(phase.id, phase.open),)
    if phase.split.parts and (commands := next_in_parts(state, phase, policy, next_in_phase)):
        return commands
    for stage in STAGES:
        if (command := stage(state, phase, policy)) is not None:
            return (_unless_stalled(command, state, phase, policy),)
    raise AssertionError(f"phase {phase.id}: no stage has anything to do, yet the phase is open")


def _unless_stalled(command: Command, state: RunState, phase: PhaseState, policy: Policy) -> Command:
    """A phase whose work leads nowhere fails before more is spent on it; a merge has a limit of rounds of its own."""
    if (
        isinstance(command, RunStep)
        and command.step in (Step.EXECUTE, Step.DEBUG)
        and (reason := find_stall(state, phase, policy))
    ):
        return fail(state, phase, reason, Category.EXECUTOR_INCOMPLETE, command.step, next_step)
    return command


def next_step(phase: PhaseState, step: Step, task: str = "") -> RunStep:
    """A new attempt of a step."""
    return RunStep(phase.id, step, phase.totals.attempts.get(step_name(step, task), 0) + 1, 1, task)


def try_again(phase: PhaseId, opened: OpenStep) -> RunStep:
    """The same attempt, one try further: a crash came between."""
    return RunStep(phase, opened.step, opened.attempt, opened.number + 1, opened.task)


def wait_for_us(phase: PhaseState) -> Halt | None:
    """A step that Autopilot itself could not perform is no failure of the phase: pause and report why."""
    stuck = next((s for s in phase.steps.values() if s.status == StepStatus.UNPROVEN), None)
    if stuck is None:
        return None
    reason = f"phase {phase.id}: {stuck.detail}"
    if stuck.ending is Ending.BUDGET:
        return Halt(RunStatus.PAUSED, reason, 4, StopKind.CALL)
    return Halt(RunStatus.PAUSED, reason, 5, StopKind.PROBLEM)


def _wait(_: RunState, phase: PhaseState, __: Policy) -> Command | None:
    return wait_for_us(phase)


def _reroute(_: RunState, phase: PhaseState, __: Policy) -> Command | None:
    """Triage took the phase for done and the gate does not: the whole pipeline, once."""
    if not phase.plan.verify_only or phase.ruling.action not in (Action.DEBUG, Action.REPLAN):
        return None
    return record(phase, "reroute", (Rerouted(phase.id, f"triage found the phase done, but {phase.gate.reason}"),))


def _after_gate(state: RunState, phase: PhaseState, policy: Policy) -> Command | None:
    return carry_out(state, phase, policy, next_step)


def _end_badly(state: RunState, phase: PhaseState, _: Policy) -> Command | None:
    """A phase that cannot continue rolls its work back first, then fails. What has landed is never rolled back."""
    if phase.landing.state is LandingStage.LANDED:
        return None
    if phase.intake.preflight_issues:
        category = Category.COORDINATION_FAILURE if _lacks_dependency(state, phase) else Category.TOOL_FAILURE
        return fail(state, phase, "; ".join(phase.intake.preflight_issues), category, Step.PREFLIGHT, next_step)
    for name, step in phase.steps.items():
        if step.errors >= MAX_STEP_ERRORS and step.status == StepStatus.ERROR and "." not in name:
            return fail(state, phase, f"{name}: {step.detail}", _category(step), Step(name), next_step)
    return None


def _lacks_dependency(state: RunState, phase: PhaseState) -> bool:
    """No tool failed then: the phase came before its turn."""
    done = {other.id for other in state.phases.values() if other.status is PhaseStatus.COMPLETED}
    met = {*done, *state.inputs.proven, *state.inputs.ticked}
    return any(needed not in met for needed in phase.brief.depends_on)


def _category(step: StepState) -> Category:
    exhausted = step.ending is Ending.CONTEXT_EXHAUSTED
    return Category.CONTEXT_EXHAUSTION if exhausted else Category.COORDINATION_FAILURE


def _prepare(_: RunState, phase: PhaseState, __: Policy) -> Command | None:
    if phase.intake.preflight_issues is None:
        return next_step(phase, Step.PREFLIGHT)
    return next_step(phase, Step.TRIAGE) if phase.intake.triage is None else None


def _skip(_: RunState, phase: PhaseState, policy: Policy) -> Command | None:
    """The route (ROUTE): which steps this phase does not need, each with its reason, recorded once."""
    reasons = {step: reason for step, reason in _route(phase, policy) if step.value not in phase.steps}
    if not reasons:
        return None
    # A step that was started and not finished is skipped under a new key; the same key would record nothing.
    begun = sum(phase.totals.attempts.get(step.value, 0) for step in reasons)
    slot = f"route-{'-'.join(reasons)}/{phase.retries.replans}" + (f"/{begun}" if begun else "")
    return record(phase, slot, tuple(StepSkipped(phase.id, step, why) for step, why in reasons.items()))


def _route(phase: PhaseState, policy: Policy) -> Iterator[tuple[Step, str]]:
    if phase.brief.purpose.refines:
        yield from ((step, REASONS[phase.brief.purpose]) for step in PLANNING_STEPS)
    elif phase.plan.verify_only:
        why = "nothing is left to build, as far as was seen" if phase.plan.unshown else "triage found it done"
        yield from ((step, why) for step in (*PLANNING_STEPS, Step.EXECUTE))
    elif phase.plan.has_plan:
        yield from ((Step.RESEARCH, "a plan exists"), (Step.PLAN, "a plan exists"))
    elif not policy.research:
        yield Step.RESEARCH, "workflow.research is false"
    if phase.plan.approved and phase.tasks and not any(task.task.is_automatic for task in phase.tasks.values()):
        yield Step.EXECUTE, "every task asks a person"


def _plan(state: RunState, phase: PhaseState, policy: Policy) -> Command | None:
    if phase.plan.verify_only or phase.plan.approved or phase.brief.purpose.refines:
        return None
    if not phase.plan.has_plan and policy.research and not phase.plan.research:
        return next_step(phase, Step.RESEARCH)
    if not phase.plan.has_plan and not phase.plan.commit:
        return next_step(phase, Step.PLAN)
    if not phase.plan.checked:
        return next_step(phase, Step.PLAN_CHECK)
    if (phase.plan.ours or phase.plan.lacks) and phase.plan.has_rounds_left(policy.attempts.plan_rounds):
        return next_step(phase, Step.PLAN)
    if phase.plan.holds and not phase.retries.rerouted:
        return record(phase, f"verify-only/{phase.plan.rounds}", (Rerouted(phase.id, HOLDS, verify_only=True),))
    blockers = "; ".join(phase.plan.blockers[:3]) or "the plan checker did not approve it"
    tried = phase.plan.ours or phase.plan.rounds > 1
    reason = f"the plan was refused {phase.plan.rounds} times: {blockers}" if tried else f"the plan: {blockers}"
    return fail(state, phase, reason, Category.COORDINATION_FAILURE, Step.PLAN_CHECK, next_step)


def _split(_: RunState, phase: PhaseState, policy: Policy) -> Command | None:
    """Too much for one agent: split it, unless it is a part already, or cannot be kept on branches of its own."""
    tried = phase.step(Step.SPLIT)
    if not phase.owns_branch or not policy.commit_docs or (tried is not None and tried.status != StepStatus.ERROR):
        return None
    pending = [t.task for t in phase.tasks.values() if t.status == TaskStatus.PENDING and t.task.is_automatic]
    if len(pending) < 2 or _may_be_built(phase, pending):
        return None
    items = [(task.action, file) for task in pending if task.is_extra for file in task.files]
    too_much = should_split_feedback(items) if items else should_split(pending)
    return next_step(phase, Step.SPLIT) if too_much else None


def _may_be_built(phase: PhaseState, tasks: Sequence[Task]) -> bool:
    """Whether all that was run for a task of the user's plan held before the work, as in a phase taken over midway.

    Its agents will find nothing to do, and only a whole phase can wait for a person who says so.
    """
    if phase.plan.ours or phase.brief.purpose is Purpose.REDO:
        return False
    observed = (seen_for(task, phase.plan.red or ()) for task in tasks)
    return any(found and all(seen is Seen.PASSED for seen in found) for found in observed)


def _fit(state: RunState, phase: PhaseState, policy: Policy) -> Command | None:
    return fit_together(state, phase, policy, next_step) if phase.split.parts else None


def _execute(state: RunState, phase: PhaseState, policy: Policy) -> Command | None:
    """Task by task: execute it, check it, and debug a task that failed, up to the limit."""
    done_by_parts = {name for part in phase.split.parts for name in state.parts[part].tasks}
    tasks = {name: t for name, t in phase.tasks.items() if t.task.is_automatic and name not in done_by_parts}
    if (
        sum(t.status == TaskStatus.PENDING for t in tasks.values()) > BATCH_OVER
        and Step.EXECUTE.value not in phase.steps
    ):
        return next_step(phase, Step.EXECUTE)
    for name, task in tasks.items():
        if (step := _for_task(task, policy)) is not None:
            return next_step(phase, step, name)
    return None


def _for_task(task: TaskState, policy: Policy) -> Step | None:
    match task.status:
        case TaskStatus.PENDING:
            return Step.EXECUTE
        case TaskStatus.HANDED_OVER if len(task.handovers) - task.uncounted <= policy.attempts.handovers:
            return Step.EXECUTE
        case TaskStatus.REFUSED if task.died and not task.commit and task.deaths <= policy.attempts.handovers:
            return Step.EXECUTE
        case TaskStatus.COMMITTED | TaskStatus.HANDED_OVER if task.commit:
            return Step.MINI_VERIFY
        case TaskStatus.REFUSED | TaskStatus.FAILED | TaskStatus.HANDED_OVER if (
            task.debugs < policy.attempts.task_debugs
        ):
            return Step.DEBUG
        case _:
            return None


def _review(_: RunState, phase: PhaseState, policy: Policy) -> Command | None:
    """The reviews in the order of the table; to the gate when all are there, or one makes the rest pointless."""
    missing = next((step for step in REVIEWS if not phase.is_reviewed(step)), None)
    return next_step(phase, missing) if missing and not _ends_reviews(phase, missing, policy) else None


def _ends_reviews(phase: PhaseState, missing: Step, policy: Policy) -> bool:
    """Whether neither this review nor any after it would change what the gate rules."""
    if phase.reviews.verification is None:
        verify = phase.step(Step.VERIFY)  # the evidence itself refuses the phase, or its parts were reviewed each
        return verify is not None and verify.status in (StepStatus.FAIL, StepStatus.OBSERVED)
    judgement = phase.reviews.judgement
    if judgement is not None and judgement.recommendation in (Recommendation.ROLLBACK, Recommendation.HALT):
        return True  # whatever the score, the judge's recommendation ends it
    return missing is Step.RATE and _left_to_person(phase, policy)


def _left_to_person(phase: PhaseState, policy: Policy) -> bool:
    """Nothing was built and the verifier is not sure enough: a score would be about nothing."""
    unsure = (
        phase.reviews.verification is not None
        and phase.reviews.verification.autonomous_confidence < policy.deferral_confidence
    )
    return unsure and bool(phase.tasks) and all(task.task.asks_person for task in phase.tasks.values())


def _gate(_: RunState, phase: PhaseState, __: Policy) -> Command | None:
    return next_step(phase, Step.GATE) if phase.ruling.outcome is not Outcome.PASS else None


def _join(state: RunState, phase: PhaseState, policy: Policy) -> Command | None:
    """Work that waited for a person is merged from its own branch into the run's branch and checked there again."""
    return take_in(state, phase, phase.id, policy, next_step) if phase.line.tip and not phase.parent else None


def _land(state: RunState, phase: PhaseState, _: Policy) -> Command | None:
    """A part is done with its gate; a phase when it has landed or has to wait for that."""
    if phase.parent:
        done = PhaseCompleted(phase.id, phase.reviews.score, phase.line.tip)
        return Record(f"{phase.id}/complete/{phase.totals.attempts[Step.GATE.value]}", (done,))
    if phase.landing.state not in (LandingStage.LANDED, LandingStage.DEFERRED):
        return next_step(phase, Step.LAND)
    done = PhaseCompleted(phase.id, phase.reviews.score, phase.ending.records_commit)
    return record(phase, "complete", (done, *notice_uniform_scores(state, phase)))


def record(phase: PhaseState, slot: str, events: tuple[Event, ...]) -> Record:
    return Record(f"{phase.id}/{slot}/{phase.totals.attempt}", events)


Stage = Callable[[RunState, PhaseState, Policy], Command | None]
STAGES: tuple[Stage, ...] = (
    _wait,  # first: the rollback itself may be the step that could not be performed
    _reroute,
    _after_gate,
    _end_badly,
    _prepare,
    _skip,
    begin,  # of a refinement
    _plan,
    _split,
    _fit,
    _execute,
    pass_over_fruitless,
    _review,
    _gate,
    _join,
    _land,
)
