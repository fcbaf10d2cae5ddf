"""The rooms of an issue's state: what belongs together, and is forgotten together."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from autopilot.events.issue.happened import (
    AnchorPinned,
    ConvergenceHalted,
    HandedOff,
    OracleJudged,
    Presented,
    WorkTaken,
)
from autopilot.model.evidence.observation import Observation
from autopilot.model.issue.issue import AuditRow, Cause, Decision, Rate, Route, RowVerdict, SeedFinding


class Advice(Struct, frozen=True):
    """The route that was recommended, and why."""

    recommended: Route | None = None
    reasons: tuple[str, ...] = ()


class Requirements(Struct, frozen=True):
    """The first gate: prd.md, until a person sends it back before it was approved."""

    has_prd: bool = False
    drafted: bool = False  # by an agent: nobody has approved that beforehand
    approved_by: str = ""  # "" while nobody has
    questions: tuple[str, ...] = ()
    points: tuple[Decision, ...] = ()


class DesignGate(Struct, frozen=True):
    """The middle gate, until the user decides again."""

    approved_by: str = ""
    rejected: tuple[SeedFinding, ...] = ()  # what the next presentation answers


class CauseFound(Struct, frozen=True):
    """The cause of a bug or of a flaky test."""

    proposed: Cause | None = None  # by an agent
    agreed: Cause | None = None  # at the middle gate; kept for the agent when the design is opened again


class Pinned(Struct, frozen=True):
    """What was approved, and whether it stands."""

    pins: Mapping[str, AnchorPinned] = {}  # by name of the pin; the approved content
    repin: bool = False  # a person approved another design: its pin is written anew
    in_checkout: Mapping[str, str] = {}  # fingerprints of anchors as the user's checkout has them


class AuditLog(Struct, frozen=True):
    """The audit log as our commits left it."""

    rows: tuple[AuditRow, ...] = ()
    lines: int = 0  # halt rows and baseline included
    head: str = ""


class Baseline(Struct, frozen=True):
    """What was observed before any implementation."""

    commit: str = ""  # the approved design alone
    rate: Rate | None = None  # of a flaky test
    red: Observation | None = None


class Round(Struct, frozen=True):
    """One step on its way: the iteration it is in, and how far that is."""

    iteration: int = 0
    work: WorkTaken | None = None
    judged: OracleJudged | None = None
    row: AuditRow | None = None
    drift: str = ""
    broken: str = ""
    seeds: tuple[SeedFinding, ...] = ()  # what this iteration was given to fix

    @property
    def passed(self) -> bool:
        return self.row is not None and self.row.verdict == RowVerdict.PASS

    @property
    def findings(self) -> tuple[SeedFinding, ...]:
        """What is left to fix, by facts alone."""
        if self.judged is not None:
            return self.judged.findings
        if self.work is not None and self.work.refusal:
            refusal = SeedFinding(evidence_ref=self.work.refusal, detail="nothing of it could be taken")
            return tuple(dict.fromkeys((refusal, *self.seeds)))  # nothing of what it was given is fixed
        return ()


class Convergence(Struct, frozen=True):
    """One cycle: every step goes round until its oracle holds or a rail trips."""

    rounds: Mapping[str, Round] = {}  # by step
    seeds: tuple[SeedFinding, ...] = ()  # for the first iteration
    reds: tuple[str, ...] = ()  # commits of the tests that were red, in order: none gets easier


class IssueEnding(Struct, frozen=True):
    """How the cycle ended: in debt, or in the user's hands."""

    halted: ConvergenceHalted | None = None
    handed_off: HandedOff | None = None

    @property
    def is_reached(self) -> bool:
        return self.halted is not None or self.handed_off is not None


class Presentation(Struct, frozen=True):
    """What people were shown, and which gates they did not pass."""

    branch: str = ""  # as it was last offered; "" before
    last: Presented | None = None
    count: int = 0
    shown: str = ""  # the commit of the presentation before
    asked_before: int = 0  # the highest number of a gate in earlier runs about this issue
    sent_back: tuple[str, ...] = ()  # gates whose rejection was taken up
