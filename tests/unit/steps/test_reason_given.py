"""A planner that makes no plan is heard: its reason is shown, and decides nothing (PLAN)."""

from __future__ import annotations

from autopilot.model.claim import PlannerClaim
from autopilot.steps.pipeline.plan import MOST_WORDS, give_reason


def claim(*concerns: str) -> PlannerClaim:
    return PlannerClaim(0, 0, 0, "simple", (), concerns)


def test_what_it_says_is_one_short_line() -> None:
    # covers: PLAN
    assert give_reason(claim("no command\nfor: Be kind")) == "; it says: no command for: Be kind"
    assert give_reason(claim("a", "b", "c", "d")) == "; it says: a; b; c"
    assert give_reason(claim("x" * 5000)) == f"; it says: {'x' * MOST_WORDS}…"


def test_who_says_nothing_is_not_quoted() -> None:
    # covers: PLAN
    assert give_reason(claim()) == give_reason(claim("  \n")) == give_reason(None) == ""
