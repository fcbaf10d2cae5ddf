"""Scores that are suspiciously alike: equal scores in a row suggest that the rater did not examine the work (CHK-5)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from autopilot.events.recovery import ScoresUniform
from autopilot.events.state import PhaseState, RunState
from autopilot.model.run import PhaseStatus

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


def notice_uniform_scores(state: RunState, phase: PhaseState) -> tuple[ScoresUniform, ...]:
    """The event that goes with this phase's completion when its score is one of a suspicious row."""
    done = [p for p in state.phases.values() if p.status is PhaseStatus.COMPLETED and p.reviews.score is not None]
    done.sort(key=lambda p: p.ending.completed_at or state.now)
    row = [(p.id, p.reviews.score) for p in (*done, phase) if p.reviews.score is not None]
    found = uniform([score for _, score in row])
    if found is None:
        return ()
    names = tuple(name for name, _ in row[-found.count :])
    return (ScoresUniform(phase.id, found.tier, found.count, found.low, found.high, names),)
