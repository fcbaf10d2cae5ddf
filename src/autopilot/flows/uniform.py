"""Scores that are all alike: worth a word when a phase completes."""

from __future__ import annotations

from autopilot.events.recovery import ScoresUniform
from autopilot.events.state import PhaseState, RunState
from autopilot.model.run import PhaseStatus
from autopilot.rails.rubber_stamp import uniform


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
