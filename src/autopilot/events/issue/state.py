"""The present of an issue: where it stands between its three gates."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from autopilot.events.issue.rooms import (
    Advice,
    AuditLog,
    Baseline,
    CauseFound,
    Convergence,
    DesignGate,
    IssueEnding,
    Pinned,
    Presentation,
    Requirements,
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
    Decision,
    IssueBrief,
    IssueOptions,
    Route,
    SeedFinding,
)
from autopilot.model.planning.roadmap import PhaseId


class IssueState(Struct, frozen=True):
    """One issue, in rooms: ``events/issue/lifetime.py`` says how long each lasts."""

    brief: IssueBrief
    options: IssueOptions = IssueOptions()
    advice: Advice = Advice()
    route: Route | None = None  # None until it is settled
    requirements: Requirements = Requirements()
    design: DesignGate = DesignGate()
    cause: CauseFound = CauseFound()
    decisions: tuple[Decision, ...] = ()  # those of the design's files as they are
    pinned: Pinned = Pinned()
    frozen: PhaseId | None = None  # the phase whose anchor was checked since it was last entered
    audit: AuditLog = AuditLog()
    baseline: Baseline = Baseline()
    cycle: int = 1
    convergence: Convergence = Convergence()
    ending: IssueEnding = IssueEnding()
    remarks: tuple[SeedFinding, ...] = ()  # by a person in mid-cycle: the next iteration is given them, whichever it is
    escalated: bool = False  # implemented on the strong model from now on; never taken back
    presentation: Presentation = Presentation()

    @property
    def branch(self) -> str:
        """In the user's repository. One that the user built upon is left alone, and the next has a number."""
        return self.presentation.branch or f"autopilot/{self.brief.branch}"

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
        return self.baseline.red if phase == IMPL and self.route is not Route.FLAKY else None

    @property
    def has_cause(self) -> bool:
        """Whether its middle gate is about a cause."""
        return self.route in (Route.BUGFIX, Route.FLAKY)

    @property
    def middle_gate(self) -> str:
        """Presented again after every rejection, each time under a new name, in whichever run."""
        return self.name_middle_gate(self.presentation.count)

    def name_middle_gate(self, presentation: int) -> str:
        number = self.presentation.asked_before + presentation
        return f"{'cause' if self.has_cause else 'design'}-{self.brief.number}-{number}"

    @property
    def anchors(self) -> Mapping[PhaseId, tuple[str, ...]]:
        """What a person approved, by the phase that must not touch it. Never what that phase itself edits."""
        if self.route in (None, Route.FULL):
            return {DESIGN: (self.brief.path(PRD),), IMPL: (self.brief.path(PRD), self.brief.path(STORIES_FILE))}
        issue, cause = self.brief.path(ISSUE_FILE), self.brief.path(CAUSE_FILE)
        # A flaky test may itself be what is wrong; the reproduction of a bug may not.
        shown = self.cause.agreed.files if self.cause.agreed and self.route is Route.BUGFIX else ()
        return {DESIGN: (issue,), IMPL: (issue, cause, *shown)}
