"""The rooms of a phase's state: what belongs together, and is forgotten together."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from msgspec import Struct

from autopilot.events.pieces import Asked, Change, Conflict, Cycle, PhaseDebug, Waited
from autopilot.model.agent import Usage
from autopilot.model.assessment import JudgeFindings, Judgement, PlanCheck, Rating, Verification
from autopilot.model.evidence.objection import Objection
from autopilot.model.evidence.observation import Observation
from autopilot.model.evidence.verdict import Outcome, Verdict
from autopilot.model.failure import Category
from autopilot.model.intent import Scored
from autopilot.model.planning.complaint import Complaint
from autopilot.model.planning.criterion import CriteriaSource, Criterion
from autopilot.model.planning.promise import Answer
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.ruling import Action, Band, Deduction, Finding
from autopilot.model.visual.check import VisualCheck


class Totals(Struct, frozen=True):
    """What is counted over all attempts at the phase."""

    attempt: int = 0
    attempts: Mapping[str, int] = {}  # the last attempt of each step
    usage: Usage = Usage()
    history: tuple[Scored, ...] = ()  # every score this phase ever had, in this run and before, oldest first


class Line(Struct, frozen=True):
    """Where the phase works: on the run's branch, or on one of its own."""

    base: str = ""
    public_base: str = ""
    tip: str = ""  # the last commit of its own branch; "" while it works on the run's
    on_own_branch: bool = False  # it started on a branch of its own because other phases run in parallel
    diagnostic_branch: str = ""  # where its work was kept when it was rolled back
    held_at: datetime | None = None  # it cannot go on in this session, and the others do
    held_for: str = ""  # why


class Intake(Struct, frozen=True):
    """What was found before planning: preflight, triage, estimate."""

    preflight_issues: tuple[str, ...] | None = None
    triage: tuple[Observation, ...] | None = None
    triage_source: CriteriaSource = CriteriaSource.UNKNOWN
    triage_note: str = ""
    criteria: tuple[Criterion, ...] = ()  # of the roadmap, or of the plan when triage read one
    phase_type: str = ""
    estimate: int | None = None


class Retries(Struct, frozen=True):
    """The retries of this attempt, which a re-plan does not give again."""

    debug_rounds: tuple[PhaseDebug, ...] = ()
    replans: int = 0
    replan_issues: tuple[str, ...] = ()
    replan_score: float | None = None
    scores: tuple[float, ...] = ()  # every aggregate of this attempt, in order
    rerouted: bool = False  # the whole pipeline, whatever triage finds
    enhanced: bool = False  # reviewers are told to be stricter


class PhaseAgents(Struct, frozen=True):
    """The calls to agents in this attempt, and what they used."""

    asked: tuple[Asked, ...] = ()
    changes: tuple[Change, ...] = ()
    waits: tuple[Waited, ...] = ()
    usage: Usage = Usage()  # the cap of a phase is the cap of one attempt at it
    waited_s: float = 0.0  # for providers' limits, since it started, was judged by a person, or the run was resumed


class Plan(Struct, frozen=True):
    """How the phase is to be done, and what the plan was checked against."""

    has_plan: bool = False  # the user wrote one
    verify_only: bool = False  # triage found it done
    unshown: str = ""  # why it is only verified although nothing that was run shows that its work is there
    holds: bool = False  # refused only because all that it checks holds before the work
    baseline: tuple[Observation, ...] | None = None
    near: tuple[Observation, ...] = ()  # the same of the packages alone that the phase works on
    research: str = ""
    approach: str = ""
    commit: str = ""
    rounds: int = 0
    clauses_asked: bool = False  # sent back once for clauses that no check of it speaks of; no round that counts
    ours: bool = True
    documents: tuple[tuple[str, str], ...] = ()
    complaints: tuple[Complaint, ...] = ()
    check: PlanCheck | None = None
    blockers: tuple[str, ...] = ()
    checked: bool = False
    approved: bool = False
    lacks: tuple[str, ...] = ()  # what a supplement could add to a user's plan
    answers: tuple[Answer, ...] = ()  # how it says that what the owner asks for is to be checked
    must_haves: tuple[str, ...] = ()
    held_out: tuple[Criterion, ...] = ()  # checks that no executor is shown
    red: tuple[Observation, ...] | None = None

    def has_rounds_left(self, most: int) -> bool:
        return self.rounds - self.clauses_asked < most


class Split(Struct, frozen=True):
    """The parts of a phase too large for one agent, and how they come together."""

    parts: tuple[PhaseId, ...] = ()
    reason: str = ""
    remediation: bool = False
    integrated: tuple[PhaseId, ...] = ()
    conflict: Conflict | None = None
    resolutions: tuple[PhaseId, ...] = ()  # what was taken in as a resolver left it


class Remediation(Struct, frozen=True):
    """What the gate ordered to be fixed, and the result."""

    cycles: tuple[Cycle, ...] = ()
    enforced: tuple[str, ...] = ()  # notices to reviewers who have to report once more
    incomplete: bool = False
    exhausted: tuple[str, ...] = ()  # quality, gaps: aimed at more and did not get there
    withdrawn: str = ""  # why a refinement was reverted
    uniform_tier: int = 0


class Observed(Struct, frozen=True):
    """What we ran and observed at one commit of the whole phase; each task has its own."""

    commit: str = ""
    observations: tuple[Observation, ...] | None = None
    probes: tuple[Observation, ...] = ()
    objections: tuple[Objection, ...] = ()
    unasked: tuple[str, ...] = ()  # clauses of goal and criteria that no check speaks of
    visual: VisualCheck | None = None


class Reviews(Struct, frozen=True):
    """What reviewers reported about the observed tree."""

    verification: Verification | None = None
    verification_ms: int = 0
    findings: JudgeFindings | None = None
    judgement: Judgement | None = None
    rating: Rating | None = None
    score: float | None = None
    band: Band = Band.NONE
    deductions: tuple[Deduction, ...] = ()


class GateReport(Struct, frozen=True):
    """What the gate went by."""

    reason: str = ""
    category: Category = Category.NONE
    verdicts: tuple[Verdict, ...] = ()
    integrity: tuple[Finding, ...] = ()
    unseen: tuple[str, ...] = ()  # what the plan leaves to a person's eyes, in a phase that passed without them
    diff: str = ""  # what the phase changed, in figures


class PhaseRuling(Struct, frozen=True):
    """What the gate ruled, while that stands."""

    outcome: Outcome | None = None
    action: Action | None = None  # what the gate ordered; None once it is carried out


class PhaseEnding(Struct, frozen=True):
    """How it ended: recorded and landed, rolled back, or failed."""

    completed_at: datetime | None = None
    records_commit: str = ""
    rolled_back_to: str = ""
    failure: str = ""
    blocked_by: PhaseId = PhaseId("")  # the phase that failed, where this one was left out for it
    failure_category: Category = Category.NONE
    failure_step: str = ""
