"""Every step of a phase is shown, or left out on purpose: a new one cannot be forgotten (PROG, STATE)."""

from __future__ import annotations

from autopilot.model.run import COUNTED_STEPS, ISSUE_STEPS, Shown, Step
from autopilot.reports.status.phase_record import STEPS


def test_every_step_is_told_in_the_progress_or_left_out_on_purpose() -> None:
    by_result = {step for step in Step if step.shown is Shown.BY_RESULT}
    assert by_result == {Step.MINI_VERIFY, Step.GATE, Step.ROLLBACK, Step.LAND}


def test_every_step_stands_in_the_state_document_or_is_left_out_on_purpose() -> None:
    left_out = {Step.MINI_VERIFY, Step.DEBUG, Step.ROLLBACK, Step.INTEGRATE, Step.RESOLVE}
    around = {Step.MAP, Step.DISCUSS, Step.AUDIT, Step.BUMP}  # told by what they leave: gates, audit, version
    assert set(Step) - set(STEPS) == left_out | around | set(ISSUE_STEPS)  # those by the issue itself


def test_the_state_document_has_the_counted_steps_and_the_three_that_end_or_split_a_phase() -> None:
    assert (*COUNTED_STEPS, Step.GATE, Step.LAND, Step.SPLIT) == STEPS
