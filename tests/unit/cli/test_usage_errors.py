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


ACTIONS = ("build", "query", "status")


@pytest.mark.parametrize(
    ("refused", "message", "hint"),
    [
        ("the following arguments are required: AFTER, NAME", "`it` needs AFTER and NAME", "lists its arguments"),
        ("the following arguments are required: A, B, C", "`it` needs A, B and C", "lists its arguments"),
        (
            "the following arguments are required: PHASE | verify RUN",
            "`it` needs PHASE, or verify RUN",
            "lists its arguments",
        ),
        ("the following arguments are required: ACTION", "no action is given for `it`", "choose one of build, query, "),
        ("one of the arguments --after --before is required", "`it` needs --after or --before", "lists its arguments"),
        (
            "argument ACTION: invalid choice: 'stat' (choose from 'build', 'status')",
            "there is no action stat",
            "did you mean status? choose one of build, status; `it --help` explains them",
        ),
    ],
)
def test_what_is_missing_is_named_with_what_may_stand_there(refused: str, message: str, hint: str) -> None:
    shown, way = reword(refused, "it", (), ACTIONS)
    assert shown == message
    assert hint in way
