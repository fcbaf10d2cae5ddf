"""The present of a run, as its past makes it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from msgspec import Struct
from msgspec.structs import replace

from autopilot.events.happened import AgentReplied
from autopilot.model.agent import Usage
from autopilot.model.assessment import Judgement, PlanCheck, Rating, Verification
from autopilot.model.complaint import Complaint
from autopilot.model.criterion import Criterion
from autopilot.model.evidence import Observation
from autopilot.model.plan import Task
from autopilot.model.policy import Policy
from autopilot.model.roadmap import PhaseId
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


class OpenStep(Struct, frozen=True):
    """The step that was under way when the record ends. ``replies`` survive a crash: no agent is paid twice."""

    step: Step
    attempt: int
    number: int
    task: str
    replies: tuple[AgentReplied, ...] = ()


class TaskState(Struct, frozen=True):
    task: Task
    status: str = "pending"  # pending, committed, refused, verified, failed
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
    # Every refused try, kept for the report: a claim that was caught is worth showing.
    caught: tuple[str, ...] = ()


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
    # triage and planning
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
    red: tuple[Observation, ...] | None = None
    tasks: Mapping[str, TaskState] = {}
    # verification
    observations: tuple[Observation, ...] | None = None
    observed_commit: str = ""
    verification: Verification | None = None
    verification_ms: int = 0
    judgement: Judgement | None = None
    rating: Rating | None = None
    score: float | None = None
    band: str = ""
    # the end
    gate: Outcome | None = None
    gate_reason: str = ""
    verdicts: tuple[Verdict, ...] = ()
    records_commit: str = ""
    landing: Landing = Landing()
    diagnostic_branch: str = ""
    rolled_back_to: str = ""
    failure: str = ""
    failure_category: str = ""
    failure_step: str = ""
    usage: Usage = Usage()
    attempt_usage: Usage = Usage()  # the cap of a phase is the cap of one attempt at it

    @property
    def id(self) -> PhaseId:
        return self.brief.id

    @property
    def settled(self) -> bool:
        return self.status not in (PhaseStatus.NOT_STARTED, PhaseStatus.IN_PROGRESS)

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
        return next((p for p in self.phases.values() if p.status is PhaseStatus.IN_PROGRESS), None)

    def with_phase(self, phase: PhaseState) -> RunState:
        return replace(self, phases={**self.phases, phase.id: phase})


def step_name(step: Step, task: str = "") -> str:
    return f"{step.value}.{task}" if task else step.value


def add_usage(one: Usage, other: Usage) -> Usage:
    return Usage(
        one.tokens_in + other.tokens_in,
        one.tokens_out + other.tokens_out,
        one.tokens_cached + other.tokens_cached,
        one.usd + other.usd,
        one.usd_is_estimate or other.usd_is_estimate,
    )
