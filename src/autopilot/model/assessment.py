"""Assessments: validated, structured opinions about someone else's work. They can lower a verdict, never raise it."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class PlanIssue(Struct, frozen=True):
    plan: str
    dimension: str
    severity: str
    description: str
    fix_hint: str


class PlanCheck(Struct, frozen=True):
    passed: bool
    issues: tuple[PlanIssue, ...]
    confidence: float


class CriterionReading(Struct, frozen=True):
    criterion: str
    status: str  # "verified" or "failed"
    evidence: str  # file:line -- what was found


class Failure(Struct, frozen=True):
    failure: str
    category: str


class Verification(Struct, frozen=True):
    passed: bool
    criteria_results: tuple[CriterionReading, ...]
    commands_run: tuple[str, ...]
    failures: tuple[Failure, ...]
    scope_creep: tuple[str, ...]
    concerns: tuple[str, ...]
    autonomous_confidence: float


class Recommendation(StrEnum):
    PROCEED = "proceed"
    DEBUG = "debug"
    ROLLBACK = "rollback"
    HALT = "halt"


class Judgement(Struct, frozen=True):
    recommendation: Recommendation
    concerns: tuple[str, ...]
    independent_evidence: tuple[str, ...]
    verifier_missed: tuple[str, ...]
    scope_creep: tuple[str, ...]
    missing_requirements: tuple[str, ...]
    notes: str


class Score(Struct, frozen=True):
    criterion: str
    score: float
    verification_command: str
    command_output: str
    evidence: str
    justification: str


class Rating(Struct, frozen=True):
    """The rater's card. The aggregate is not in it: code computes that."""

    scorecard: tuple[Score, ...]
    side_effects: tuple[str, ...]
    commands_run: tuple[str, ...]
    aggregate_justification: str
