"""Everything that can happen in a run. Each is past tense, frozen, and free of clocks: the entry carries the time."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from msgspec import UNSET, Struct, UnsetType, field

from autopilot.events.closing import ClosingEvent, ClosingRunEvent
from autopilot.events.debugging.happened import DebugEvent, DebugRunEvent
from autopilot.events.drafting.happened import DraftEvent, DraftRunEvent
from autopilot.events.issue.happened import IssueEvent, IssueRunEvent
from autopilot.events.people import PeopleRunEvent, TalkEvent
from autopilot.events.provision import AgentCutOff, ProvisionRunEvent
from autopilot.events.recovery import RecoveryEvent, RecoveryRunEvent
from autopilot.model.agent import Act, Ending, Role, Usage
from autopilot.model.assessment import Judgement, PlanCheck, Rating, Verification
from autopilot.model.evidence.objection import Objection
from autopilot.model.evidence.observation import Observation
from autopilot.model.evidence.verdict import Outcome, Verdict
from autopilot.model.failure import Category
from autopilot.model.git import LandingState
from autopilot.model.intent import ContextAnswer, Intent
from autopilot.model.planning.complaint import Complaint
from autopilot.model.planning.criterion import CriteriaSource, Criterion
from autopilot.model.planning.other_run import OtherRun
from autopilot.model.planning.plan import Task
from autopilot.model.planning.promise import Answer
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import AgentSettings, Budget, Policy
from autopilot.model.ruling import Action, Band, Deduction
from autopilot.model.run import Cap, PhaseBrief, PlanningFiles, RunStatus, SpecLock, Step, StepStatus, StopKind
from autopilot.model.stored_text import StoredText
from autopilot.model.visual.check import VisualCheck


class RunStarted(Struct, frozen=True):
    run: str
    version: str
    phases: tuple[PhaseBrief, ...]  # the selected ones, in the order they will run
    outline: tuple[PhaseBrief, ...]  # every phase of the roadmap
    roadmap: str
    spec: SpecLock
    policy: Policy
    branch: str
    head: str  # the user's HEAD
    base: str  # where the run starts in the vault: head, or one commit above it with the pinned inputs
    pinned: tuple[str, ...]  # input files whose bytes differed from HEAD
    proven: tuple[PhaseId, ...]  # completed in an earlier run of this repository
    ticked: tuple[PhaseId, ...]  # done by a box in the file, unproven
    agents: tuple[str, ...]  # "scripted 0.1.0"
    model: str
    calibration: tuple[str, ...] = ()  # what people's verdicts on deferred work taught, over all runs
    intent: Intent = Intent()
    command: str = field(default="", name="words")  # as the user wrote it; journals say words
    context: Mapping[PhaseId, tuple[ContextAnswer, ...]] = {}  # what the user answered in earlier runs
    baseline: tuple[Observation, ...] = ()  # the configured checks at ``base``, before any agent was started
    other_runs: tuple[OtherRun, ...] = ()  # of another program, that this run found first
    # By phase: the roadmap's criteria that are to turn green, run at ``base``; not of every phase of a long roadmap.
    criteria: Mapping[PhaseId, tuple[Observation, ...]] = {}
    planning: PlanningFiles = PlanningFiles()  # of another tool


class RunResumed(Struct, frozen=True):
    version: str
    ended_orphans: tuple[str, ...]
    budget: Budget  # the user may have raised a cap that stopped the run
    spec_changed_to: str = ""  # the new hash, when the spec changed since the lock
    confined: bool = True  # False when the user has opted out of the sandbox since
    # Which agent does which role by the user's present settings; None leaves it as it was. Journals say seating.
    assignments: AgentSettings | None = field(default=None, name="seating")
    limits_over: bool = False  # the user says that no provider's limit holds any more
    # The caps that this command named; journals say caps_said.
    caps_named: tuple[str, ...] = field(default=(), name="caps_said")
    caps_of_config: tuple[str, ...] | None = None  # those that the repository's config set; None where it is not said
    agent_options: str | UnsetType = UNSET  # those of this command that chose its agents
    open_egress: tuple[str, ...] | UnsetType = UNSET  # agents that may reach any host by the user's present settings


class RunStopped(Struct, frozen=True):
    """The loop stopped. A later resume opens the run again unless it is completed."""

    status: RunStatus
    reason: str
    exit_status: int
    limited: bool | UnsetType = UNSET  # of journals before ``kind``, which says it too
    kind: StopKind | UnsetType | None = UNSET
    cap: Cap | UnsetType = UNSET  # which one, where a cap stopped it


class RunArchived(Struct, frozen=True):
    """Given up in favour of a fresh run."""

    by: str


class CancelRequested(Struct, frozen=True):
    by: str


class Warned(Struct, frozen=True):
    text: str
    phase: PhaseId | None = None


class PhaseStarted(Struct, frozen=True):
    phase: PhaseId
    attempt: int
    base: str
    # Beside other phases; it is merged into the run's branch when it has passed. Journals say apart.
    on_own_branch: bool = field(default=False, name="apart")


class PhaseSkipped(Struct, frozen=True):
    phase: PhaseId
    reason: str
    blocked_by: PhaseId | UnsetType = UNSET  # the phase that failed, where that is why


class PhaseCompleted(Struct, frozen=True):
    phase: PhaseId
    score: float | None  # None where only a person judged, and of the version; earlier journals have 0.0 there
    commit: str


class PhaseFailed(Struct, frozen=True):
    phase: PhaseId
    reason: str
    category: Category
    step: Step


class StepStarted(Struct, frozen=True):
    phase: PhaseId
    step: Step
    attempt: int
    number: int = 1  # which try of this attempt: the only thing a crash changes
    task: str = ""


class StepSkipped(Struct, frozen=True):
    phase: PhaseId
    step: Step
    reason: str


class StepEnded(Struct, frozen=True):
    """A step came to its end, well or badly; until then it is open and a resume tries it again."""

    phase: PhaseId
    step: Step
    attempt: int
    status: StepStatus
    task: str = ""
    detail: str = ""
    ending: Ending | UnsetType | None = UNSET  # of the agent whose missing answer ended it


class AgentReplied(Struct, frozen=True):
    """An agent's call ended. What it said is a claim: kept as a blob, out of every gate's reach."""

    phase: PhaseId
    step: Step
    role: Role
    agent: str
    ending: Ending
    usage: Usage
    duration_ms: int
    task: str = ""
    reply: StoredText = ""  # the whole reply
    head: str = ""  # HEAD of its clone as fetched into the vault
    detail: str = ""
    version: str = ""
    model: str = ""  # as chosen; "" for the agent's own choice
    asked: int = 1  # how often it had to be asked until its answer fitted, or was given up
    resets_at: datetime | None = None
    retry_after_s: float | None = None
    refused_hosts: tuple[str, ...] | UnsetType = UNSET  # that it asked for, and its settings do not name
    made: tuple[str, ...] | UnsetType = UNSET  # what setup had put into its clone: no part of its work
    left_out: tuple[str, ...] | UnsetType = UNSET  # folders that it committed and that builds make; ``head`` lacks them
    remedy: str | UnsetType = UNSET  # of an agent whose program is missing: what its user does about it
    elsewhere: tuple[str, ...] | UnsetType = UNSET  # branches of its clone with other commits, where HEAD has none
    acts: tuple[Act, ...] | UnsetType = UNSET  # what its transcript tells of files and commands: for traces alone


class PreflightDone(Struct, frozen=True):
    phase: PhaseId
    issues: tuple[str, ...]
    warnings: tuple[str, ...]
    spec_commit: str = ""  # a changed spec, put under this phase and those after it
    spec_changed_to: str = ""  # the fingerprint of a spec that was edited while the run went on


class Triaged(Struct, frozen=True):
    phase: PhaseId
    source: CriteriaSource
    criteria: tuple[Criterion, ...]
    observations: tuple[Observation, ...]
    verify_only: bool
    has_plan: bool
    note: str
    answers: tuple[Answer, ...] = ()  # of the plan that lies there: found done, the phase gets no other
    must_haves: tuple[str, ...] = ()
    unshown: str = ""  # why it is only verified although nothing that was run shows that its work is there


class Rerouted(Struct, frozen=True):
    """Triage took the phase for done, verification saw otherwise: the whole pipeline, once.

    ``verify_only``: the other way round, for no check could be found that fails before the work.
    """

    phase: PhaseId
    reason: str
    verify_only: bool = False


class Researched(Struct, frozen=True):
    phase: PhaseId
    document: StoredText  # RESEARCH.md
    approach: str


class Planned(Struct, frozen=True):
    """A plan was taken from the planner's clone and committed by us. It is a proposal until plan_check approves it."""

    phase: PhaseId
    commit: str
    tasks: tuple[Task, ...]
    complaints: tuple[Complaint, ...]
    documents: tuple[tuple[str, StoredText], ...] = ()  # by path
    # Whose plan it is: lint is stricter with our own.
    ours: bool = True
    answers: tuple[Answer, ...] = ()  # how it says that what the owner asks for is to be checked
    must_haves: tuple[str, ...] = ()  # of its front matter
    held_out: tuple[Criterion, ...] = ()  # checks that no executor is shown


