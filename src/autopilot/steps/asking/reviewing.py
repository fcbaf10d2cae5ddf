"""What every reviewer gets: the criteria, the change, and our observations; no claim."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from autopilot.events.criteria import criteria_of, review_lines
from autopilot.events.state import PhaseState
from autopilot.model.evidence.observation import Observation
from autopilot.model.planning.criterion import Criterion, redact
from autopilot.steps.asking.prompt import bullets, placeholders, render_prompt
from autopilot.steps.context import StepContext
from autopilot.steps.promises import mapped_of, names_to_read, promise_lines

HARDER = """
The last phases were all scored alike, so review this one more strictly: begin every score at 5.0 and add only for
evidence, follow every handler from trigger to final action whatever the phase is about, and name at least two concerns.
"""

UNASKED = """
No check speaks of these clauses of the goal and the criteria: only you look at them. For each of them name the
code that does it, with file:line, and try it with an input of your own. One that does not hold is a failure, whatever
else passed:
{clauses}
"""

FOUND = """
A person has reviewed this work and found the following wrong. Check whether each of these is fixed at its cause; one
that is not is a failure:
{issues}
"""


def review_prompt(ctx: StepContext, name: str) -> str:
    """Reviewers get the same facts, each as many as its prompt has placeholders for."""
    phase = ctx.phase
    values = {
        "phase": phase.id,
        "name": phase.brief.name,
        "goal": phase.brief.goal or "see the roadmap",
        "kind": phase.intake.phase_type or "mixed",
        "requirements": bullets(phase.brief.requirements, "none mapped"),
        "criteria": bullets(review_lines(phase)),
        "promises": bullets(promise_lines(mapped_of(phase), names_to_read(phase)), "none"),
        "unasked": _unasked(phase),
        "person": bullets([f"{t.task.id}: {t.task.title}" for t in phase.planned if t.task.asks_person], "none"),
        "harder": (HARDER if phase.retries.enhanced else "") + _found(phase),
        "confidence": f"{ctx.policy.deferral_confidence:g}",
    }
    wanted = placeholders(name)
    return render_prompt(name, **{key: text for key, text in values.items() if key in wanted})


def _unasked(phase: PhaseState) -> str:
    return UNASKED.format(clauses=bullets(phase.observed.unasked)) if phase.observed.unasked else ""


def _found(phase: PhaseState) -> str:
    issues = phase.deferral.issues if phase.deferral else ()
    return FOUND.format(issues=bullets(issues)) if issues else ""


class ReviewedFacts(Struct, frozen=True):
    """Criteria and observations as reviewers were shown them and replies name them: without secrets."""

    criteria: tuple[Criterion, ...]
    observations: tuple[Observation, ...]


def redact_facts(ctx: StepContext, observations: Sequence[Observation]) -> ReviewedFacts:
    clean = ctx.ports.blobs.clean
    return ReviewedFacts(
        redact(criteria_of(ctx.phase), clean),
        tuple(replace(observation, command=clean(observation.command)) for observation in observations),
    )


def minimum_concerns(phase: PhaseState) -> int:
    return 2 if phase.retries.enhanced else 1
