"""Every step of a phase is shown, or left out on purpose: a new one cannot be forgotten (PROG, STATE)."""

from __future__ import annotations

from autopilot.model.run import ISSUE_STEPS, Step
from autopilot.reports.progress.steps import COUNTED, NAMED
from autopilot.reports.status.phase_record import STEPS


def test_every_step_is_told_in_the_progress_or_left_out_on_purpose() -> None:
    assert set(Step) - {*COUNTED, *NAMED, *ISSUE_STEPS} == {Step.MINI_VERIFY, Step.GATE, Step.ROLLBACK, Step.LAND}


def test_every_step_stands_in_the_state_document_or_is_left_out_on_purpose() -> None:
    left_out = {Step.MINI_VERIFY, Step.DEBUG, Step.ROLLBACK, Step.INTEGRATE, Step.RESOLVE}
    around = {Step.MAP, Step.DISCUSS, Step.AUDIT, Step.BUMP}  # told by what they leave: gates, audit, version
    assert set(Step) - set(STEPS) == left_out | around | set(ISSUE_STEPS)  # those by the issue itself


def test_steps_are_listed_in_the_order_they_are_taken() -> None:
    order = list(Step)
    assert [order.index(step) for step in COUNTED] == sorted(order.index(step) for step in COUNTED)
    assert (*COUNTED, Step.GATE, Step.LAND, Step.SPLIT) == STEPS
