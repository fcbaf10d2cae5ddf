"""What the audit of a whole run has to check: requirements, and what only a reviewer has judged. CMPL-04"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from autopilot.events.pieces import TaskState
from autopilot.events.state import PhaseState
from autopilot.model.assessment import CriterionReading
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.planning.criterion import Form
from autopilot.model.planning.promise import Answer
from autopilot.model.run import PhaseStatus
from autopilot.planning.spec.audited import wanted
from tests.unit.making import (
    ONE,
    make_brief,
    make_criterion,
    make_observation,
    make_phase,
    make_state,
    make_task,
    make_verdict,
    make_verification,
)

# covers: T8.accounts
ASKED = [
    make_criterion(f"phase.c{n}", text, form=Form.PROSE, command="")
    for n, text in ((1, "It greets"), (2, "It is kind"))
]
SPEC = "- [ ] **REQ-1**: There is a greeting\n"


def completed(accounted: bool = True, **more: Any) -> PhaseState:
    reading = CriterionReading("SC-2", "verified", "a.py:3 -- kind words")
    phase = make_phase(
        status=PhaseStatus.COMPLETED,
        tasks={"01-01": TaskState(make_task("01-01"))},
        verdicts=(make_verdict(Outcome.PASS, "01-01.c1"),),
        red=(make_observation("01-01.c1", Seen.FAILED),),
        answers=(Answer("SC-1", ("01-01.c1",)),),
        verification=make_verification(criteria_results=(reading,)),
    )
    return replace(phase, brief=replace(make_brief(ONE, criteria=tuple(ASKED), accounted=accounted), **more))


def test_a_second_reviewer_reads_what_only_one_has_judged_and_nothing_that_is_proven() -> None:
    found = wanted(make_state(completed()), SPEC)
    assert [(requirement.id, requirement.text) for requirement in found] == [
        ("REQ-1", "There is a greeting"),
        ("1.SC-2", "It is kind"),
    ]


def test_a_run_of_an_older_version_is_audited_by_its_requirements_alone() -> None:
    assert [requirement.id for requirement in wanted(make_state(completed(accounted=False)), SPEC)] == ["REQ-1"]


def test_a_phase_without_requirements_is_held_to_all_its_criteria() -> None:
    found = wanted(make_state(completed(requirements=())), "")
    assert [requirement.text for requirement in found] == ["It greets", "It is kind"]
