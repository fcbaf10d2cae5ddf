"""Which sentences plainly ask how something looks, and which commands can see it. covers: T8.accounts"""

from __future__ import annotations

import pytest

from autopilot.model.planning.visual import is_visual, looks_itself
from autopilot.model.policy import Commands
from autopilot.planning.plan.criterion import parse_criterion

PLAIN = (
    "The greeting looks right on a small screen",
    "Active tab is visually distinct",
    "The page matches the Figma mockup",
    "The layout follows the approved wireframes",
    "The drawer slides smoothly",
    "Answers open with smooth animation",
    "The table is readable on a 375px screen",
    "The list scrolls without visible flicker",
    "Buttons look\n  consistent everywhere",
)
NOT_PLAIN = (
    "The server looks up users by id",
    "The page shows the total",
    "The visual regression tests pass",
    "The parser looks for a header",
    "Output matches the design document",
    "The archive is readable by tar",
    "A user sees the list of orders",
    "The cache looks at the entity tag first",
)


@pytest.mark.parametrize("text", PLAIN)
def test_plain_words_about_looks_are_asked_of_the_eye(text: str) -> None:
    assert is_visual(text)
    assert parse_criterion(text, "phase.c1", 1, Commands())[0].visual


@pytest.mark.parametrize("text", NOT_PLAIN)
def test_what_a_program_can_be_asked_is_not(text: str) -> None:
    assert not is_visual(text)


def test_a_criterion_with_a_command_of_its_own_is_not_asked_of_the_eye() -> None:
    text = "It looks right -- verified by: `npx playwright test`"
    assert not parse_criterion(text, "phase.c1", 1, Commands())[0].visual


@pytest.mark.parametrize(
    ("command", "sees"),
    [
        ("npx playwright test", True),
        ("npm run test:visual", True),
        ("npx cypress run", True),
        ("grep -c display style.css", False),
        ("pytest -q tests/test_view.py", False),
    ],
)
def test_only_what_opens_a_screen_can_see(command: str, sees: bool) -> None:
    assert looks_itself(command) is sees
