"""What happens in a debug session: symptoms, hypotheses and how they were tested, fixes and how they were proven."""

from __future__ import annotations

from msgspec import Struct

from autopilot.model.debugging.session import (
    Candidate,
    DebugBrief,
    Hypothesis,
    HypothesisResult,
    Repeats,
    Status,
    Symptoms,
)
from autopilot.model.evidence.objection import Objection
from autopilot.model.evidence.observation import Observation
from autopilot.model.planning.roadmap import PhaseId


class SessionOpened(Struct, frozen=True):
    """With the run: what the session is about."""

    brief: DebugBrief


class SessionContinued(Struct, frozen=True):
    """With a resume: a person takes the session up again, perhaps with a remark."""

    remark: str = ""
    find_only: bool = False
    good: str = ""


class SessionClosed(Struct, frozen=True):
    """The session came to an end of its own, or a person ended it (``by``)."""

    phase: PhaseId
    status: Status
    because: str
    by: str = ""


class SymptomsGathered(Struct, frozen=True):
    phase: PhaseId
    symptoms: Symptoms
    commit: str  # where the reproduction is run: the base, or one commit above it with the tests that came with it
    files: tuple[str, ...] = ()  # tests that show the bug, and that were not there before
    left_out: tuple[str, ...] = ()  # what the agent changed besides, without effect


class GatheringRefused(Struct, frozen=True):
    phase: PhaseId
    reason: str


class ReproductionSeen(Struct, frozen=True):
    """The reproduction, run at the commit of the symptoms as often as it took; and every check of the project there."""

    phase: PhaseId
    commit: str
    repeats: Repeats
    red: Observation | None  # one of the runs that failed; None where none did
    baseline: tuple[Observation, ...] = ()
    problem: str = ""  # why it cannot serve as a reproduction; "" where it can


class BisectionBegun(Struct, frozen=True):
    """``count`` commits along first parents lie after ``good``; the last of them has the bug."""

    phase: PhaseId
    good: str
    count: int
    problem: str = ""  # why there is nothing to bisect


class CommitTested(Struct, frozen=True):
    phase: PhaseId
    index: int  # among the commits of the bisection, oldest first
    commit: str
    result: Candidate
    subject: str  # of the commit
    observation: Observation | None = None


class HypothesisStated(Struct, frozen=True):
    phase: PhaseId
    hypothesis: Hypothesis


class HypothesisRefused(Struct, frozen=True):
    phase: PhaseId
    hypothesis: Hypothesis
    reason: str


class HypothesisTested(Struct, frozen=True):
    phase: PhaseId
    number: int
    result: HypothesisResult
    because: str
    observations: tuple[Observation, ...]


class FixTaken(Struct, frozen=True):
    phase: PhaseId
    round: int
    commit: str = ""
    files: tuple[str, ...] = ()
    refusal: str = ""
    rule: str = ""  # how to keep such a bug away: an agent's proposal
    left_out: tuple[str, ...] = ()
    public: str = ""


class FixJudged(Struct, frozen=True):
    phase: PhaseId
    round: int
    commit: str
    proven: bool
    repeats: Repeats  # of the reproduction, at the fix
    wanted: int  # greens in a row that are needed at the rate of before
    findings: tuple[str, ...] = ()
    observations: tuple[Observation, ...] = ()
    probes: tuple[Observation, ...] = ()
    objections: tuple[Objection, ...] = ()
    cause_gone: bool | None = None  # whether the test of the cause ends otherwise now; None where it was not run


DebugRunEvent = SessionOpened | SessionContinued
DebugEvent = (
    SessionClosed
    | SymptomsGathered
    | GatheringRefused
    | ReproductionSeen
    | BisectionBegun
    | CommitTested
    | HypothesisStated
    | HypothesisRefused
    | HypothesisTested
    | FixTaken
    | FixJudged
)
