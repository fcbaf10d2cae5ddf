"""A rater's scores: one decimal, by text or by number, and every other form refused in words (RATE)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from autopilot.model.assessment import Rating
from autopilot.ports.rating import RatingReply, read_rating
from autopilot.ports.reply import Problem, read_reply

# covers: RATE


def card(*scores: Any) -> str:
    """As text: what a whole number is would be lost in Python's own numbers only, never on the wire."""
    entries = [
        {
            "criterion": f"c{number}",
            "score": score,
            "verification_command": "true",
            "command_output": "",
            "evidence": "a.py:1 -- here",
            "justification": "",
        }
        for number, score in enumerate(scores, start=1)
    ]
    rest: dict[str, Any] = dict.fromkeys(("side_effects", "commands_run", "concerns", "scope_creep", "traces"), ())
    return json.dumps({"scorecard": entries, "aggregate_justification": "", **rest})


def rating(*scores: Any) -> Rating | str:
    reply = read_reply(card(*scores), RatingReply)
    return reply.because if isinstance(reply, Problem) else read_rating(reply)


@pytest.mark.parametrize(
    ("said", "score"), [("9.6", 9.6), ("10.0", 10.0), ("0.0", 0.0), (" 8.5 ", 8.5), (8.5, 8.5), (9.0, 9.0)]
)
def test_a_score_with_a_decimal_is_read(said: Any, score: float) -> None:
    read = rating(said)
    assert isinstance(read, Rating)
    assert [entry.score for entry in read.scorecard] == [score]


@pytest.mark.parametrize(
    ("said", "because"),
    [
        (9, "9 is a whole number"),
        (0, "0 is a whole number"),
        ("9", "'9' is not a score"),
        ("9.55", "'9.55' is not a score"),
        ("10.1", "'10.1' is not a score"),
        ("-1.0", "'-1.0' is not a score"),
        ("9,5", "'9,5' is not a score"),
        ("٩.٥", "is not a score"),
        ("nan", "'nan' is not a score"),
        ("9.5" + "\n" * 3 + "x", "is not a score"),
        ("9" * 5000, "is not a score"),
        ("", "'' is not a score"),
        (11, "11 is a whole number"),
        (10**30, "at `$.scorecard[1].score`"),
        (10.5, "a mark lies between 0 and 10, not 10.5 - at `$.scorecard[1].score`"),
        (-0.5, "between 0 and 10"),
        (float("nan"), "at `$.scorecard[1].score`"),
        (float("inf"), "at `$.scorecard[1].score`"),
        (True, "at `$.scorecard[1].score`"),
        (None, "at `$.scorecard[1].score`"),
        ([9.5], "at `$.scorecard[1].score`"),
    ],
)
def test_any_other_form_of_a_score_is_refused_in_words(said: Any, because: str) -> None:
    refused = rating("9.6", said)
    assert isinstance(refused, str)
    assert because in refused
    assert len(refused) < 300
