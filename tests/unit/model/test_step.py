"""Who is asked by which step."""

from __future__ import annotations

from autopilot.gates.integrity import EXPECTED
from autopilot.model.step import REVIEWS, Step, that_ask


def test_steps_that_ask_an_agent_are_those_with_a_role() -> None:
    assert that_ask((Step.RATE, Step.GATE, Step.INTEGRATE, Step.AUDIT)) == (Step.RATE, Step.AUDIT)


def test_no_phase_is_called_hasty_for_a_review_by_a_program() -> None:
    """One for which the project names no command is skipped."""
    assert (Step.EXECUTE, *that_ask(REVIEWS)) == EXPECTED
