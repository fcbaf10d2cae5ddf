"""The present of a debug session. Its file is rendered from this and never read."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from msgspec import Struct

from autopilot.events.debugging import happened as d
from autopilot.model.debugging.session import DebugBrief, Hypothesis, HypothesisResult, Repeats, Status, Symptoms
from autopilot.model.evidence.observation import Observation


class Idea(Struct, frozen=True):
    """A hypothesis, and what became of it."""

    hypothesis: Hypothesis
    refused: str = ""
    tested: d.HypothesisTested | None = None
    tested_at: datetime | None = None

    @property
    def is_open(self) -> bool:
        return not self.refused and self.tested is None

    @property
    def is_supported(self) -> bool:
        return self.tested is not None and self.tested.result is HypothesisResult.SUPPORTED


class Fact(Struct, frozen=True):
    """One line of evidence; lines are only ever added."""

    time: datetime
    checked: str
    found: str
    implication: str = ""


class Bisection(Struct, frozen=True):
    begun: d.BisectionBegun
    tested: Mapping[int, d.CommitTested] = {}


class Ending(Struct, frozen=True):
    closed: d.SessionClosed
    time: datetime


class DebugState(Struct, frozen=True):
    brief: DebugBrief
    opened_at: datetime
    updated_at: datetime
    symptoms: Symptoms | None = None
    commit: str = ""  # where the reproduction is run before the fix
    files: tuple[str, ...] = ()  # tests that came with the symptoms
    gatherings: int = 0  # since a person last took it up
    trouble: str = ""  # why the last gathering did not serve
    repeats: Repeats = Repeats()
    red: Observation | None = None
    bisection: Bisection | None = None
    ideas: tuple[Idea, ...] = ()
    ideas_before: int = 0  # how many there were when a person last took it up
    fixes: tuple[d.FixTaken, ...] = ()
    fixes_before: int = 0
    judged: d.FixJudged | None = None  # the last fix that was looked at
    facts: tuple[Fact, ...] = ()
    remarks: tuple[str, ...] = ()
    ending: Ending | None = None

    @property
    def is_reproduced(self) -> bool:
        return self.red is not None and not self.trouble

    @property
    def cause(self) -> Hypothesis | None:
        """The last hypothesis that its test supports."""
        return next((idea.hypothesis for idea in reversed(self.ideas) if idea.is_supported), None)

    @property
    def eliminated(self) -> tuple[Idea, ...]:
        """What was tried and is not tried again."""
        return tuple(idea for idea in self.ideas if idea.tested is not None and not idea.is_supported)

    @property
    def fix(self) -> d.FixTaken | None:
        """The fix that is not judged yet, or that was proven."""
        last = self.fixes[-1] if self.fixes else None
        if last is None or not last.commit:
            return None
        judged = self.judged is not None and self.judged.commit == last.commit
        return None if judged and not self.is_proven else last

    @property
    def is_proven(self) -> bool:
        return self.judged is not None and self.judged.proven

    @property
    def status(self) -> Status:
        if self.ending is not None:
            return self.ending.closed.status
        if not self.is_reproduced:
            return Status.GATHERING
        if self.cause is None:
            return Status.INVESTIGATING
        return Status.VERIFYING if self.fix is not None else Status.FIXING
