"""The present of a run, as its past makes it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from autopilot.events.issue.state import IssueState
from autopilot.events.people import PhasePassedOver
from autopilot.events.phase_rooms import (
    Crew,
    GateReport,
    Intake,
    Line,
    Observed,
    PhaseEnding,
    PhaseRuling,
    Plan,
    Remediation,
    Retries,
    Reviews,
    Split,
    Totals,
)
from autopilot.events.pieces import (
    EPOCH,
    BreakerState,
    Deferral,
    Landing,
    Limit,
    OpenStep,
    Outage,
    StepState,
    TaskState,
    Wait,
    step_name,
)
from autopilot.events.talk import AuditState, Discussion, HumanGate, Mapped, Release
from autopilot.model.agent import Usage
from autopilot.model.intent import ContextAnswer, Intent
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Policy
from autopilot.model.ruling import Attempts
from autopilot.model.run import PhaseBrief, PhaseStatus, RunStatus, SpecLock, Step


class PhaseState(Struct, frozen=True):
    """One phase, in rooms: ``events/lifetime.py`` says how long each lasts."""

    brief: PhaseBrief
    parent: PhaseId | None = None  # of a part: the phase that was split
    status: PhaseStatus = PhaseStatus.NOT_STARTED
    started_at: datetime | None = None
    open: OpenStep | None = None
    steps: Mapping[str, StepState] = {}  # "execute", or "execute.02-01" for one task
    warnings: tuple[str, ...] = ()
    totals: Totals = Totals()
    line: Line = Line()
    intake: Intake = Intake()
    retries: Retries = Retries()
    crew: Crew = Crew()
    plan: Plan = Plan()
    tasks: Mapping[str, TaskState] = {}
    split: Split = Split()
    observed: Observed = Observed()
    reviews: Reviews = Reviews()
    gate: GateReport = GateReport()
    ruling: PhaseRuling = PhaseRuling()
    remediation: Remediation = Remediation()
    deferral: Deferral | None = None
    landing: Landing = Landing()
    ending: PhaseEnding = PhaseEnding()

    @property
    def id(self) -> PhaseId:
        return self.brief.id

    @property
    def settled(self) -> bool:
        return self.status not in (PhaseStatus.NOT_STARTED, PhaseStatus.IN_PROGRESS)

    @property
    def owns_line(self) -> bool:
        """Whether the line it works on is its own to give back: the run's while it is on it, or one it began apart on.

        A part's line goes with its phase, and work that waits for a person was offered on a branch already.
        """
        return not self.line.tip or (self.line.apart and self.deferral is None)

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
        changed = self.split.resolutions or any(mend.commit for mend in self.retries.mends)
        return bool(self.split.parts) and not self.split.remediation and not asks and not changed

    @property
    def other_chances(self) -> Attempts:
        after = sum(mend.after_replan for mend in self.retries.mends)
        aimed = tuple((cycle.flag, cycle.old_score) for cycle in self.remediation.cycles if cycle.flag)
        return Attempts(
            len(self.retries.mends) - after,
            after,
            self.retries.replans,
            len(self.remediation.cycles),
            bool(self.remediation.enforced),
            aimed,
        )

    def step(self, step: Step, task: str = "") -> StepState | None:
        return self.steps.get(step_name(step, task))


def complete(phase: PhaseState, at: datetime) -> PhaseState:
    return replace(phase, status=PhaseStatus.COMPLETED, ending=replace(phase.ending, completed_at=at))


class RunState(Struct, frozen=True):
    run: str = ""
    version: str = ""
    status: RunStatus = RunStatus.RUNNING
    stop_reason: str = ""
    stop_limited: bool = False  # by a provider's limit, or by one call's share of a cap
    exit_status: int | None = None  # set while the run is at rest
    rested_at: datetime | None = None  # the last time it came to rest
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
    intent: Intent = Intent()
    words: str = ""  # the call that began it
    context: Mapping[PhaseId, tuple[ContextAnswer, ...]] = {}  # what the user answered in earlier runs
    phases: Mapping[PhaseId, PhaseState] = {}  # in the order they run
    parts: Mapping[PhaseId, PhaseState] = {}  # of split phases
    closing: Mapping[PhaseId, PhaseState] = {}  # what comes after the phases: audit, fixes, version
    passed_over: tuple[PhasePassedOver, ...] = ()  # completed by earlier runs
    # people
    gates: Mapping[str, HumanGate] = {}
    mapping: Mapping[PhaseId, Mapped] = {}
    mapping_begun: bool = False
    mapped: bool = False  # every phase was scored again with the answers
    discussions: Mapping[PhaseId, Discussion] = {}
    audit: AuditState = AuditState()
    release: Release | None = None  # None until it is settled whether there is a new version
    issue: IssueState | None = None  # of a run that is about one issue
    failures: tuple[PhaseState, ...] = ()  # every phase as it stood when it failed: what later ones learn from
    breaker: BreakerState = BreakerState()
    enhanced_next: bool = False  # the next phase to start is looked at harder
    verdicts_used: int = 0  # how many verdicts moved the deferral threshold already
    calibration: tuple[str, ...] = ()  # what people's verdicts taught in earlier runs
    judged: tuple[PhaseState, ...] = ()  # deferred phases as a person saw them: no second attempt undoes a verdict
    # agents
    limits: Mapping[str, Limit] = {}  # by provider: one for all phases
    out: Mapping[str, Outage] = {}  # agents that cannot be asked until somebody mends it, and why
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
    def open_gates(self) -> tuple[HumanGate, ...]:
        return tuple(gate for gate in self.gates.values() if gate.answered is None)

    @property
    def at_work(self) -> tuple[PhaseState, ...]:
        """Every phase under way, in the order of the run, and what closes it; one that waits for a person is not."""
        return tuple(p for p in (*self.phases.values(), *self.closing.values()) if p.status is PhaseStatus.IN_PROGRESS)

    @property
    def current(self) -> PhaseState | None:
        """The phase at work: one under way, else of those that waited for a person the one answered first.

        It stays the one until it is settled: another verdict must not come between its merge and its landing.
        """
        under_way = (p for p in self.phases.values() if p.status is PhaseStatus.IN_PROGRESS)
        answered = [(p.deferral.verdict_at or EPOCH, p) for p in self.phases.values() if p.deferral and p.is_answered]
        return next(under_way, None) or min(answered, key=lambda pair: pair[0], default=(EPOCH, None))[1]

    def phase(self, phase: PhaseId) -> PhaseState:
        """A phase of the roadmap, a part of a split one, or one of those that close the run."""
        return self.phases.get(phase) or self.parts.get(phase) or self.closing[phase]

    def tip_of(self, phase: PhaseState) -> str:
        """The last commit of the line a phase works on: its own, or the run's."""
        return phase.line.tip or self.tip

    def building_on(self, names: Iterable[PhaseId]) -> frozenset[PhaseId]:
        """Every other phase of the roadmap that depends on one of these, directly or through others."""
        given = frozenset(names)
        reached, size = set(given), 0
        while size != len(reached):
            size = len(reached)
            reached.update(brief.id for brief in self.outline if not reached.isdisjoint(brief.depends_on))
        return frozenset(reached - given)

    def with_phase(self, phase: PhaseState) -> RunState:
        if phase.parent:
            return replace(self, parts={**self.parts, phase.id: phase})
        if phase.id in self.closing:
            return replace(self, closing={**self.closing, phase.id: phase})
        return replace(self, phases={**self.phases, phase.id: phase})
