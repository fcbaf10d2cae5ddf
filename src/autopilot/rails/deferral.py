"""How often phases wait for a person, and what people's verdicts say about how often they should (STAT-04)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from autopilot.model.policy import DEFERRAL_RATE_TARGET
from autopilot.model.run import PersonVerdict

RATE_FROM = 2  # phases; one alone is no rate
START, STEP, LOWEST, HIGHEST = 6.0, 0.5, 3.0, 8.0
VERDICTS_NEEDED = 3
OFTEN_FINE, OFTEN_NOT = 0.80, 0.70


class Adjustment(Struct, frozen=True):
    old: float
    new: float
    because: str


def defer_rate(deferred: int, processed: int) -> float:
    return deferred / processed if processed else 0.0


def warn_of_deferrals(deferred: int, processed: int, target: float = DEFERRAL_RATE_TARGET) -> str:
    """A warning when too many phases wait for a person, or ""; one phase alone is no rate."""
    if processed < RATE_FROM or defer_rate(deferred, processed) <= target:
        return ""
    return f"{deferred} of {processed} phases were left to a person; the target is at most {target:.0%}"


def adjust_threshold(current: float, verdicts: Sequence[str]) -> Adjustment | None:
    """Move the confidence from which no person is asked, by their verdicts (pass, fail, issues_found) on deferred work.

    People who nearly always say pass were asked too often; people who often find something were asked too seldom.
    """
    if len(verdicts) < VERDICTS_NEEDED:
        return None
    passed = sum(verdict == PersonVerdict.PASS for verdict in verdicts)
    new, reason = current, f"{passed} of {len(verdicts)} deferred phases passed a person's review"
    if passed / len(verdicts) > OFTEN_FINE:
        new = min(current, max(LOWEST, current - STEP))
    elif passed / len(verdicts) < OFTEN_NOT:
        new = max(current, min(HIGHEST, current + STEP))
    return Adjustment(current, new, reason) if new != current else None
