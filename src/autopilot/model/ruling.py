"""What the gate orders to happen next."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct, field

from autopilot.model.evidence.verdict import Outcome
from autopilot.model.failure import Category
from autopilot.model.journal_word import JournalWord
from autopilot.model.run import Step


class Band(JournalWord):
    """What a score is worth, in a word."""

    NONE = ""
    EXCELLENCE = "excellence"
    GOOD = "good"
    ACCEPTABLE = "acceptable"
    SIGNIFICANT_GAPS = "significant_gaps"
    MAJOR_FAILURES = "major_failures"
    NOT_IMPLEMENTED = "not_implemented"


class Action(StrEnum):
    PASS = "pass"
    PASS_INCOMPLETE = "pass_incomplete"  # remediation is exhausted: it counts, and is shown as incomplete everywhere
    REMEDIATE = "remediate"
    DEBUG = "debug"
    REPLAN = "replan"
    DEFER = "defer"  # a person has to look
    ENFORCE = "enforce"  # a report broke a rule of integrity: its step runs once more, with the notice
    ROLLBACK = "rollback"  # the phase fails and gives its work back
    PAUSE = "pause"  # unproven for our own reasons


NEEDLESS_DEFERRAL = 14  # number of the integrity check


class Attempts(Struct, frozen=True):
    """How often a phase was given another chance already."""

    debugs: int = 0
    debugs_after_replan: int = 0
    replans: int = 0
    remediations: int = 0
    enforced: bool = False
    aimed: tuple[tuple[str, float | None], ...] = ()  # remediations towards more: each one's flag and score before


class Ruling(Struct, frozen=True):
    outcome: Outcome
    action: Action
    because: str
    category: Category = Category.NONE  # of the failure, when it is one
    score: float | None = None  # the aggregate of a split phase


class Finding(Struct, frozen=True):
    """The result of an integrity check."""

    check: int
    refuses: bool
    step: Step | None  # the step to run again, when it refuses
    message: str = field(name="words")


class Deduction(Struct, frozen=True):
    """Points a criterion lost, why, and where to fix it."""

    criterion: str
    score: float  # after its caps
    lost: float  # below ten
    impact: float  # what the phase's score would gain, were nothing lost here
    why: str
    file: str  # "" when nothing names one
