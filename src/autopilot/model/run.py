"""A run: what was asked, and the words for how things stand. Its steps are listed in `model/step.py`."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct, field

from autopilot.model.debugging.session import DebugRequest
from autopilot.model.intent import Earlier, Intent, Purpose
from autopilot.model.issue.issue import IssueRequest
from autopilot.model.journal_word import JournalWord
from autopilot.model.planning.criterion import Criterion, Kind, to_turn_green
from autopilot.model.planning.draft import DraftRequest
from autopilot.model.planning.roadmap import Phase, PhaseId
from autopilot.model.step import Step as Step  # most modules that speak of a run speak of its steps


class RunStatus(StrEnum):
    RUNNING = "running"
    PAUSED = "paused"
    WAITING = "waiting"
    FAILED = "failed"
    COMPLETED = "completed"


class Cap(StrEnum):
    """The caps of a run, each named as its field of the budget."""

    TOKENS = "tokens"
    TOKENS_PER_PHASE = "tokens_per_phase"
    USD = "usd"
    MINUTES = "minutes"
    MINUTES_PER_PHASE = "minutes_per_phase"


class StopKind(StrEnum):
    """What a person can do about a stop. None of these where the stop needs nothing done, or says what by itself."""

    CAP = "cap"  # raise the cap
    LIMIT = "limit"  # wait: a provider's limit; nothing has to be raised
    CALL = "call"  # ask again: one call used up its cap, and the next has its own
    PROBLEM = "problem"  # fix what the reason names: a full disk, a missing agent


class PhaseStatus(StrEnum):
    NOT_STARTED = "not_started"
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"
    FAILED = "failed"
    NEEDS_HUMAN_VERIFICATION = "needs_human_verification"
    SKIPPED = "skipped"
    SPLIT = "split"


class StepStatus(JournalWord):
    """How a step stands, or ended: shown in progress and in state.json; what follows is decided by it."""

    UNKNOWN = "unknown"
    RUNNING = "running"
    SKIPPED = "skipped"
    # It did what it is for.
    COMPLETED = "completed"
    PASS = "pass"
    FAIL = "fail"
    OBSERVED = "observed"  # verify of a split phase: each part was reviewed by itself
    DEFERRED = "deferred"  # gate: a person has to look
    FULL_PIPELINE, VERIFY_ONLY, REFINE = "full_pipeline", "verify_only", "refine"  # triage: the route
    PROCEED, DEBUG, ROLLBACK, HALT = "proceed", "debug", "rollback", "halt"  # judge: its recommendation
    LANDED, WAITING = "landed", "waiting"  # land
    SPLIT, UNCUT = "split", "uncut"  # split
    CONFLICT = "conflict"  # integrate
    MAPPED = "mapped"  # map
    FOUND, NOTHING, FOLLOWED_UP, DISCUSSED = "found", "nothing", "followed_up", "discussed"  # discuss
    GAPS = "gaps"  # audit
    ADVISED, ASKS, KEPT = "advised", "asks", "kept"  # bump; "asks": the project's rules about its version need an agent
    # The agent's work was not accepted, or not finished.
    REFUSED = "refused"
    HANDED_OVER = "handed_over"
    # It could not be performed.
    ERROR = "error"
    UNPROVEN = "unproven"  # for our own reasons: nobody's work is blamed for it
    POSTPONED = "put_off"  # its agent could not be asked just now


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
    also: tuple[str, ...] = ()  # files of another planning format that are frozen with it: one hash covers them all


class PlanningFiles(Struct, frozen=True):
    """The planning files of another tool that a run was started on."""

    format: str = ""  # "" for a roadmap as GSD writes it
    paths: tuple[str, ...] = ()


class RunRequest(Struct, frozen=True):
    """What the user asked for, before anything was read."""

    phases: tuple[str, ...] = ()  # raw words: "3-7", "all", "next", …; empty means "all"
    fresh: bool = False
    resume_only: bool = False  # `autopilot resume`: never start a new one
    skip_cooldown: bool = False  # `--now`: resume a run whose circuit breaker has not cooled down yet
    intent: Intent = Intent()
    command: str = ""  # as the user wrote it
    issue: IssueRequest | None = None  # `autopilot issue`
    debug: DebugRequest | None = None  # `autopilot debug start`, `autopilot debug continue`
    draft: DraftRequest | None = None  # `autopilot plan`
    run: str = ""  # of a resume: which one, where it is not the last
    repeated_options: str = ""  # of this call, such as " --script FILE": a suggested command needs them as well


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
    # Whether it cannot pass before everything that the roadmap asks for is accounted for; not so in older journals.
    accounted: bool = False
    spec: str = ""  # the file that says what this phase must do, where its format has one for each

    @staticmethod
    def of(phase: Phase, folder: str, spec: str = "") -> PhaseBrief:
        return PhaseBrief(
            phase.id,
            phase.name,
            phase.goal,
            phase.depends_on,
            phase.requirements,
            folder,
            phase.criteria,
            accounted=True,
            spec=spec,
        )

    @property
    def promises(self) -> list[str]:
        """The words of the roadmap's criteria."""
        return [criterion.text for criterion in self.criteria]

    @property
    def commands(self) -> list[str]:
        return [criterion.command for criterion in self.criteria if criterion.command]

    @property
    def prose(self) -> list[str]:
        """The words of those that no program can look at."""
        return [criterion.text for criterion in self.criteria if not criterion.is_runnable]

    @property
    def kept(self) -> frozenset[str]:
        """The identities of those that its owner marks ``[keep]``."""
        return frozenset(criterion.identity for criterion in self.criteria if criterion.kind is Kind.KEEP)

    @property
    def to_build(self) -> tuple[Criterion, ...]:
        """Those that the work is to turn green. Of a phase that is done again or refined all of them may hold."""
        return to_turn_green(self.criteria) if self.purpose is Purpose.BUILD else ()
