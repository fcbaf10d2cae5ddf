"""The command a plan declares counts where whoever approves it can see it. covers: AL-1, ISSUE-IMPL"""

from __future__ import annotations

import pytest

from autopilot.planning.issue.test_command import find_test_command


@pytest.mark.parametrize(
    ("plan", "command"),
    [
        ("# Plan\n\nTest command: `pytest -q tests/at`\n", "pytest -q tests/at"),
        ("- **AT command:** `sh at.sh`\n", "sh at.sh"),
        ("the test command: `sh at.sh`\n", ""),
        ("<!--\nTest command: `true`\n-->\n", ""),
        ("```\nTest command: `true`\n```\nTest command: `sh at.sh`\n", "sh at.sh"),
        ("1. Add shout().\n", ""),
    ],
)
def test_the_command_is_what_a_reader_sees(plan: str, command: str) -> None:
    assert find_test_command(plan) == command
