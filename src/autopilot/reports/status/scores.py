"""The scores of phases: what counts, how it came to be, and which are too much alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autopilot.events.state import PhaseState, RunState
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import PhaseStatus
from autopilot.reports.markdown import stamp
from autopilot.reports.status.pipeline import mean_of_parts

SATISFIED = 9.0  # a completed phase below this gets a diagnostic, whatever its threshold is (CENF-02)
CRITICAL_TIER, SPREAD = 3, 0.2


def score_of(state: RunState, phase: PhaseState) -> float | None:
    """Its own, or that of its parts; None for work that only a person could settle."""
    return phase.reviews.score if phase.reviews.score is not None else mean_of_parts(state, phase)


def in_words(score: float | None) -> str:
    return f"{score}/10" if score is not None else "no score"


def is_unsatisfied(score: float | None) -> bool:
    return score is not None and score < SATISFIED


def needs_diagnostic(state: RunState, phase: PhaseState) -> bool:
    """Also when it was remediated: how it came to its score is worth reading. Not when that was withdrawn."""
    worth_reading = bool(phase.remediation.cycles) and not phase.remediation.withdrawn
    return phase.status is PhaseStatus.COMPLETED and (worth_reading or falls_short(state, phase))


def stands_as_before(phase: PhaseState) -> bool:
    """A refinement that nothing has come of, or not yet: all that is known of the phase is what earlier runs said."""
    return phase.brief.purpose.refines and not phase.landing.state


def falls_short(state: RunState, phase: PhaseState) -> bool:
    return phase.remediation.incomplete or is_unsatisfied(score_of(state, phase))


def score_history(phase: PhaseState) -> list[dict[str, Any]]:
    """Every score the phase ever had, in earlier runs too."""
    return [
        {"score": s.score, "timestamp": stamp(s.scored_at), "flag": s.flag, "cycle": s.cycle}
        for s in phase.totals.history
    ]


def find_suspects(state: RunState) -> frozenset[PhaseId]:
    """Every phase of a row of scores so alike that the highest tier was reached."""
    rated = [p for p in state.phases.values() if p.status is PhaseStatus.COMPLETED and p.reviews.score is not None]
    rated.sort(key=lambda p: p.ending.completed_at or state.now)
    ends = [place for place, phase in enumerate(rated) if phase.remediation.uniform_tier >= CRITICAL_TIER]
    return frozenset(phase.id for end in ends for phase in _alike(rated[: end + 1]))


def _alike(rated: Sequence[PhaseState]) -> Sequence[PhaseState]:
    """The longest row up to the last phase whose scores lie within the spread of each other."""
    for start in range(len(rated)):
        scores = [phase.reviews.score or 0.0 for phase in rated[start:]]
        if round(max(scores) - min(scores), 6) <= SPREAD:
            return rated[start:]
    return ()
