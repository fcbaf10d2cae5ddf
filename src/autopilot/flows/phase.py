"""The pipeline of one phase: which step comes next. One question a stage, asked in order."""

from __future__ import annotations

from collections.abc import Callable

from autopilot.events.happened import Event, PhaseCompleted, PhaseFailed, Rerouted, StepSkipped
from autopilot.events.state import OpenStep, PhaseState, RunState, TaskState, step_name
from autopilot.flows.command import Command, Halt, Record, RunStep
from autopilot.model.policy import Policy
from autopilot.model.roadmap import PhaseId
from autopilot.model.run import RunStatus, Step
from autopilot.model.verdict import Outcome

MAX_STEP_ERRORS = 2


def next_in_phase(state: RunState, phase: PhaseState, policy: Policy) -> Command:
    """The first stage that has something left to do names the command."""
    if phase.open is not None:
        return try_again(phase.id, phase.open)
    for stage in STAGES:
        if (command := stage(state, phase, policy)) is not None:
            return command
    raise AssertionError(f"phase {phase.id}: no stage has anything to do, yet the phase is open")


def next_step(phase: PhaseState, step: Step, task: str = "") -> RunStep:
    """A new attempt of a step."""
    return RunStep(phase.id, step, phase.attempts.get(step_name(step, task), 0) + 1, 1, task)


def try_again(phase: PhaseId, opened: OpenStep) -> RunStep:
    """The same attempt, one try further: a crash came between."""
    return RunStep(phase, opened.step, opened.attempt, opened.number + 1, opened.task)


def _reroute(_: RunState, phase: PhaseState, __: Policy) -> Command | None:
    """Triage took the phase for done and the gate does not: the whole pipeline, once."""
    if not phase.verify_only or phase.gate in (None, Outcome.PASS):
        return None
    return _record(phase, "reroute", (Rerouted(phase.id, f"triage took it for done, but {phase.gate_reason}"),))


def _end_badly(state: RunState, phase: PhaseState, _: Policy) -> Command | None:
    """A phase that cannot go on gives its work back first, then fails."""
    failure = _failure(phase)
    if failure is None:
        return None
    if state.tip != phase.base and not phase.rolled_back_to:
        return next_step(phase, Step.ROLLBACK)
    reason, category, step = failure
    return _record(phase, "fail", (PhaseFailed(phase.id, reason, category, step),))


def _failure(phase: PhaseState) -> tuple[str, str, Step] | None:
    if phase.preflight_issues:
        return "; ".join(phase.preflight_issues), "tool_failure", Step.PREFLIGHT
    if phase.gate in (Outcome.FAIL, Outcome.UNPROVEN):
        return phase.gate_reason, "acceptance_criteria_unmet", Step.GATE
    for name, step in phase.steps.items():
        if step.errors >= MAX_STEP_ERRORS and step.status == "error" and "." not in name:
            return f"{name}: {step.detail}", "coordination_failure", Step(name)
    return None


def wait_for_us(phase: PhaseState) -> Halt | None:
    """What could not be done or observed for our own reasons is no one's failure: pause and say why."""
    stuck = next((s for s in phase.steps.values() if s.status == "unproven"), None)
    return Halt(RunStatus.PAUSED, f"phase {phase.id}: {stuck.detail}", 5) if stuck else None


def _wait(_: RunState, phase: PhaseState, __: Policy) -> Command | None:
    return wait_for_us(phase)


def _prepare(_: RunState, phase: PhaseState, __: Policy) -> Command | None:
    if phase.preflight_issues is None:
        return next_step(phase, Step.PREFLIGHT)
    return next_step(phase, Step.TRIAGE) if phase.triage is None else None


def _skip(_: RunState, phase: PhaseState, policy: Policy) -> Command | None:
    """The route (ROUTE): which steps this phase does not need, each with its reason, recorded once."""
    reasons = {step: reason for step, reason in _route(phase, policy) if step.value not in phase.steps}
    if not reasons:
        return None
    return _record(phase, "route", tuple(StepSkipped(phase.id, step, why) for step, why in reasons.items()))


def _route(phase: PhaseState, policy: Policy) -> tuple[tuple[Step, str], ...]:
    if phase.verify_only:
        done = "triage found it done"
        return tuple((step, done) for step in (Step.RESEARCH, Step.PLAN, Step.PLAN_CHECK, Step.EXECUTE))
    if phase.has_plan:
        return (Step.RESEARCH, "a plan exists"), (Step.PLAN, "a plan exists")
    return () if policy.research else ((Step.RESEARCH, "workflow.research is false"),)


def _plan(_: RunState, phase: PhaseState, policy: Policy) -> Command | None:
    if phase.verify_only or phase.plan_approved:
        return None
    if not phase.has_plan and policy.research and not phase.research:
        return next_step(phase, Step.RESEARCH)
    if not phase.has_plan and not phase.plan_commit:
        return next_step(phase, Step.PLAN)
    if not phase.plan_checked:
        return next_step(phase, Step.PLAN_CHECK)
    if phase.plan_ours and phase.plan_rounds < policy.max_plan_rounds:
        return next_step(phase, Step.PLAN)
    said = "; ".join(phase.plan_blockers[:3]) or "the checker did not approve it"
    reason = f"the plan was refused {phase.plan_rounds} times: {said}" if phase.plan_ours else f"the plan: {said}"
    return _record(phase, "fail", (PhaseFailed(phase.id, reason, "coordination_failure", Step.PLAN_CHECK),))


def _execute(_: RunState, phase: PhaseState, policy: Policy) -> Command | None:
    """Task by task: do it, look at it, and give a task that did not hold up to two more tries."""
    for name, task in phase.tasks.items():
        if task.task.is_automatic and (step := _for_task(task, policy)) is not None:
            return next_step(phase, step, name)
    return None


def _for_task(task: TaskState, policy: Policy) -> Step | None:
    match task.status:
        case "pending":
            return Step.EXECUTE
        case "committed":
            return Step.MINI_VERIFY
        case "refused" | "failed" if task.debugs < policy.max_task_debugs:
            return Step.DEBUG
        case _:
            return None


def _verify(_: RunState, phase: PhaseState, __: Policy) -> Command | None:
    verify = phase.step(Step.VERIFY)
    if phase.verification is None and verify is not None and verify.status == "fail":
        return None  # the evidence itself refuses it: straight to the gate
    if phase.verification is None:
        return next_step(phase, Step.VERIFY)
    if phase.judgement is None:
        return next_step(phase, Step.JUDGE)
    return next_step(phase, Step.RATE) if phase.rating is None else None


def _gate(_: RunState, phase: PhaseState, __: Policy) -> Command | None:
    return next_step(phase, Step.GATE) if phase.gate is not Outcome.PASS else None


def _land(_: RunState, phase: PhaseState, __: Policy) -> Command | None:
    if phase.landing.state not in ("landed", "deferred"):
        return next_step(phase, Step.LAND)
    done = PhaseCompleted(phase.id, phase.score or 0.0, phase.records_commit)
    return _record(phase, "complete", (done,))


def _record(phase: PhaseState, slot: str, events: tuple[Event, ...]) -> Record:
    return Record(f"{phase.id}/{slot}/{phase.attempt}", events)


Stage = Callable[[RunState, PhaseState, Policy], Command | None]
# Waiting comes first: giving the work back may itself be what could not be done.
STAGES: tuple[Stage, ...] = (_wait, _reroute, _end_badly, _prepare, _skip, _plan, _execute, _verify, _gate, _land)
