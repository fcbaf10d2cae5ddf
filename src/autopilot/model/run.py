"""A run: what was asked, the steps there are, and the words for how things stand."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from autopilot.model.intent import Earlier, Errand, Intent
from autopilot.model.issue.issue import IssueRequest
from autopilot.model.planning.criterion import Criterion
from autopilot.model.planning.roadmap import PhaseId


class Step(StrEnum):
    PREFLIGHT = "preflight"
    TRIAGE = "triage"
    RESEARCH = "research"
    PLAN = "plan"
    PLAN_CHECK = "plan_check"
    EXECUTE = "execute"
    MINI_VERIFY = "mini_verify"
    DEBUG = "debug"
    VERIFY = "verify"
    JUDGE = "judge"
    RATE = "rate"
    GATE = "gate"
    ROLLBACK = "rollback"
    LAND = "land"
    SPLIT = "split"
    INTEGRATE = "integrate"
    RESOLVE = "resolve"
    MAP = "map"
    DISCUSS = "discuss"
    AUDIT = "audit"
    BUMP = "bump"
    # of an issue
    DEFINE = "define"
    FREEZE = "freeze"
    DESIGN = "design"
    IMPLEMENT = "implement"
    ORACLE = "oracle"
    RECORD = "record"
    HALT = "halt"
    PRESENT = "present"
    HAND_OFF = "hand_off"

    @property
    def label(self) -> str:
        return self.value.upper().replace("_", "-")


ISSUE_STEPS = (
    *(Step.DEFINE, Step.FREEZE, Step.DESIGN, Step.IMPLEMENT, Step.ORACLE),
    *(Step.RECORD, Step.HALT, Step.PRESENT, Step.HAND_OFF),
)


class RunStatus(StrEnum):
    RUNNING = "running"
    PAUSED = "paused"
    WAITING = "waiting"
    FAILED = "failed"
    COMPLETED = "completed"


class PhaseStatus(StrEnum):
    NOT_STARTED = "not_started"
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"
    FAILED = "failed"
    NEEDS_HUMAN_VERIFICATION = "needs_human_verification"
    SKIPPED = "skipped"
    SPLIT = "split"


class SpecLock(Struct, frozen=True):
    path: str
    sha256: str  # over the neutralised text: our own tick never breaks it


class RunRequest(Struct, frozen=True):
    """What the user asked for, before anything was read."""

    phases: tuple[str, ...] = ()  # raw words: "3-7", "all", "next", …; empty means "all"
    fresh: bool = False
    resume_only: bool = False  # `autopilot resume`: never start a new one
    skip_cooldown: bool = False  # `--now`: take up a run whose circuit breaker has not cooled down yet
    intent: Intent = Intent()
    words: str = ""  # the call, as the user wrote it
    issue: IssueRequest | None = None  # `autopilot issue`
    run: str = ""  # of a resume: which one, where it is not the last


class PhaseBrief(Struct, frozen=True):
    """What a run needs to know of a phase after the roadmap was read and pinned."""

    id: PhaseId
    name: str
    goal: str
    depends_on: tuple[PhaseId, ...]
    requirements: tuple[str, ...]
    folder: str  # ".planning/phases/02-name"
    criteria: tuple[Criterion, ...] = ()
    errand: Errand = Errand.BUILD
    earlier: Earlier | None = None  # how the last run that completed it left it
