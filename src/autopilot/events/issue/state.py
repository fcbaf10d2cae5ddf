"""The present of an issue: where it stands between its three gates."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from autopilot.events.issue.happened import (
    AnchorPinned,
    ConvergenceHalted,
    HandedOff,
    OracleJudged,
    Presented,
    WorkTaken,
)
from autopilot.model.evidence.observation import Observation
from autopilot.model.issue.issue import (
    AT_STEPS,
    CAUSE_FILE,
    DESIGN,
    IMPL,
    ISSUE_FILE,
    PRD,
    STEPS,
    STORIES_FILE,
    AuditRow,
    Cause,
    Decision,
    IssueBrief,
    IssueOptions,
    Rate,
    Route,
    SeedFinding,
)
from autopilot.model.planning.roadmap import PhaseId


class Round(Struct, frozen=True):
    """One step on its way: the iteration it is in, and how far that is."""

    iteration: int = 0
    work: WorkTaken | None = None
    judged: OracleJudged | None = None
    row: AuditRow | None = None
    drift: str = ""
    broken: str = ""
    seeds: tuple[SeedFinding, ...] = ()  # what this iteration was given to mend

    @property
    def passed(self) -> bool:
        return self.row is not None and self.row.verdict == "PASS"

    @property
    def findings(self) -> tuple[SeedFinding, ...]:
        """What is left to mend, by fact alone."""
        if self.judged is not None:
            return self.judged.findings
        if self.work is not None and self.work.refusal:
            refusal = SeedFinding(evidence_ref=self.work.refusal, detail="nothing of it could be taken")
            return tuple(dict.fromkeys((refusal, *self.seeds)))  # nothing of what it was given is mended
        return ()


class IssueState(Struct, frozen=True):
    brief: IssueBrief
    options: IssueOptions = IssueOptions()
    recommended: Route | None = None
    reasons: tuple[str, ...] = ()
    route: Route | None = None  # None until it is settled
    has_prd: bool = False
    drafted: bool = False  # by an agent: nobody has approved that beforehand
    requirements_by: str = ""  # who approved prd.md, "" while nobody has
    design_by: str = ""  # who passed the middle gate
    cause: Cause | None = None  # as agreed at that gate
    proposed: Cause | None = None  # as an agent has it
    questions: tuple[str, ...] = ()
    points: tuple[Decision, ...] = ()
    decisions: tuple[Decision, ...] = ()
    # anchors and records
    pins: Mapping[str, AnchorPinned] = {}  # by name of the pin; the approved content
    repin: bool = False  # a person approved another design: its pin is written anew
    frozen: PhaseId | None = None  # the phase whose anchor was checked since it was last entered
    anchors_here: Mapping[str, str] = {}  # fingerprints of anchors as the user's checkout has them
    rows: tuple[AuditRow, ...] = ()
    lines: int = 0  # of the audit log, halt rows and baseline included
    log_head: str = ""
    baseline: str = ""  # the approved design without any implementation: red is looked for there
    # convergence
    cycle: int = 1
    rounds: Mapping[str, Round] = {}  # by step, of this cycle
    seeds: tuple[SeedFinding, ...] = ()  # for the first iteration of this cycle
    said: tuple[SeedFinding, ...] = ()  # by a person in mid-cycle: the next iteration is given it, whichever that is
    halted: ConvergenceHalted | None = None
    escalated: bool = False  # implemented on the strong model from now on; never taken back
    rate: Rate | None = None  # of a flaky test, before
    red_seen: Observation | None = None
    reds: tuple[str, ...] = ()  # commits of the tests that were red in this cycle, in order: none gets easier
    # gates
    published: str = ""  # the branch as it was last offered; "" before
    presented: Presented | None = None
    presentations: int = 0
    asked_before: int = 0  # the highest number of a gate in earlier runs about this issue
    sent_back: tuple[str, ...] = ()  # gates whose rejection was taken up
    rejected: tuple[SeedFinding, ...] = ()  # at the last middle gate: what a re-presentation answers
    shown: str = ""  # the commit of the presentation before
    handed_off: HandedOff | None = None

    @property
    def branch(self) -> str:
        """In the user's repository. One that the user built upon is left alone, and the next has a number."""
        return self.published or f"autopilot/{self.brief.branch}"

    @property
    def is_express(self) -> bool:
        return self.route is Route.EXPRESS

    def steps_of(self, phase: PhaseId) -> tuple[str, ...]:
        return self.options.steps.get(phase) or STEPS[self.route or Route.FULL][phase]

    @property
    def at_step(self) -> str:
        return self.options.at_step or AT_STEPS[self.route or Route.FULL]

    def repeatable_red(self, phase: PhaseId) -> Observation | None:
        """The failure seen before the implementation. A flaky test fails at random: nothing compares with that."""
        return self.red_seen if phase == IMPL and self.route is not Route.FLAKY else None

    @property
    def has_cause(self) -> bool:
        """Whether its middle gate is about a cause."""
        return self.route in (Route.BUGFIX, Route.FLAKY)

    @property
    def middle_gate(self) -> str:
        """Presented again after every rejection, each time under a new name, in whichever run."""
        number = self.asked_before + self.presentations
        return f"{'cause' if self.has_cause else 'design'}-{self.brief.number}-{number}"

    @property
    def anchors(self) -> Mapping[PhaseId, tuple[str, ...]]:
        """What a person approved, by the phase that must not touch it. Never what that phase itself edits."""
        if self.route in (None, Route.FULL):
            return {DESIGN: (self.brief.path(PRD),), IMPL: (self.brief.path(PRD), self.brief.path(STORIES_FILE))}
        issue, cause = self.brief.path(ISSUE_FILE), self.brief.path(CAUSE_FILE)
        # A flaky test may itself be what is wrong; the reproduction of a bug may not.
        shown = self.cause.files if self.cause and self.route is Route.BUGFIX else ()
        return {DESIGN: (issue,), IMPL: (issue, cause, *shown)}
