"""The criteria of a phase: one answer to which there are, for every step, gate and report.

They come from two places: the roadmap, whose criteria the whole phase promises, and the plan, whose criteria its tasks
promise (``Criterion.origin``, ``Criterion.task``). Both may be in prose, which no program can check
(``Criterion.form``).
"""

from __future__ import annotations

from collections.abc import Iterable

from autopilot.events.pieces import TaskState
from autopilot.events.state import PhaseState
from autopilot.model.planning.criterion import Criterion, Expectation
from autopilot.model.planning.plan import criteria_of_tasks


def all_criteria(phase: PhaseState) -> tuple[Criterion, ...]:
    """Everything anybody asks of the phase, each once: of its tasks, of what triage went by, of the roadmap.

    Tasks that were added later (a remediation, fixes) are among them, every sentence of the roadmap, and what the
    planner holds out, which is shown to no agent that works.
    """
    known: dict[str, Criterion] = {}
    of_tasks = _of_tasks(phase.tasks.values())
    for criterion in (*of_tasks, *phase.intake.criteria, *phase.brief.criteria, *phase.plan.held_out):
        known.setdefault(criterion.id, criterion)
    return tuple(known.values())


def criteria_of(phase: PhaseState) -> tuple[Criterion, ...]:
    """What the phase is held to: the plan's criteria, and of the roadmap's those that can be run or are all there is.

    Prose of the roadmap is what a plan makes runnable, or leaves to a person. Where there is no plan it is what triage
    went by, and before triage the roadmap.
    """
    if not phase.planned:
        return phase.intake.criteria or phase.brief.criteria
    return (*_of_plan(phase), *(c for c in phase.brief.criteria if c.is_runnable))


def criteria_to_keep(phase: PhaseState) -> tuple[Criterion, ...]:
    """What later work on the phase must not break: every command of its plan, else of what triage went by."""
    return tuple(c for c in _of_plan(phase) or phase.intake.criteria if c.is_runnable)


def find_criterion(phase: PhaseState, id: str) -> Criterion | None:
    return next((criterion for criterion in all_criteria(phase) if criterion.id == id), None)


def expectation_of(phase: PhaseState, subject: str) -> Expectation:
    """What the command observed under this subject must show: of a criterion its own, else that it ends well."""
    criterion = find_criterion(phase, subject)
    return criterion.expectation if criterion else Expectation()


def promised_lines(phase: PhaseState) -> list[str]:
    """What the phase is held to, as agents are shown it."""
    return [str(criterion) for criterion in criteria_of(phase)]


def review_lines(phase: PhaseState) -> list[str]:
    """The same, as reviewers are shown it."""
    return [criterion.review_line for criterion in criteria_of(phase)]


def promised_texts(phase: PhaseState) -> list[str]:
    """The words of what the phase is held to."""
    return [criterion.text for criterion in criteria_of(phase)]


def texts_of(phase: PhaseState) -> dict[str, str]:
    """The words of every criterion by its id, which is the subject of its observations and verdicts."""
    return {criterion.id: criterion.text for criterion in all_criteria(phase)}


def criteria_of_plan(phase: PhaseState) -> tuple[Criterion, ...]:
    """Of its tasks, later ones included; where triage found it done, of the plan that triage read."""
    return _of_tasks(phase.tasks.values()) or tuple(c for c in phase.intake.criteria if c.task)


def _of_plan(phase: PhaseState) -> tuple[Criterion, ...]:
    return _of_tasks(phase.planned)


def _of_tasks(states: Iterable[TaskState]) -> tuple[Criterion, ...]:
    return criteria_of_tasks(state.task for state in states)
