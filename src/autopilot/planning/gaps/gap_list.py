"""The gaps of a phase that are left to try: each is worked at once."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from autopilot.events.state import PhaseState
from autopilot.model.intent import Deficiency, Purpose
from autopilot.model.ruling import Deduction
from autopilot.planning.gaps.deficiencies import by_gap, of_deduction
from autopilot.planning.gaps.report_reading import fold

GAPS = "gaps"


def gaps_left(phase: PhaseState, target: float) -> tuple[Deficiency, ...]:
    """Biggest first. What earlier runs knew counts for a phase that came for its gaps, else what this run found."""
    earlier = phase.brief.earlier
    listed = earlier.deficiencies if earlier and phase.brief.purpose is Purpose.GAPS else ()
    rated = [entry.criterion for entry in phase.reviews.rating.scorecard] if phase.reviews.rating else []
    tried = [cycle.deficiency for cycle in phase.remediation.cycles if cycle.flag == GAPS]
    return still_open(listed, phase.reviews.deductions if phase.reviews.rating else (), rated, tried, target)


def still_open(
    listed: Sequence[Deficiency],
    card: Sequence[Deduction],
    rated: Collection[str],
    tried: Collection[str],
    target: float,
) -> tuple[Deficiency, ...]:
    """Of the known gaps, all that the last card does not show as fixed; then those that the card adds.

    ``card`` is what the last rating took off, ``rated`` every criterion it has, ``tried`` the labels of earlier cycles.
    """
    low = [item for item in card if item.score < target] or list(card)
    fixed = {fold(text) for text in rated} - {fold(item.criterion) for item in low}
    known = [item for item in listed if not item.criterion or fold(item.criterion) not in fixed]
    named = {fold(item.label) for item in known}
    added = by_gap(of_deduction(item) for item in low if fold(item.criterion) not in named)
    done = {fold(label) for label in tried}
    return tuple(item for item in (*known, *added) if fold(item.label) not in done)
