"""Scores that are suspiciously alike: equal scores in a row suggest that the rater did not examine the work (CHK-5)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

SPREAD = 0.2
TIERS = ((7, 3), (5, 2), (3, 1))  # scores in a row, tier


class Uniform(Struct, frozen=True):
    tier: int
    count: int
    low: float
    high: float


def uniform(scores: Sequence[float]) -> Uniform | None:
    """How long the scores of completed phases, in their order, have been alike up to the last one."""
    alike: list[float] = []
    for score in reversed(scores):
        # Rounded: 9.4 and 9.2 lie 0.2 apart, whatever their binary forms make of it.
        if not round(max(*alike, score, score) - min(*alike, score, score), 6) <= SPREAD:
            break
        alike.append(score)
    tier = next((tier for least, tier in TIERS if len(alike) >= least), 0)
    return Uniform(tier, len(alike), min(alike), max(alike)) if tier else None