class PlanChecked(Struct, frozen=True):
    phase: PhaseId
    passed: bool
    check: PlanCheck | None  # None when lint alone refused it
    blockers: tuple[str, ...]
    lacks: tuple[str, ...] = ()  # of a user's plan: what a supplement beside it could add
    complaints: tuple[Complaint, ...] = ()  # warnings and infos of the lint
    holds: bool = False  # refused only because all that it checks holds before the work
    clauses: bool = False  # sent back for what it is asked for once: lone examples, clauses that no check speaks of


class RedObserved(Struct, frozen=True):
    """Every criterion and test script, run at the base before any work."""

    phase: PhaseId
    observations: tuple[Observation, ...]


class TaskCommitted(Struct, frozen=True):
    phase: PhaseId
    task: str
    commit: str
    files: tuple[str, ...]
    outside: tuple[str, ...]  # changed although the task's list does not name them
    claimed: bool = True  # whether the agent said that it was done; for the report, never for a gate
    confidence: float | None = None  # the agent's own; for the report, never for a gate
    parent: str = ""  # what it stands on: a mended task replaces its earlier commit, so that one task is one commit
    public: str = ""  # the same without the planning folder, where that folder is not to be committed
    public_parent: str = ""


class TaskRefused(Struct, frozen=True):
    """The agent's work was not taken in: nothing committed, or a commit we must not accept."""

    phase: PhaseId
    task: str
    reason: str
    claimed: bool = True
    untouched: bool = False  # the agent ended well and changed nothing
    died: bool = False  # it crashed or went silent, and left nothing


