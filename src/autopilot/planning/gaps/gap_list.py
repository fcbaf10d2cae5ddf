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
    """Of what was known, all that the last card does not call mended; then what that card adds.

    ``card`` is what the last rating took off, ``rated`` every criterion it has, ``tried`` the labels of earlier cycles.
    """
    low = [each for each in card if each.score < target] or list(card)
    mended = {fold(text) for text in rated} - {fold(each.criterion) for each in low}
    known = [each for each in listed if not each.criterion or fold(each.criterion) not in mended]
    named = {fold(each.label) for each in known}
    added = by_gap(of_deduction(each) for each in low if fold(each.criterion) not in named)
    done = {fold(label) for label in tried}
    return tuple(each for each in (*known, *added) if fold(each.label) not in done)
