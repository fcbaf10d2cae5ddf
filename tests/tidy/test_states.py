"""The diagrams of ARCHITECTURE.md show the flows as they are."""

from __future__ import annotations

import re

import pytest

from autopilot.model.step import DEBUG_STEPS, ISSUE_STEPS, Step
from scripts.draw_states import PAGE, render_states, replace_between

NOT_OF_A_PHASE = (Step.MAP, Step.DISCUSS, Step.AUDIT, Step.BUMP, Step.DRAFT)


@pytest.fixture(scope="module")
def states() -> str:
    return render_states()


def test_the_states_in_the_architecture_are_those_of_the_code(states: str) -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == replace_between(page, states), "run: python -m scripts.draw_states --write"


def test_every_step_of_a_phase_and_of_an_issue_is_reached(states: str) -> None:
    """The control: exploring that got nowhere would draw little, and agree with itself."""
    phase, _, issue = states.partition("An issue:")
    of_phase = {step.value for step in Step} - {step.value for step in (*ISSUE_STEPS, *DEBUG_STEPS, *NOT_OF_A_PHASE)}
    assert of_phase - targets(phase) == set()
    assert {step.value for step in ISSUE_STEPS} - {
        re.sub("^(design|impl)_", "", name) for name in targets(issue)
    } == set()


def targets(diagrams: str) -> set[str]:
    return set(re.findall(r"--> (\w+)", diagrams))


def test_every_node_but_an_end_is_left_again(states: str) -> None:
    for diagrams in states.split("An issue:"):
        sources = set(re.findall(r"(\w+) -->", diagrams))
        assert targets(diagrams) - sources <= {"converged"}
