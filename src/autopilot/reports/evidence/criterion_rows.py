"""The criteria of a phase as its reports show them: each with what was seen, judged and said of it.

The one place where reports join a criterion with its verdict, its observation, a reviewer's reading and what a rating
took off. A reviewer names a criterion by its words; which one is meant is decided here for every report.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal

from msgspec import Struct

from autopilot.events.criteria import criteria_of, texts_of
from autopilot.events.state import PhaseState
from autopilot.model.assessment import CriterionReading
from autopilot.model.evidence.deciding import Deciding, deciding, script_of
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.verdict import Outcome, Verdict
from autopilot.model.planning.criterion import Criterion, Form, Kind, Strength, identity
from autopilot.model.ruling import Deduction

ALREADY_THERE: Final = "already there"
ShownKind = Literal["new", "keep", "already there"]
KINDS: Mapping[Kind, ShownKind] = {Kind.NEW: "new", Kind.KEEP: "keep", Kind.ALREADY: ALREADY_THERE}
WHY_UNCHECKED = {Form.PROSE: "no command checks it", Form.TRACE: "requires tracing the code", Form.COMMAND: "not run"}


class CriterionRow(Struct, frozen=True):
    criterion: Criterion
    verdict: Verdict | None  # of the gate
    seen: Observation | None  # of its own command, at the phase's last commit
    strength: Strength | None  # of what decides it: a line of its task's test script before its own command
    kind: ShownKind
    reading: CriterionReading | None  # of the verifier
    deduction: Deduction | None  # of the rating

    @property
    def unchecked(self) -> str:
        """Its words, and why nothing was run for it."""
        return f"{self.criterion.text}: {WHY_UNCHECKED[self.criterion.form]}"


def criterion_rows(phase: PhaseState) -> tuple[CriterionRow, ...]:
    """One row for each criterion that the phase is held to."""
    verdicts = {verdict.subject: verdict for verdict in phase.gate.verdicts}
    seen = {observation.subject: observation for observation in phase.observed.observations or ()}
    readings = {
        identity(r.criterion): r
        for r in (phase.reviews.verification.criteria_results if phase.reviews.verification else ())
    }
    deductions = {identity(deduction.criterion): deduction for deduction in phase.reviews.deductions}
    return tuple(
        CriterionRow(
            criterion=criterion,
            verdict=verdicts.get(criterion.id),
            seen=seen.get(criterion.id),
            strength=_decided(criterion, phase.observed.observations or ()).strength,
            kind=_kind(phase, criterion),
            reading=readings.get(criterion.identity),
            deduction=deductions.get(criterion.identity),
        )
        for criterion in criteria_of(phase)
    )


def rows_named(phase: PhaseState, text: str) -> list[CriterionRow]:
    return [row for row in criterion_rows(phase) if row.criterion.identity == identity(text)]


def outcome_named(phase: PhaseState, text: str) -> Outcome | None:
    """What was judged of the criterion, check or script that a reviewer means by this text or name."""
    texts, wanted = texts_of(phase), identity(text)
    by_name = {identity(verdict.subject): verdict.outcome for verdict in phase.gate.verdicts}
    by_text = {identity(texts[v.subject]): v.outcome for v in phase.gate.verdicts if v.subject in texts}
    return (by_name | by_text).get(wanted)


def seen_named(phase: PhaseState, text: str) -> str:
    """The same as text; where nothing was judged, what was observed."""
    if outcome := outcome_named(phase, text):
        return outcome.value
    texts, wanted = texts_of(phase), identity(text)
    seen = {
        identity(texts.get(observation.subject, observation.subject)): observation.seen.text
        for observation in phase.observed.observations or ()
    }
    return seen.get(wanted, "not checked")


def _kind(phase: PhaseState, criterion: Criterion) -> ShownKind:
    """In a user's plan, what turned out to hold before the work began is not called new."""
    found = criterion.is_new and not phase.plan.ours and _held_at_base(phase, criterion)
    return KINDS[Kind.ALREADY if found else criterion.kind]


def _held_at_base(phase: PhaseState, criterion: Criterion) -> bool:
    """Whether what decides it was green before the work: then it was there already, whatever the plan calls it."""
    return _decided(criterion, phase.plan.red or ()).seen is Seen.PASSED


def _decided(criterion: Criterion, observations: Sequence[Observation]) -> Deciding:
    return deciding(criterion, observations, script_of(criterion.task, observations))
