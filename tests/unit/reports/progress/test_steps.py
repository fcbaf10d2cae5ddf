"""Steps of a phase are counted and stand in the state document; an issue tells its own (PROG, STATE)."""

from __future__ import annotations

from autopilot.model.step import COUNTED_STEPS, ISSUE_STEPS, Step
from autopilot.reports.status.phase_record import STEPS


def test_every_counted_step_stands_in_the_state_document_in_the_order_it_is_taken() -> None:
    assert tuple(step for step in STEPS if step in COUNTED_STEPS) == COUNTED_STEPS


def test_the_gate_the_landing_and_a_split_stand_in_the_state_document_too() -> None:
    assert {Step.GATE, Step.LAND, Step.SPLIT} <= set(STEPS)


def test_no_step_of_an_issue_stands_among_those_of_a_phase() -> None:
    assert set(STEPS).isdisjoint(ISSUE_STEPS)
