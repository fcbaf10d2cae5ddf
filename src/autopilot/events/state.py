"""The present of a run, as its past makes it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from msgspec import Struct
from msgspec.structs import replace

from autopilot.events.crew import Asked, Change, Waited
from autopilot.events.happened import AgentReplied
from autopilot.model.agent import Usage
from autopilot.model.assessment import (
    CannotVerify,
    JudgeFindings,
    Judgement,
    MiniVerification,
    PlanCheck,
    Rating,
    Verification,
)
from autopilot.model.complaint import Complaint
from autopilot.model.criterion import Criterion
from autopilot.model.evidence import Observation
from autopilot.model.plan import Task
from autopilot.model.policy import Policy
from autopilot.model.result import Justification
from autopilot.model.roadmap import PhaseId
from autopilot.model.ruling import Action, Attempts, Deduction, Finding
from autopilot.model.run import PhaseBrief, PhaseStatus, RunStatus, SpecLock, Step
from autopilot.model.verdict import Outcome, Verdict

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class StepState(Struct, frozen=True):
    """A step of a phase, or of one of its tasks, as last seen."""

    status: str = "running"
    attempt: int = 1
    detail: str = ""
    started_at: datetime = EPOCH
    ended_at: datetime | None = None
    errors: int = 0  # how often it broke down since the phase started: decide gives up on it
    notice: str = ""  # why its last report was refused: told to whoever is asked next


class OpenStep(Struct, frozen=True):
    """The step that was under way when the record ends. ``replies`` survive a crash: no agent is paid twice."""

    step: Step
    attempt: int
    number: int
    task: str
    replies: tuple[AgentReplied, ...] = ()


class TaskState(Struct, frozen=True):
    task: Task
    status: str = "pending"  # pending, committed, handed_over, refused, verified, failed, already
    commit: str = ""
    parent: str = ""
    public_parent: str = ""
    debugs: int = 0
    files: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    refusal: str = ""
    observations: tuple[Observation, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    claimed: bool = True  # whether its agent said last time that it was done
    confidence: float | None = None  # its agent's own, for the report alone
    reading: MiniVerification | None = None
    reading_problem: str = ""
    handovers: tuple[str, ...] = ()
    uncounted: int = 0  # of these, by a provider's limit
    # Every refused try, kept for the report: a claim that was caught is worth showing.
    caught: tuple[str, ...] = ()


class Mend(Struct, frozen=True):
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
    mends_before: int = 0  # debug attempts at the whole phase until then
    new_score: float | None = None
    ended: bool = False


class Deferral(Struct, frozen=True):
    justification: Justification
    evidence: tuple[CannotVerify, ...]
    confidence: float
    branch: str
    verdict: str = ""  # "" while it waits for a person
    issues: tuple[str, ...] = ()
    verdict_at: datetime | None = None
    number: int = 1  # of the remediation that issues found by a person would lead to


class Conflict(Struct, frozen=True):
    """A part that did not fit, and what was made of it since."""

    part: PhaseId
    commit: str
    paths: tuple[str, ...]
    because: str
    rounds: int = 0
    resolved: str = ""  # the resolver's commit, not yet looked at
    refusal: str = ""


class BreakerState(Struct, frozen=True):
    """The circuit breaker: closed while all is well, open when trying on is pointless, half-open after a resume."""

    state: str = "closed"
    no_progress: int = 0
    same_error: int = 0
    last_error: str = ""
    retries: int = 0
    seen: Mapping[PhaseId, str] = {}  # tree, failing set and score before the last step of work
    progressed: bool = False  # since it is half-open: something was tried and went well
    reason: str = ""
    exit_status: int = 1
    until: datetime | None = None


class Limit(Struct, frozen=True):
    """A provider that wants to be left alone for a while."""

    until: datetime
    since: datetime  # the first time in a row, or the last resume
    strikes: int
    because: str


class Wait(Struct, frozen=True):
    until: datetime
    because: str
    since: datetime


class Landing(Struct, frozen=True):
    state: str = ""  # started, landed, deferred
    commit: str = ""
    old: str = ""
    branch: str = ""
    because: str = ""
    snapshot: str = ""


class PhaseState(Struct, frozen=True):
    brief: PhaseBrief
    status: PhaseStatus = PhaseStatus.NOT_STARTED
    attempt: int = 0
    base: str = ""
    started_at: datetime | None = None
    completed_at: datetime | None = None
    open: OpenStep | None = None
    steps: Mapping[str, StepState] = {}  # "execute", or "execute.02-01" for one task
    attempts: Mapping[str, int] = {}  # last attempt of each step, over all attempts at the phase
    warnings: tuple[str, ...] = ()
    preflight_issues: tuple[str, ...] | None = None
    # a line of its own: parts of a split phase, and work that waits for a person
    parent: PhaseId | None = None
    line: str = ""
    public_base: str = ""
    parts: tuple[PhaseId, ...] = ()
    split_reason: str = ""
    split_remediation: bool = False
    integrated: tuple[PhaseId, ...] = ()
    conflict: Conflict | None = None
    resolutions: tuple[PhaseId, ...] = ()  # what was taken in as a resolver left it
    # triage and planning
    phase_type: str = ""
    estimate: int | None = None
    baseline: tuple[Observation, ...] | None = None
    triage_source: str = ""
    triage_note: str = ""
    triage: tuple[Observation, ...] | None = None
    criteria: tuple[Criterion, ...] = ()  # of the roadmap, or of the plan when triage read one
    verify_only: bool = False
    rerouted: bool = False
    has_plan: bool = False
    research: str = ""
    approach: str = ""
    plan_commit: str = ""
    plan_rounds: int = 0
    plan_ours: bool = True
    plan_documents: tuple[tuple[str, str], ...] = ()
    plan_complaints: tuple[Complaint, ...] = ()
    plan_check: PlanCheck | None = None
    plan_blockers: tuple[str, ...] = ()
    plan_checked: bool = False
    plan_approved: bool = False
    plan_lacks: tuple[str, ...] = ()  # what a supplement could add to a user's plan
    red: tuple[Observation, ...] | None = None
    tasks: Mapping[str, TaskState] = {}
    # verification
    observations: tuple[Observation, ...] | None = None
    observed_commit: str = ""
    verification: Verification | None = None
    verification_ms: int = 0
    findings: JudgeFindings | None = None
    judgement: Judgement | None = None
    rating: Rating | None = None
    score: float | None = None
    band: str = ""
    deductions: tuple[Deduction, ...] = ()
    # the gate
    gate: Outcome | None = None
    gate_reason: str = ""
    verdicts: tuple[Verdict, ...] = ()
    action: Action | None = None  # what the gate ordered; None once it is carried out
    gate_category: str = ""
    integrity: tuple[Finding, ...] = ()
    enforced: tuple[str, ...] = ()  # notices
    # other chances
    mends: tuple[Mend, ...] = ()
    replans: int = 0
    replan_issues: tuple[str, ...] = ()
    replan_score: float | None = None
    cycles: tuple[Cycle, ...] = ()
    incomplete: bool = False
    scores: tuple[float, ...] = ()  # every aggregate of this attempt, in order
    deferral: Deferral | None = None
    uniform_tier: int = 0
    enhanced: bool = False  # reviewers are told to look harder
    # the end
    records_commit: str = ""
    landing: Landing = Landing()
    diagnostic_branch: str = ""
    rolled_back_to: str = ""
    failure: str = ""
    failure_category: str = ""
    failure_step: str = ""
    usage: Usage = Usage()
    attempt_usage: Usage = Usage()  # the cap of a phase is the cap of one attempt at it
    waited_s: float = 0.0  # for providers' limits, since it started or the run was resumed
    # who did the work of this attempt
    asked: tuple[Asked, ...] = ()
    changes: tuple[Change, ...] = ()
    waits: tuple[Waited, ...] = ()

    @property
    def id(self) -> PhaseId:
        return self.brief.id

    @property
    def settled(self) -> bool:
        return self.status not in (PhaseStatus.NOT_STARTED, PhaseStatus.IN_PROGRESS)

    @property
    def is_answered(self) -> bool:
        waited = self.status is PhaseStatus.NEEDS_HUMAN_VERIFICATION
        return waited and self.deferral is not None and bool(self.deferral.verdict)

    @property
    def planned(self) -> tuple[TaskState, ...]:
        """The tasks of the plan; of a phase or part without any, whatever tasks it has."""
        own = tuple(task for task in self.tasks.values() if not task.task.is_extra)
        return own or (tuple(self.tasks.values()) if self.parent else ())

    @property
    def reviewed_in_parts(self) -> bool:
        """Whether its parts' reviews are its own.

        What only a person can settle is asked of the whole; what somebody made of the parts together, a resolver or a
        debugger, no part's reviewers have read.
        """
        asks = any(task.task.asks_person for task in self.planned)
        changed = self.resolutions or any(mend.commit for mend in self.mends)
        return bool(self.parts) and not self.split_remediation and not asks and not changed

    @property
    def other_chances(self) -> Attempts:
        after = sum(mend.after_replan for mend in self.mends)
        return Attempts(len(self.mends) - after, after, self.replans, len(self.cycles), bool(self.enforced))

    def step(self, step: Step, task: str = "") -> StepState | None:
        return self.steps.get(step_name(step, task))


class RunState(Struct, frozen=True):
    run: str = ""
    version: str = ""
    status: RunStatus = RunStatus.RUNNING
    stop_reason: str = ""
    exit_status: int | None = None  # set while the run is at rest
    archived: bool = False
    started_at: datetime = EPOCH
    now: datetime = EPOCH
    seq: int = 0
    roadmap: str = ""
    spec: SpecLock = SpecLock("", "")
    spec_changed_to: str = ""
    policy: Policy = Policy()
    branch: str = ""
    head: str = ""  # what the user's branch was, or is after the last landing
    base: str = ""  # where the run began in the vault, with its inputs as they were
    tip: str = ""  # the run's last commit in the vault
    public_tip: str = ""  # what may land of it: the same, unless the planning folder is kept out of commits
    agents: tuple[str, ...] = ()
    model: str = ""
    outline: tuple[PhaseBrief, ...] = ()
    proven: tuple[PhaseId, ...] = ()
    ticked: tuple[PhaseId, ...] = ()
    phases: Mapping[PhaseId, PhaseState] = {}  # in the order they run
    parts: Mapping[PhaseId, PhaseState] = {}  # of split phases
    failures: tuple[PhaseState, ...] = ()  # every phase as it stood when it failed: what later ones learn from
    breaker: BreakerState = BreakerState()
    enhanced_next: bool = False  # the next phase to start is looked at harder
    verdicts_used: int = 0  # how many verdicts moved the deferral threshold already
    calibration: tuple[str, ...] = ()  # what people's verdicts taught in earlier runs
    judged: tuple[PhaseState, ...] = ()  # deferred phases as a person saw them: no second attempt undoes a verdict
    # agents
    limits: Mapping[str, Limit] = {}  # by provider: one for all phases
    out: Mapping[str, str] = {}  # agents that cannot be asked until somebody mends it, and why
    serving: Mapping[str, str] = {}  # role -> who does it now, where that is not the preferred one
    switches: int = 0
    wait: Wait | None = None
    waits: int = 0
    waited_s: float = 0.0  # since the last start or resume
    cancelled_by: str = ""
    warnings: tuple[str, ...] = ()
    usage: Usage = Usage()
    active_since: datetime = EPOCH  # the last start or resume
    resumes: int = 0
    landing_tried: bool = False  # since the last start or resume

    @property
    def halted(self) -> bool:
        return self.exit_status is not None

    @property
    def current(self) -> PhaseState | None:
        """The phase at work: one under way, else of those that waited for a person the one answered first.

        It stays the one until it is settled: another verdict must not come between its merge and its landing.
        """
        under_way = (p for p in self.phases.values() if p.status is PhaseStatus.IN_PROGRESS)
        answered = [(p.deferral.verdict_at or EPOCH, p) for p in self.phases.values() if p.deferral and p.is_answered]
        return next(under_way, None) or min(answered, key=lambda pair: pair[0], default=(EPOCH, None))[1]

    def phase(self, phase: PhaseId) -> PhaseState:
        """A phase of the roadmap, or a part of a split one."""
        return self.phases.get(phase) or self.parts[phase]

    def tip_of(self, phase: PhaseState) -> str:
        """The last commit of the line a phase works on: its own, or the run's."""
        return phase.line or self.tip

    def with_phase(self, phase: PhaseState) -> RunState:
        if phase.parent:
            return replace(self, parts={**self.parts, phase.id: phase})
        return replace(self, phases={**self.phases, phase.id: phase})


def step_name(step: Step, task: str = "") -> str:
    return f"{step.value}.{task}" if task else step.value
