"""Assessments: validated, structured opinions about someone else's work. They can lower a verdict, never raise it.

A field with a default came later than the first journals; agents are asked for every one of them all the same.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class PlanIssue(Struct, frozen=True):
    plan: str
    dimension: str
    severity: str
    description: str
    fix_hint: str
    about: str = ""  # the id of the task, criterion or success criterion; "" for the plan as a whole


class PlanCheck(Struct, frozen=True):
    passed: bool
    issues: tuple[PlanIssue, ...]
    confidence: float


class CriterionReading(Struct, frozen=True):
    criterion: str
    status: str  # "verified" or "failed"
    evidence: str  # file:line -- what was found


class Traced(StrEnum):
    VERIFIED = "verified"
    CONTRADICTED = "contradicted"
    UNVERIFIABLE = "unverifiable"  # an honest limit, not a failure


class Trace(Struct, frozen=True):
    """One handler followed from its trigger to what it finally does."""

    criterion: str
    trigger: str  # file:line -- the handler
    calls: tuple[str, ...]
    terminal_action: str  # file:line -- what it finally does
    status: Traced


class CheckReading(Struct, frozen=True):
    check: str  # compile, lint, build or test
    passed: bool


class Failure(Struct, frozen=True):
    failure: str
    category: str  # one of model.failure.Category; "" or another word is shown as unclassified


class CannotVerify(Struct, frozen=True):
    """What a verifier could not settle by itself, and what it tried."""

    criterion: str
    methods_attempted: tuple[str, ...]
    why_insufficient: str


class MiniVerification(Struct, frozen=True):
    """A reading of one task. What the commands say is not asked: code has run them."""

    passed: bool
    criteria_results: tuple[CriterionReading, ...]
    concerns: tuple[str, ...]
    commands_run: tuple[str, ...]


class Verification(Struct, frozen=True):
    passed: bool
    criteria_results: tuple[CriterionReading, ...]
    commands_run: tuple[str, ...]
    failures: tuple[Failure, ...]
    scope_creep: tuple[str, ...]
    concerns: tuple[str, ...]
    autonomous_confidence: float
    automated_checks: tuple[CheckReading, ...] = ()
    traces: tuple[Trace, ...] = ()
    deferral_evidence: tuple[CannotVerify, ...] = ()


class Recommendation(StrEnum):
    PROCEED = "proceed"
    DEBUG = "debug"
    ROLLBACK = "rollback"
    HALT = "halt"


SEVERITY = tuple(Recommendation)  # from mild to grave


def graver(first: Recommendation, second: Recommendation) -> Recommendation:
    return max(first, second, key=SEVERITY.index)


class JudgeFindings(Struct, frozen=True):
    """The judge's first word, recorded before it sees what the verifier says."""

    recommendation: Recommendation
    concerns: tuple[str, ...]
    independent_evidence: tuple[str, ...]
    scope_creep: tuple[str, ...]
    missing_requirements: tuple[str, ...]
    notes: str
    traces: tuple[Trace, ...] = ()


class Divergence(Struct, frozen=True):
    """The judge's second word: its own findings beside the verifier's report."""

    recommendation: Recommendation
    verifier_agreement: bool
    agreements: tuple[str, ...]
    disagreements: tuple[str, ...]
    verifier_missed: tuple[str, ...]
    judge_missed: tuple[str, ...]


class Judgement(Struct, frozen=True):
    """Both words together; the graver recommendation counts."""

    recommendation: Recommendation
    concerns: tuple[str, ...]
    independent_evidence: tuple[str, ...]
    verifier_missed: tuple[str, ...]
    scope_creep: tuple[str, ...]
    missing_requirements: tuple[str, ...]
    notes: str
    traces: tuple[Trace, ...] = ()
    verifier_agreement: bool = False
    agreements: tuple[str, ...] = ()
    disagreements: tuple[str, ...] = ()
    judge_missed: tuple[str, ...] = ()


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
    concerns: tuple[str, ...] = ()
    scope_creep: tuple[str, ...] = ()
    traces: tuple[Trace, ...] = ()


class SubPhase(Struct, frozen=True):
    """One part of a proposed cut."""

    name: str
    scope: str
    tasks: tuple[str, ...]  # ids of the plan's tasks


class SplitProposal(Struct, frozen=True):
    reason: str
    sub_phases: tuple[SubPhase, ...]
