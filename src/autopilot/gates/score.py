"""The score of a phase, computed and capped by code from the rater's card."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import ROUND_DOWN, Decimal

from autopilot.model.assessment import Rating, Score
from autopilot.model.verdict import Outcome, Verdict

BANDS = (
    (9.5, "excellence"),
    (8.0, "good"),
    (7.0, "acceptable"),
    (5.0, "significant_gaps"),
    (3.0, "major_failures"),
    (0.0, "not_implemented"),
)
# A name with a letter in it, a colon, a line: neither a time of day nor the sources' `EXIT:0`.
FILE_LINE = re.compile(r"(?<![\w./\-])(?!EXIT:)[\d./\-]*[^\W\d][\w./\-]*:\d+")
FAILED_CAP, NO_EVIDENCE_CAP, CONCERN_CAP = 4.9, 6.9, 9.4


def refuse_rating(rating: Rating, criteria: Sequence[str]) -> str:
    """Why a rater's card cannot be used, or "" when it can."""
    if not rating.scorecard:
        return "the scorecard is empty"
    if not rating.commands_run:
        return "the rater ran no command"
    missing = [text for text in criteria if text not in {entry.criterion for entry in rating.scorecard}]
    return f"no score for: {'; '.join(missing[:3])}" if missing else ""


def compute_score(rating: Rating, verdicts: Mapping[str, Verdict], criteria: Sequence[str] = ()) -> float:
    """Mean of the capped scores of these criteria (of all on the card, when none are named), rounded down.

    ``verdicts`` maps a criterion's text to what evidence says of it. A criterion scored twice counts by its lower
    score; one that nobody asked for does not count.
    """
    scored: dict[str, float] = {}
    for entry in rating.scorecard:
        score = _capped(entry, verdicts.get(entry.criterion))
        scored[entry.criterion] = min(score, scored.get(entry.criterion, score))
    capped = [scored[text] for text in dict.fromkeys(criteria)] or list(scored.values())
    mean = sum((Decimal(str(score)) for score in capped), Decimal(0)) / len(capped)
    if rating.side_effects:
        mean = min(mean, Decimal(str(CONCERN_CAP)))
    return float(mean.quantize(Decimal("0.1"), rounding=ROUND_DOWN))


def _capped(entry: Score, verdict: Verdict | None) -> float:
    score = min(max(0.0, entry.score), 10.0)  # in this order, what is not a number counts as nothing
    if verdict is not None and verdict.outcome is not Outcome.PASS:
        score = min(score, FAILED_CAP)
    if not FILE_LINE.search(entry.evidence):
        score = min(score, NO_EVIDENCE_CAP)
    return score


def band(score: float) -> str:
    return next(name for floor, name in BANDS if score >= floor)
