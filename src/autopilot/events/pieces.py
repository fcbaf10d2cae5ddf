"""The pieces of a run's state: steps, tasks, calls to agents, retries, waits."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from msgspec import Struct

from autopilot.events.happened import AgentReplied
from autopilot.model.agent import Ending, Role
from autopilot.model.assessment import CannotVerify, MiniVerification
from autopilot.model.evidence.objection import Objection
from autopilot.model.evidence.observation import Observation
from autopilot.model.evidence.verdict import Verdict
from autopilot.model.git import LandingState
from autopilot.model.planning.plan import Task
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.result import Justification
from autopilot.model.run import BreakerStatus, Cap, LandingStage, PersonVerdict, Step, StepStatus, TaskStatus

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class StepState(Struct, frozen=True):
    """A step of a phase, or of one of its tasks, as last seen."""

    status: StepStatus = StepStatus.RUNNING
    attempt: int = 1
    detail: str = ""
    started_at: datetime = EPOCH
    ended_at: datetime | None = None
    errors: int = 0  # how often it broke down since the phase started: decide gives up on it
    notice: str = ""  # why its last report was refused: given to the agent that is asked next
    ending: Ending | None = None  # of the agent whose missing answer ended it


class OpenStep(Struct, frozen=True):
    """The step in progress when the record ends. ``replies`` survive a crash: no agent is paid twice."""

    step: Step
    attempt: int
    number: int
    task: str
    replies: tuple[AgentReplied, ...] = ()


class TaskState(Struct, frozen=True):
    task: Task
    status: TaskStatus = TaskStatus.PENDING
    commit: str = ""
    parent: str = ""
    public_parent: str = ""
    debugs: int = 0
    files: tuple[str, ...] = ()  # that its commits changed: a fix on top of other tasks is a commit of its own
    outside: tuple[str, ...] = ()
    refusal: str = ""
    observations: tuple[Observation, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    probes: tuple[Observation, ...] = ()
    objections: tuple[Objection, ...] = ()
    claimed: bool = True  # whether its agent said last time that it was done
    confidence: float | None = None  # its agent's own, for the report alone
    reading: MiniVerification | None = None
    reading_problem: str = ""
    handovers: tuple[str, ...] = ()
    uncounted: int = 0  # of these, by a provider's limit
    died: bool = False  # the last agent did, and left nothing
    deaths: int = 0  # of executors
    postponed: int = 0  # how often a call ended at a limit and left nothing
    # Every refused try, kept for the report: a claim that was caught is worth showing.
    caught: tuple[str, ...] = ()
    untouched: bool = False  # the last agent ended well and changed nothing
    packages: tuple[str, ...] = ()  # whose checks alone were run last; () for all
    unshown: bool = False  # already there, by what agents say alone
    made_by: str = ""  # of one without a commit: that of the earlier task which fulfilled it

    @property
    def calls_before(self) -> int:
        """Calls about it that are over, but for those of its readers."""
        return self.debugs + len(self.handovers) + self.deaths + self.postponed

    @property
    def is_unfixed(self) -> bool:
        """Its work was taken in and did not hold; a fix that was refused changes nothing about that."""
        return self.status == TaskStatus.FAILED or (self.status == TaskStatus.REFUSED and bool(self.commit))


class PhaseDebug(Struct, frozen=True):
    """One debug attempt at the whole phase."""

    attempt: int
    findings: tuple[str, ...]
    commit: str
    changes: tuple[str, ...]
    remaining: tuple[str, ...]
    categories: tuple[str, ...]
    refusal: str = ""
    after_replan: bool = False


class Cycle(Struct, frozen=True):
    """One remediation cycle."""

    number: int
    old_score: float | None
    tasks: tuple[str, ...]
    by_person: bool = False
    debugs_before: int = 0  # debug attempts at the whole phase until then
    flag: str = ""  # quality or gaps, when it aims at more than the threshold
    deficiency: str = ""
    left: int = 0
    new_score: float | None = None
    ended: bool = False


class Deferral(Struct, frozen=True):
    justification: Justification
    evidence: tuple[CannotVerify, ...]
    confidence: float
    branch: str
    verdict: PersonVerdict = PersonVerdict.NOT_YET
    issues: tuple[str, ...] = ()
    verdict_at: datetime | None = None
    number: int = 1  # of the remediation that issues found by a person would lead to


class Conflict(Struct, frozen=True):
    """A part that could not be merged, and what its resolvers did since."""

    part: PhaseId
    commit: str
    paths: tuple[str, ...]
    because: str
    rounds: int = 0
    resolved: str = ""  # the resolver's commit, not observed yet
    refusal: str = ""


class BreakerState(Struct, frozen=True):
    """The circuit breaker: closed while the run progresses, open when retries are useless, half-open after a resume."""

    state: BreakerStatus = BreakerStatus.CLOSED
    no_progress: int = 0  # steps of work in a row, of whatever phase
    same_error: int = 0
    last_error: str = ""
    failing: tuple[PhaseId, ...] = ()  # the phases that ``last_error`` happened in
    tried: Mapping[PhaseId, int] = {}  # retries of each phase that has not passed yet
    stalled: Mapping[PhaseId, int] = {}  # by phase: steps of its work in a row that changed nothing
    seen: Mapping[PhaseId, str] = {}  # tree, failing set and score before the last step of work
    progressed: bool = False  # since it is half-open: something was tried and went well
    reason: str = ""
    exit_status: int = 1
    until: datetime | None = None
    cap: Cap | None = None

    @property
    def retries(self) -> int:
        """Those that have led to nothing so far: a phase that passes was worth its retries."""
        return sum(self.tried.values())


class Outage(Struct, frozen=True):
    """Why an agent is unavailable until the user fixes it."""

    because: str
    needs_login: str = ""  # the agent, where to sign in is all it needs
    remedy: str = ""  # what else the user does about it, where that is known

    def __str__(self) -> str:
        return f"{self.because}; autopilot agents login {self.needs_login}" if self.needs_login else self.because


class Limit(Struct, frozen=True):
    """A provider's rate limit."""

    until: datetime
    since: datetime  # the first time in a row, or the last resume
    strikes: int
    because: str


class Wait(Struct, frozen=True):
    until: datetime
    because: str
    since: datetime


class Landing(Struct, frozen=True):
    state: LandingStage = LandingStage.NOT_YET
    commit: str = ""
    old: str = ""
    branch: str = ""
    because: str = ""
    snapshot: str = ""
    obstacle: LandingState | None = None  # why it is deferred


def step_name(step: Step, task: str = "") -> str:
    return f"{step.value}.{task}" if task else step.value


class Asked(Struct, frozen=True):
    """One call to an agent, for the phase's documents: which agent, and what it used; nothing of its reply."""

    role: Role
    agent: str
    tokens: int
    ending: str
    task: str = ""
    version: str = ""
    model: str = ""  # as chosen; "" for the agent's own default
    times: int = 1  # until its answer matched the schema, or Autopilot gave up
    counted: int = 0  # of the tokens, those that count towards a cap


class Change(Struct, frozen=True):
    """Another agent does a role from then on."""

    role: Role
    old: str
    new: str
    because: str


class Waited(Struct, frozen=True):
    because: str
    waited_s: float
