"""What argparse refuses, in the words of commands and options."""

from __future__ import annotations

import pytest

from autopilot.cli.usage_errors import reword

OPTIONS = ("--budget-usd", "--flaky-runs", "--fresh", "--parallel")


@pytest.mark.parametrize(
    ("typed", "guess"),
    [
        ("--dry-run", ""),
        ("--bogus", ""),
        ("--paralel", "did you mean --parallel? "),
        ("--frsh", "did you mean --fresh? "),
    ],
)
def test_only_what_is_much_alike_is_guessed(typed: str, guess: str) -> None:
    message, hint = reword(f"unrecognized arguments: {typed}", "autopilot issue", OPTIONS)
    assert message == f"`autopilot issue` has no option {typed}"
    assert hint == f"{guess}`autopilot issue --help` lists its arguments"
