"""After the gate: the command that performs what it ordered."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from autopilot.events.criteria import all_criteria
from autopilot.events.happened import Event, PhaseFailed
from autopilot.events.recovery import RemediationStarted, Replanned, StepEnforced
from autopilot.events.state import PhaseState, RunState
from autopilot.flows.command import Command, Record, RunStep
from autopilot.flows.refining import next_cycle, withdraw
from autopilot.flows.remediation import find_deficiencies, plan_remediation
from autopilot.gates.cause import describe_causes
from autopilot.gates.criterion import worst
from autopilot.model.assessment import Recommendation
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.failure import Category
from autopilot.model.policy import Policy
from autopilot.model.ruling import Action
from autopilot.model.run import PersonVerdict, Step

NextStep = Callable[[PhaseState, Step, str], RunStep]


def carry_out(state: RunState, phase: PhaseState, policy: Policy, next_step: NextStep) -> Command | None:
    """The command that follows from the gate's order or from a person's verdict; None to continue in the pipeline."""
    if (command := _after_verdict(state, phase, policy, next_step)) is not None:
        return command
    match phase.ruling.action:
        case Action.REMEDIATE:
            return _once(phase, "remediate", (next_cycle(state, phase, policy),))
        case Action.DEBUG:
            return next_step(phase, Step.DEBUG, "")
        case Action.REPLAN:
            return _replan(state, phase, next_step)
        case Action.ENFORCE:
            return _enforce(phase)
        case Action.ROLLBACK:
            return fail(state, phase, _why(phase), phase.gate.category, Step.GATE, next_step)
        case Action.PASS | Action.PASS_INCOMPLETE | Action.DEFER | Action.PAUSE | None:
            return None
        case _:
            assert_never(phase.action)


def fail(
    state: RunState, phase: PhaseState, reason: str, category: Category, step: Step, next_step: NextStep
) -> RunStep | Record:
    """The phase fails. Its work on the run's branch is rolled back first; a branch of its own can stay.

    Work done on such a branch after it was offered is kept on another branch, and so are the branches of parts.
    """
    begun = state.tip_of(phase) != phase.line.base or bool(phase.split.parts)
    if phase.owns_branch and begun and not phase.ending.rolled_back_to:
        return next_step(phase, Step.ROLLBACK, "")
    # By the step: the branch may be that of a re-plan before.
    if (
        not phase.owns_branch
        and any(cycle.by_person for cycle in phase.remediation.cycles)
        and phase.step(Step.ROLLBACK) is None
    ):
        return next_step(phase, Step.ROLLBACK, "")
    if phase.brief.purpose.refines:
        return withdraw(state, phase, reason)
    return Record(f"{phase.id}/fail/{phase.totals.attempt}", (PhaseFailed(phase.id, reason, category, step),))


def _why(phase: PhaseState) -> str:
    """With what was run and seen, where evidence refused the phase; the gate's own reason stays short.

    Equal errors are known by the gate's reason, and what a command prints may differ each time.
    """
    judgement = phase.reviews.judgement
    if judgement is not None and judgement.recommendation in (Recommendation.ROLLBACK, Recommendation.HALT):
        return phase.gate.reason
    verdicts = phase.gate.verdicts
    outcome = worst(verdicts)
    if not verdicts or outcome is Outcome.PASS:
        return phase.gate.reason
    before, after = (*(phase.plan.red or ()), *(phase.plan.baseline or ())), phase.observed.observations or ()
    return describe_causes(verdicts, outcome, all_criteria(phase), before, after)


def _after_verdict(state: RunState, phase: PhaseState, policy: Policy, next_step: NextStep) -> Command | None:
    if phase.deferral is None:
        return None
    verdict = phase.deferral.verdict
    if verdict == PersonVerdict.FAIL:
        issues = "; ".join(phase.deferral.issues)
        reason = f"a person rejected the work{': ' + issues if issues else ''}"
        return fail(state, phase, reason, Category.ACCEPTANCE_CRITERIA_UNMET, Step.GATE, next_step)
    answered = sum(cycle.by_person for cycle in phase.remediation.cycles)
    if verdict == PersonVerdict.ISSUES_FOUND and answered < phase.deferral.number:
        return _fix_issues(phase, policy)
    return None


def _fix_issues(phase: PhaseState, policy: Policy) -> Record:
    """A cycle for the issues that a person found: they are fixed whatever score the phase aims at."""
    cycle = len(phase.remediation.cycles) + 1
    tasks = plan_remediation(phase, cycle, by_person=True)
    started = RemediationStarted(phase.id, cycle, phase.reviews.score, policy.pass_threshold, tasks, by_person=True)
    return _once(phase, "remediate", (started,))


def _replan(state: RunState, phase: PhaseState, next_step: NextStep) -> Command:
    if state.tip_of(phase) != phase.line.base and not phase.ending.rolled_back_to:
        return next_step(phase, Step.ROLLBACK, "")
    issues = tuple(item.text for item in find_deficiencies(phase))
    return _once(phase, "replan", (Replanned(phase.id, phase.reviews.score, issues),))


def _enforce(phase: PhaseState) -> Record:
    finding = next(f for f in phase.gate.integrity if f.refuses and f.step is not None)
    assert finding.step is not None
    return _once(phase, "enforce", (StepEnforced(phase.id, finding.step, finding.message),))


def _once(phase: PhaseState, name: str, events: tuple[Event, ...]) -> Record:
    """Each passage through the gate is numbered over the whole run, so its consequences have keys of their own."""
    return Record(f"{phase.id}/{name}/{phase.totals.attempts.get(Step.GATE.value, 0)}", events)
