"""What the owner asks of a phase, beside what its plan says about it: for plan check, and as agents are shown it."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from autopilot.events.accounts import promises_to_read
from autopilot.events.criteria import criteria_of_plan
from autopilot.events.state import PhaseState
from autopilot.gates.promise import Mapped, crowded, left_out, refuse_green
from autopilot.model.evidence.observation import Observation
from autopilot.model.evidence.proving import red_before
from autopilot.model.planning.complaint import Complaint, Severity
from autopilot.model.planning.plan import criteria_of_tasks
from autopilot.model.planning.promise import Promise, promises
from autopilot.planning.plan.answers import is_kept
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.collecting import phase_verdicts
from autopilot.steps.observing.reading import PlanRead


def map_promises(ctx: StepContext, plan: PlanRead) -> Mapped:
    """Nothing is asked of a run that began before promises were accounted for."""
    brief = ctx.phase.brief
    asked = promises(brief.criteria, plan.must_haves) if brief.accounted else ()
    return Mapped(asked, plan.answers, criteria_of_tasks(plan.tasks))


def mapped_of(phase: PhaseState) -> Mapped:
    """The same of a plan that is on record."""
    asked = promises(phase.brief.criteria, phase.plan.must_haves) if phase.brief.accounted else ()
    return Mapped(asked, phase.plan.answers, criteria_of_plan(phase))


def promise_complaints(mapped: Mapped, plan: PlanRead, *, ours: bool) -> Iterator[Complaint]:
    """What blocks nothing: of a user's plan, that the verifier reads what it has no check for."""
    path = plan.paths[0] if plan.paths else ""
    yield from (Complaint(path, 0, text) for text in crowded(mapped))
    for promise in () if ours else left_out(mapped):
        message = f"{promise.name} ({promise.text}) has no check in the plan: the verifier only reads it"
        yield Complaint(path, 0, message, Severity.INFO)


def refuse_green_answers(mapped: Mapped, red: Sequence[Observation]) -> Iterator[tuple[str, str]]:
    kept = [promise.name for promise in mapped.promises if is_kept(promise)]
    return refuse_green(mapped, red_before(mapped.criteria, red), kept)


def names_to_read(phase: PhaseState) -> frozenset[str]:
    """Once a phase was observed: those that none of its verdicts is about, whatever its plan maps them to."""
    if phase.observed.observations is None:
        return frozenset()
    return frozenset(promise.name for promise in promises_to_read(phase, phase_verdicts(phase)))


def promise_lines(mapped: Mapped, to_read: Container[str] = ()) -> list[str]:
    """As agents are shown them: the name, the text, and what is to show that it holds."""
    return [f"{promise.name} {promise.text}: {_shown_by(mapped, promise, to_read)}" for promise in mapped.promises]


def _shown_by(mapped: Mapped, promise: Promise, to_read: Container[str]) -> str:
    if why := mapped.person(promise):
        return f"left to a person ({why})"
    if (checks := mapped.checks(promise)) and promise.name not in to_read:
        return f"to be shown by {', '.join(checks)}"
    why = next((row.reviewer for row in mapped.rows(promise) if row.reviewer), "")
    return f"left to the verifier ({why})" if why else "left to the verifier"
