"""What a demo says that it has shown."""

from __future__ import annotations

import pytest

from autopilot.cli.commands.demo import what_was_shown


@pytest.mark.parametrize(
    ("standing", "caught", "line"),
    [
        ("", (), "the demo stopped before anything was shown; the reason is above"),
        (
            "5 of 5",
            (),
            "what was proven: 5 of 5, by commands that Autopilot ran itself\nwhich lie was caught: 0 false claims",
        ),
        (
            "5 of 5",
            ("02-01",),
            "what was proven: 5 of 5, by commands that Autopilot ran itself\n"
            "which lie was caught: 1 false claim, by task 02-01: its agent called done what was not",
        ),
    ],
)
def test_a_demo_claims_no_more_than_it_has_shown(standing: str, caught: tuple[str, ...], line: str) -> None:
    assert what_was_shown(standing, caught) == f"{line}\n"
