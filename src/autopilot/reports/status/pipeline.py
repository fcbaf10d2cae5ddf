"""The steps a phase took, in the one shape other tools read: status, whether an agent was asked, and what it gave."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from autopilot.events.state import PhaseState, RunState
from autopilot.model.assessment import Recommendation
from autopilot.model.evidence.observation import Seen
from autopilot.model.run import StepStatus, TaskStatus
from autopilot.model.step import COUNTED_STEPS, PLANNING_STEPS, REVIEWS, Step
from autopilot.reports.documents.tasks import home_of, is_done, parts_of, tasks_of
from autopilot.reports.documents.triage import route_of

STEPS = tuple(step for step in COUNTED_STEPS if step not in REVIEWS)


def pipeline_steps(state: RunState, phase: PhaseState) -> dict[str, Mapping[str, Any]]:
    made = (*(_early(state, phase, step) for step in STEPS), *(review_step(state, phase, step) for step in REVIEWS))
    return dict(made)


def mean_of_parts(state: RunState, phase: PhaseState) -> float | None:
    """The score of a split phase: the mean of its parts', rounded down; None while one has none."""
    scores = [part.reviews.score for part in parts_of(state, phase)]
    known = [Fraction(str(score)) for score in scores if score is not None]
    if not known or len(known) < len(phase.split.parts):
        return None
    return math.floor(sum(known) / len(known) * 10) / 10


def _early(state: RunState, phase: PhaseState, step: Step) -> tuple[str, Mapping[str, Any]]:
    known = phase.steps.get(step.value)
    skipped = known is not None and known.status == StepStatus.SKIPPED
    shown: dict[str, Any] = {"status": _word(phase, step), "agent_spawned": _asked_early(phase, step)}
    match step:
        case Step.TRIAGE:
            shown = {"status": route_of(phase), "agent_spawned": False}
            shown["pass_ratio"] = _pass_ratio(phase)
        case Step.PLAN_CHECK:
            if phase.plan.check is not None:
                shown["confidence"] = phase.plan.check.confidence
        case _ if step in PLANNING_STEPS:
            shown["skip_reason"] = known.detail if known is not None and skipped else None
        case Step.EXECUTE:
            shown = {"status": _executed(state, phase), "agent_spawned": _executed_by_agent(state, phase)}
            if skipped and known is not None:
                shown["skip_reason"] = known.detail
    return step.value, shown


def _word(phase: PhaseState, step: Step) -> str:
    known = phase.steps.get(step.value)
    if step is Step.PREFLIGHT:
        return (
            "skipped"
            if phase.parent or phase.intake.preflight_issues is None
            else _pass(not phase.intake.preflight_issues)
        )
    if known is None or known.status == StepStatus.SKIPPED:
        return "skipped"
    if step is Step.PLAN_CHECK:
        return _pass(phase.plan.approved)
    return StepStatus.COMPLETED if known.status in (StepStatus.COMPLETED, StepStatus.PASS) else StepStatus.FAIL


def _pass(held: bool) -> str:
    return "pass" if held else "fail"


def _asked_early(phase: PhaseState, step: Step) -> bool:
    """Lint alone may refuse a plan: then no agent was asked."""
    if step is Step.PLAN_CHECK:
        return phase.plan.check is not None and not phase.parent
    known = phase.steps.get(step.value)
    return step in PLANNING_STEPS and known is not None and known.status != StepStatus.SKIPPED


def _pass_ratio(phase: PhaseState) -> float:
    seen = phase.intake.triage or ()
    return round(sum(observation.seen is Seen.PASSED for observation in seen) / len(seen), 2) if seen else 0.0


def _executed(state: RunState, phase: PhaseState) -> str:
    tasks = [task for task in tasks_of(state, phase).values() if task.task.is_automatic]
    if not tasks or all(task.status == TaskStatus.PENDING for task in tasks):
        return "skipped"
    done = all(is_done(task, home_of(state, phase, task.task.id)) for task in tasks)
    return "completed" if done else "partial"


def _executed_by_agent(state: RunState, phase: PhaseState) -> bool:
    homes = (phase, *parts_of(state, phase))
    names = ((name, step) for home in homes for name, step in home.steps.items())
    return any(name.partition(".")[0] == Step.EXECUTE and step.status != StepStatus.SKIPPED for name, step in names)


def review_step(state: RunState, phase: PhaseState, step: Step) -> tuple[str, Mapping[str, Any]]:
    """A split phase was reviewed when each of its parts was."""
    homes = (phase,) if _was_made(phase, step) else parts_of(state, phase)
    if not homes or not all(_was_made(home, step) for home in homes):
        known = phase.steps.get(step.value)
        ran = known is not None and known.status not in (StepStatus.SKIPPED, StepStatus.OBSERVED)
        return step.value, {"status": "fail" if ran else "skipped", "agent_spawned": False}
    held = all(_held(state, home, step) for home in homes)
    shown: dict[str, Any] = {"status": _pass(held), "agent_spawned": step.role is not None}
    if step is Step.RATE:
        score = phase.reviews.score if phase.reviews.score is not None else mean_of_parts(state, phase)
        shown |= {"alignment_score": score, "score_band": phase.reviews.band or None}
    return step.value, shown


def _was_made(phase: PhaseState, step: Step) -> bool:
    """A judge that was interrupted between its two calls has left its findings."""
    known = phase.step(step)
    if known is not None and known.status == StepStatus.SKIPPED:
        return False  # by the review itself: the project names no command for it
    return phase.is_reviewed(step) or (step is Step.JUDGE and phase.reviews.findings is not None)


def _held(state: RunState, phase: PhaseState, step: Step) -> bool:
    match step:
        case Step.VERIFY:
            known = phase.steps.get(step.value)
            return (
                phase.reviews.verification is not None
                and phase.reviews.verification.passed
                and (not known or known.status != StepStatus.FAIL)
            )
        case Step.JUDGE:
            return (
                phase.reviews.judgement is not None and phase.reviews.judgement.recommendation is Recommendation.PROCEED
            )
        case Step.RATE:
            return phase.reviews.score is not None and phase.reviews.score >= state.policy.pass_threshold
        case _:
            known = phase.steps.get(step.value)
            return known is not None and known.status != StepStatus.REFUSED
