"""A debug session: what is wrong, what was seen of it, what was thought and refuted, and what came of it."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from autopilot.model.planning.roadmap import PhaseId

SESSION = PhaseId("debug")  # the one phase of a session's run
FOLDER = ".planning/debug"
RESOLVED = f"{FOLDER}/resolved"
REPRODUCTION = "reproduction.c1"  # the subject of the command that shows the bug

MOST_GATHERINGS = 3
MOST_HYPOTHESES = 8  # stated, refused ones included
MOST_FIXES = 3


class Status(StrEnum):
    """Where a session stands; the words of its file."""

    GATHERING = "gathering"
    INVESTIGATING = "investigating"
    FIXING = "fixing"
    VERIFYING = "verifying"
    RESOLVED = "resolved"
    DIAGNOSED = "diagnosed"  # the cause is found, nothing was fixed
    NOT_REPRODUCED = "not_reproduced"
    NOT_FOUND = "cause_not_found"
    ABANDONED = "abandoned"

    @property
    def is_open(self) -> bool:
        """Whether work goes on by itself."""
        return self in (Status.GATHERING, Status.INVESTIGATING, Status.FIXING, Status.VERIFYING)

    @property
    def is_settled(self) -> bool:
        """Whether nothing is left for anybody to do: its file is in the archive."""
        return self in (Status.RESOLVED, Status.ABANDONED)


class Prediction(StrEnum):
    """How the test of a hypothesis ends if the hypothesis is right."""

    PASSES = "passes"
    FAILS = "fails"


class HypothesisResult(StrEnum):
    SUPPORTED = "supported"
    ELIMINATED = "eliminated"
    UNCLEAR = "unclear"  # its test did not run, or ended now this way, now that


class Candidate(StrEnum):
    """What the reproduction showed at a commit of a bisection."""

    GOOD = "good"
    BAD = "bad"
    SKIPPED = "skipped"  # the reproduction could not tell there


class Symptoms(Struct, frozen=True):
    """Immutable once the reproduction was seen red."""

    expected: str
    actual: str
    errors: str
    reproduction: str  # a command: it fails where the bug is
    started: str


class Hypothesis(Struct, frozen=True):
    number: int
    statement: str
    test: str  # a command
    predicts: Prediction
    printing: str = ""  # what its output contains as well, if the hypothesis is right
    category: str = ""  # of the failure taxonomy


class Tried(Struct, frozen=True):
    """What an earlier pipeline did about the same trouble, before there was a session."""

    description: str
    result: str


class Origin(Struct, frozen=True):
    """The phase whose attempts were used up."""

    run: str
    phase: PhaseId
    name: str
    failure: str
    command: str = ""  # of a check that stayed red
    tried: tuple[Tried, ...] = ()


class Repeats(Struct, frozen=True):
    """How often the reproduction was run at one commit, and how often it failed."""

    runs: int = 0
    failures: int = 0

    @property
    def text(self) -> str:
        return f"{self.failures} of {self.runs} runs"

    @property
    def is_steady(self) -> bool:
        return self.runs > 0 and self.failures == self.runs


class DebugBrief(Struct, frozen=True):
    slug: str
    text: str  # what is wrong, in the user's words
    about: PhaseId | None = None  # --phase
    find_only: bool = False
    good: str = ""  # --good, as a commit
    origin: Origin | None = None

    @property
    def path(self) -> str:
        return f"{FOLDER}/{self.slug}.md"

    @property
    def archived_path(self) -> str:
        return f"{RESOLVED}/{self.slug}.md"


class DebugRequest(Struct, frozen=True):
    """What the user asked for, before anything was read. Without ``slug`` a new session."""

    text: str = ""  # of a continued one: a remark
    slug: str = ""
    about: str = ""
    find_only: bool = False
    good: str = ""
