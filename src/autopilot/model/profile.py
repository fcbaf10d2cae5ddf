"""Model profiles: which class of model each role is given. Every agent has models of its own for the classes."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from autopilot.model.step import Role


class Tier(StrEnum):
    """A class of models, by what they can do and cost."""

    STRONG = "strong"
    MEDIUM = "medium"
    LIGHT = "light"


BALANCED, INHERIT = "balanced", "inherit"
PROFILES = ("quality", BALANCED, "budget", "speed", INHERIT)

_DECIDE = (Role.PLANNER, Role.SPLITTER, Role.ANALYST, Role.DESIGNER)
_EXPLORE = (Role.RESEARCHER, Role.QUESTIONER, Role.DISCUSSER)
_REVIEW = (Role.PLAN_CHECKER, Role.MINI_VERIFIER, Role.VERIFIER, Role.JUDGE, Role.RATER, Role.AUDITOR)
# By profile: the class of every role, and of single roles another one. Where a profile has room for it, the implementer
# of an issue is one class below its designer, so that an issue that does not converge can escalate.
_TIERS: Mapping[str, tuple[Tier, Mapping[str, Tier]]] = {
    "quality": (Tier.STRONG, {}),
    BALANCED: (Tier.MEDIUM, dict.fromkeys(_DECIDE, Tier.STRONG)),
    "budget": (Tier.MEDIUM, dict.fromkeys((*_EXPLORE, *_REVIEW, Role.IMPLEMENTER), Tier.LIGHT)),
    "speed": (Tier.LIGHT, dict.fromkeys((Role.ANALYST, Role.DESIGNER), Tier.MEDIUM)),
}


def tier_of(profile: str, role: str) -> Tier | None:
    """None where the agent's own choice counts: for `inherit`, and for an unknown profile."""
    if profile not in _TIERS:
        return None
    usual, others = _TIERS[profile]
    return others.get(role, usual)


def roles_by_tier(profile: str) -> dict[Tier, tuple[Role, ...]]:
    return {tier: found for tier in Tier if (found := tuple(role for role in Role if tier_of(profile, role) is tier))}