class TaskVerified(Struct, frozen=True):
    phase: PhaseId
    task: str
    commit: str
    observations: tuple[Observation, ...]
    verdicts: tuple[Verdict, ...]
    outcome: Outcome
    probes: tuple[Observation, ...] = ()  # runs on purpose-made trees: reverted, mutated, with a canary, pinned
    objections: tuple[Objection, ...] = ()
    packages: tuple[str, ...] = ()  # whose checks alone were run, by folder; () for every check of the repository


class PhaseObserved(Struct, frozen=True):
    """Checks, criteria and scripts of the whole phase, run at its last commit."""

    phase: PhaseId
    commit: str
    observations: tuple[Observation, ...]
    phase_type: str = ""  # by what really changed; "" when nothing did
    probes: tuple[Observation, ...] = ()  # runs on purpose-made trees: reverted, mutated, with a canary, pinned
    objections: tuple[Objection, ...] = ()
    unasked: tuple[str, ...] = ()  # clauses of goal and criteria that no check speaks of
    visual: VisualCheck | None = None  # what its interface looks like, where that was looked at; without the facts


class PhaseVerified(Struct, frozen=True):
    phase: PhaseId
    commit: str
    assessment: Verification
    duration_ms: int


class PhaseJudged(Struct, frozen=True):
    phase: PhaseId
    commit: str
    assessment: Judgement


class PhaseRated(Struct, frozen=True):
    phase: PhaseId
    commit: str
    assessment: Rating
    score: float
    band: Band
    deductions: tuple[Deduction, ...] = ()


class GateJudged(Struct, frozen=True):
    phase: PhaseId
    commit: str
    outcome: Outcome
    reason: str
    verdicts: tuple[Verdict, ...]
    action: Action | None = None  # what follows; None in journals from before there was a choice
    category: Category = Category.NONE
    score: float | None = None  # the aggregate of a split phase; others have theirs from the rater
    unseen: tuple[str, ...] = ()  # what the plan leaves to a person's eyes, in a phase that passed without them
    diff: str = ""  # "2 files changed, 10 insertions(+)", without the planning folder


class RecordsCommitted(Struct, frozen=True):
    """Documents and the roadmap tick: a commit confined to the planning folder."""

    phase: PhaseId
    commit: str
    files: tuple[str, ...]


class LandingStarted(Struct, frozen=True):
    phase: PhaseId
    old: str
    new: str
    branch: str
    snapshot: str  # ref with the user's uncommitted work, or ""


class Landed(Struct, frozen=True):
    phase: PhaseId
    commit: str


class LandingDeferred(Struct, frozen=True):
    phase: PhaseId
    commit: str
    because: str
    branch: str  # the branch in the user's repository that holds the work
    paths: tuple[str, ...] = ()
    obstacle: LandingState | UnsetType = UNSET


class RolledBack(Struct, frozen=True):
    phase: PhaseId
    commit: str  # restores the base tree, history kept; "" when the work was on a line of its own, in nobody's way
    diagnostic: str  # branch that keeps what was rolled back
    public: str = ""


BeginningEvent = RunStarted | RunResumed | RunStopped | RunArchived | CancelRequested | Warned
ModeRunEvent = IssueRunEvent | DebugRunEvent | DraftRunEvent
RunEvent = BeginningEvent | RecoveryRunEvent | ProvisionRunEvent | PeopleRunEvent | ClosingRunEvent | ModeRunEvent
LifeEvent = PhaseStarted | PhaseSkipped | PhaseCompleted | PhaseFailed
StepEvent = StepStarted | StepEnded | StepSkipped | AgentReplied | AgentCutOff | PreflightDone
PlanningEvent = Triaged | Rerouted | Researched | Planned | PlanChecked | RedObserved
TaskEvent = TaskCommitted | TaskRefused | TaskVerified
VerificationEvent = PhaseObserved | PhaseVerified | PhaseJudged | PhaseRated | GateJudged
LandingEvent = RecordsCommitted | LandingStarted | Landed | LandingDeferred | RolledBack
WorkEvent = PlanningEvent | TaskEvent | VerificationEvent | LandingEvent
PipelineEvent = LifeEvent | StepEvent | WorkEvent | RecoveryEvent
PhaseEvent = PipelineEvent | TalkEvent | ClosingEvent | IssueEvent | DebugEvent | DraftEvent
Event = RunEvent | PhaseEvent
