"""The rater's card as it comes over the wire, where a whole number can still be told from a decimal."""

from __future__ import annotations

import re
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import asdict

from autopilot.model.assessment import Rating, Score, Trace

MARK = re.compile(r"(?:10\.0|[0-9]\.[0-9])\Z")


class ScoreReply(Struct, frozen=True):
    """``score`` is asked for as text ("8.5"): a number passes through programs that write 9.0 as 9.

    Numbers are read all the same, so that a whole one can be refused with a message of its own.
    """

    criterion: str
    score: Annotated[str | int | float, Meta(extra_json_schema={"type": "string"})]
    verification_command: str
    command_output: str
    evidence: str
    justification: str


class RatingReply(Struct, frozen=True):
    scorecard: tuple[ScoreReply, ...]
    side_effects: tuple[str, ...]
    commands_run: tuple[str, ...]
    aggregate_justification: str
    concerns: tuple[str, ...] = ()
    scope_creep: tuple[str, ...] = ()
    traces: tuple[Trace, ...] = ()


def read_rating(reply: RatingReply) -> Rating | str:
    """The card with its scores as numbers, or why it cannot be used."""
    scores = []
    for entry in reply.scorecard:
        match entry.score:
            case int():
                return f"{entry.score} is a whole number: scores have one decimal, such as 8.5"
            case str() if not MARK.match(entry.score.strip()):
                return f"{entry.score[:20]!r} is not a score from 0.0 to 10.0 with one decimal"
            case _:
                scores.append(Score(**{**asdict(entry), "score": float(entry.score)}))
    return Rating(**{**asdict(reply), "scorecard": tuple(scores)})
