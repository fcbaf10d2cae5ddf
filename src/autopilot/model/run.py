"""A run: what was asked, the steps there are, and the words for how things stand."""

from __future__ import annotations

from enum import StrEnum
from typing import Self

from msgspec import Struct, field

from autopilot.model.agent import Role
from autopilot.model.intent import Earlier, Intent, Purpose
from autopilot.model.issue.issue import IssueRequest
from autopilot.model.planning.criterion import Criterion
from autopilot.model.planning.roadmap import Phase, PhaseId


class Shown(StrEnum):
    """How progress shows a step."""

    COUNTED = "counted"  # every phase has it: "Step: PLAN (4/9)"
    NAMED = "named"  # not every phase has it: "Step: DEBUG"
    BY_RESULT = "by_result"  # only by what it leaves: a commit, a verdict, a landing
    BY_ISSUE = "by_issue"  # a step of an issue: its place is told in words, because an issue goes round


class Step(StrEnum):
    """Every step in the order they are taken, how it is shown, who is asked. Other lists of steps derive from this."""

    PREFLIGHT = "preflight", Shown.COUNTED
    TRIAGE = "triage", Shown.COUNTED
    RESEARCH = "research", Shown.COUNTED, Role.RESEARCHER
    PLAN = "plan", Shown.COUNTED, Role.PLANNER
    PLAN_CHECK = "plan_check", Shown.COUNTED, Role.PLAN_CHECKER
    EXECUTE = "execute", Shown.COUNTED, Role.EXECUTOR
    MINI_VERIFY = "mini_verify", Shown.BY_RESULT, Role.MINI_VERIFIER
    DEBUG = "debug", Shown.NAMED, Role.DEBUGGER
    VERIFY = "verify", Shown.COUNTED, Role.VERIFIER
    JUDGE = "judge", Shown.COUNTED, Role.JUDGE
    RATE = "rate", Shown.COUNTED, Role.RATER
    GATE = "gate", Shown.BY_RESULT
    ROLLBACK = "rollback", Shown.BY_RESULT
    LAND = "land", Shown.BY_RESULT
    SPLIT = "split", Shown.NAMED, Role.SPLITTER
    INTEGRATE = "integrate", Shown.NAMED
    RESOLVE = "resolve", Shown.NAMED, Role.EXECUTOR
    MAP = "map", Shown.NAMED, Role.QUESTIONER
    DISCUSS = "discuss", Shown.NAMED, Role.DISCUSSER
    AUDIT = "audit", Shown.NAMED, Role.AUDITOR
    BUMP = "bump", Shown.NAMED
    DEFINE = "define", Shown.BY_ISSUE, Role.ANALYST
    FREEZE = "freeze", Shown.BY_ISSUE
    DESIGN = "design", Shown.BY_ISSUE, Role.DESIGNER
    IMPLEMENT = "implement", Shown.BY_ISSUE, Role.IMPLEMENTER
    ORACLE = "oracle", Shown.BY_ISSUE
    RECORD = "record", Shown.BY_ISSUE
    HALT = "halt", Shown.BY_ISSUE
    PRESENT = "present", Shown.BY_ISSUE
    HAND_OFF = "hand_off", Shown.BY_ISSUE

    _value_: str
    shown: Shown
    role: Role | None  # who is asked; a step without a role asks nobody and costs nothing

    def __new__(cls, name: str, shown: Shown = Shown.BY_RESULT, role: Role | None = None) -> Self:
        step = str.__new__(cls, name)
        step._value_, step.shown, step.role = name, shown, role
        return step

    @property
    def label(self) -> str:
        return self.value.upper().replace("_", "-")


COUNTED_STEPS = tuple(step for step in Step if step.shown is Shown.COUNTED)
ISSUE_STEPS = tuple(step for step in Step if step.shown is Shown.BY_ISSUE)


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


class TaskStatus(StrEnum):
    PENDING = "pending"
    COMMITTED = "committed"
    HANDED_OVER = "handed_over"
    REFUSED = "refused"
    VERIFIED = "verified"
    FAILED = "failed"
    ALREADY = "already"  # nobody had to do it


class LandingStage(StrEnum):
    NOT_YET = ""
    STARTED = "started"
    LANDED = "landed"
    DEFERRED = "deferred"


class BreakerStatus(StrEnum):
    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"


class PersonVerdict(StrEnum):
    """What a person says of work that only a person can settle."""

    NOT_YET = ""
    PASS = "pass"
    FAIL = "fail"
    ISSUES_FOUND = "issues_found"


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
    purpose: Purpose = field(default=Purpose.BUILD, name="errand")  # journals say errand
    earlier: Earlier | None = None  # how the last run that completed it left it

    @staticmethod
    def of(phase: Phase, folder: str) -> PhaseBrief:
        return PhaseBrief(
            phase.id, phase.name, phase.goal, phase.depends_on, phase.requirements, folder, phase.criteria
        )

    @property
    def promises(self) -> list[str]:
        """The words of the roadmap's criteria."""
        return [criterion.text for criterion in self.criteria]

    @property
    def commands(self) -> list[str]:
        return [criterion.command for criterion in self.criteria if criterion.command]
