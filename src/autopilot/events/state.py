"""The present of a run, as its past makes it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from autopilot.events.debugging.state import DebugState
from autopilot.events.drafting.state import DraftState
from autopilot.events.issue.state import IssueState
from autopilot.events.pieces import (
    EPOCH,
    BreakerState,
    Deferral,
    Landing,
    OpenStep,
    StepState,
    TaskState,
    step_name,
)
from autopilot.events.rooms.phase import (
    GateReport,
    Intake,
    Line,
    Observed,
    PhaseAgents,
    PhaseEnding,
    PhaseRuling,
    Plan,
    Remediation,
    Retries,
    Reviews,
    Split,
    Totals,
)
from autopilot.events.rooms.run import Availability, People, Provision, RunInputs, RunLine, RunTotals, Session
from autopilot.events.talk import AuditState, HumanGate, Release
from autopilot.model.evidence.observation import Observation
from autopilot.model.intent import Purpose
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Policy
from autopilot.model.ruling import Attempts
from autopilot.model.run import PhaseBrief, PhaseStatus, RunStatus, StepStatus
from autopilot.model.step import REVIEWS, Step


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
    agents: PhaseAgents = PhaseAgents()
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
    def owns_branch(self) -> bool:
        """Whether it may roll back the branch it works on: the run's while it is on it, or one that it started on.

        A part's branch goes with its phase, and work that waits for a person was offered on a branch already.
        """
        return not self.line.tip or (self.line.on_own_branch and self.deferral is None)

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
    def red_before(self) -> tuple[Observation, ...] | None:
        """What was seen before the work; None where the work may have been there already."""
        return self.plan.red if self.brief.purpose is Purpose.BUILD else None

    @property
    def other_chances(self) -> Attempts:
        after = sum(debug.after_replan for debug in self.retries.debug_rounds)
        aimed = tuple((cycle.flag, cycle.old_score) for cycle in self.remediation.cycles if cycle.flag)
        return Attempts(
            len(self.retries.debug_rounds) - after,
            after,
            self.retries.replans,
            len(self.remediation.cycles),
            bool(self.remediation.enforced),
            aimed,
        )

    def step(self, step: Step, task: str = "") -> StepState | None:
        return self.steps.get(step_name(step, task))

    def is_reviewed(self, review: Step) -> bool:
        """Whether the review has left its report; one without a report of its own has when it ended."""
        match review:
            case Step.VERIFY:
                return self.reviews.verification is not None
            case Step.JUDGE:
                return self.reviews.judgement is not None
            case Step.RATE:
                return self.reviews.rating is not None
            case _:
                ended = self.step(review)
                return ended is not None and ended.status != StepStatus.ERROR

    @property
    def refusals(self) -> tuple[str, ...]:
        """Why reviews refuse the phase that say so by how they ended, and not by a report that the gate reads."""
        ended = ((review, self.step(review)) for review in REVIEWS)
        return tuple(
            f"{review.value}: {step.detail}" for review, step in ended if step and step.status == StepStatus.REFUSED
        )


def complete(phase: PhaseState, time: datetime) -> PhaseState:
    return replace(phase, status=PhaseStatus.COMPLETED, ending=replace(phase.ending, completed_at=time))


class Lessons(Struct, frozen=True):
    """What phases to come learn from those before them."""

    failures: tuple[PhaseState, ...] = ()  # every phase as it stood when it failed
    judged: tuple[PhaseState, ...] = ()  # deferred phases as a person saw them: no second attempt undoes a verdict
    verdicts_used: int = 0  # how many verdicts moved the deferral threshold already
    enhanced_next: bool = False  # the reviewers of the next phase to start are told to be stricter


class Completion(Struct, frozen=True):
    """What comes after the phases."""

    closing: Mapping[PhaseId, PhaseState] = {}  # audit, fixes, version: phases of their own
    audit: AuditState = AuditState()
    release: Release | None = None  # None until it is settled whether there is a new version
    earlier: Mapping[PhaseId, PhaseState] = {}  # of a completion before a further phase passed: its counts go on


class RunState(Struct, frozen=True):
    """A run, in rooms: ``events/lifetime.py`` says how long each lasts."""

    run: str = ""
    status: RunStatus = RunStatus.RUNNING
    archived: bool = False
    started_at: datetime = EPOCH
    now: datetime = EPOCH
    seq: int = 0
    policy: Policy = Policy()
    phases: Mapping[PhaseId, PhaseState] = {}  # in the order they run
    parts: Mapping[PhaseId, PhaseState] = {}  # of split phases
    issue: IssueState | None = None  # of a run that is about one issue
    debugging: DebugState | None = None  # of a run that is a debug session
    drafting: DraftState | None = None  # of a run that drafts a roadmap
    breaker: BreakerState = BreakerState()
    inputs: RunInputs = RunInputs()
    line: RunLine = RunLine()
    session: Session = Session()
    availability: Availability = Availability()
    provision: Provision = Provision()
    people: People = People()
    lessons: Lessons = Lessons()
    completion: Completion = Completion()
    totals: RunTotals = RunTotals()

    @property
    def is_of_roadmap(self) -> bool:
        return self.issue is None and self.debugging is None and self.drafting is None

    @property
    def halted(self) -> bool:
        return self.session.exit_status is not None

    @property
    def open_gates(self) -> tuple[HumanGate, ...]:
        return tuple(gate for gate in self.people.gates.values() if gate.answered is None)

    @property
    def at_work(self) -> tuple[PhaseState, ...]:
        """Every phase in progress, in the order of the run, and what closes it; one that waits for a person is not.

        Nor is one that is held back, until nothing is left that goes on without it.
        """
        every = (*self.phases.values(), *self.completion.closing.values())
        return self._not_held(phase for phase in every if phase.status is PhaseStatus.IN_PROGRESS)

    @property
    def answered(self) -> tuple[PhaseState, ...]:
        """Work that waited for a person and has their verdict; held back as what is at work."""
        return self._not_held(phase for phase in self.phases.values() if phase.is_answered)

    @property
    def held(self) -> tuple[PhaseState, ...]:
        held = (phase for phase in self.phases.values() if phase.line.held_at)
        return tuple(phase for phase in held if phase.status is PhaseStatus.IN_PROGRESS or phase.is_answered)

    def _not_held(self, phases: Iterable[PhaseState]) -> tuple[PhaseState, ...]:
        return tuple(phase for phase in phases if not phase.line.held_at or not self.beside(phase))

    def beside(self, stuck: PhaseState) -> tuple[PhaseState, ...]:
        """What can go on without this phase, those that are held back, and those that wait for a person."""
        asked = [p for p in self.phases.values() if p.status is PhaseStatus.NEEDS_HUMAN_VERIFICATION]
        out = {stuck.id, *(p.id for p in self.held), *(p.id for p in asked if not p.is_answered)}
        out |= self.building_on(out)
        return tuple(p for p in self.phases.values() if p.id not in out and (not p.settled or p.is_answered))

    @property
    def current(self) -> PhaseState | None:
        """The phase at work: one in progress, else of those that waited for a person the one answered first. What is on
        the run's branch goes before what has one of its own.

        It stays the one until it is settled: another verdict must not come between its merge and its landing.
        """
        under_way = sorted((p for p in self.at_work if p.id in self.phases), key=lambda p: bool(p.line.tip))
        answered = [(p.deferral.verdict_at or EPOCH, p) for p in self.answered if p.deferral]
        return next(iter(under_way), None) or min(answered, key=lambda pair: pair[0], default=(EPOCH, None))[1]

    def phase(self, phase: PhaseId) -> PhaseState:
        """A phase of the roadmap, a part of a split one, or one of those that close the run."""
        return self.phases.get(phase) or self.parts.get(phase) or self.completion.closing[phase]

    def tip_of(self, phase: PhaseState) -> str:
        """The last commit of the line a phase works on: its own, or the run's."""
        return phase.line.tip or self.line.tip

    def building_on(self, names: Iterable[PhaseId]) -> frozenset[PhaseId]:
        """Every other phase of the roadmap that depends on one of these, directly or through others."""
        given = frozenset(names)
        reached, size = set(given), 0
        while size != len(reached):
            size = len(reached)
            reached.update(brief.id for brief in self.inputs.outline if not reached.isdisjoint(brief.depends_on))
        return frozenset(reached - given)

    def with_phase(self, phase: PhaseState) -> RunState:
        if phase.parent:
            return replace(self, parts={**self.parts, phase.id: phase})
        if phase.id in (closing := self.completion.closing):
            return replace(self, completion=replace(self.completion, closing={**closing, phase.id: phase}))
        return replace(self, phases={**self.phases, phase.id: phase})
