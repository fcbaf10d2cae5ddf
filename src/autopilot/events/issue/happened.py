"""What happens on the way of one issue: approvals, pins, iterations, halts, the hand-off."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from autopilot.model.evidence.objection import Objection
from autopilot.model.evidence.observation import Observation
from autopilot.model.issue.issue import (
    AuditRow,
    Cause,
    Decision,
    HaltReason,
    IssueBrief,
    IssueOptions,
    Link,
    OracleState,
    Rate,
    RedRow,
    Route,
    SeedFinding,
)
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.stored_text import StoredText


class IssueOpened(Struct, frozen=True):
    """With the run: which issue it is about, and what was recommended for it."""

    brief: IssueBrief
    options: IssueOptions = field(name="wishes")  # journals say wishes
    recommended: Route | None = None
    reasons: tuple[str, ...] = ()
    approved: str = ""  # why its prd.md counts as approved already; "" when somebody has to be asked
    has_prd: bool = False
    asked: int = 0  # the highest number of a gate in earlier runs about it: no name stands for two things


class IssueReentered(Struct, frozen=True):
    """With a resume: what the user asks for now, and what stands in the checkout of what was approved."""

    options: IssueOptions = field(name="wishes")  # journals say wishes
    findings: tuple[SeedFinding, ...] = ()
    anchors: Mapping[str, str] = {}  # path -> fingerprint, of anchors the checkout holds


class RouteTaken(Struct, frozen=True):
    route: Route
    by: str


class RequirementsApproved(Struct, frozen=True):
    by: str


class DesignApproved(Struct, frozen=True):
    """The middle gate: the design, or the cause of a bug or of a flaky test."""

    by: str
    cause: Cause | None = None  # as agreed


class SentBack(Struct, frozen=True):
    """A gate was not passed: every point is a finding, and the whole set is made again."""

    phase: PhaseId
    gate: str
    findings: tuple[SeedFinding, ...]


class Defined(Struct, frozen=True):
    """An agent drafted prd.md; a person has to approve it."""

    phase: PhaseId
    commit: str
    questions: tuple[str, ...] = ()  # what only a person can decide, in one batch
    points: tuple[Decision, ...] = ()
    branch: str = ""  # where it can be read


class AnchorPinned(Struct, frozen=True):
    """What was approved is frozen, or was found as it was frozen."""

    phase: PhaseId
    pin: str  # name of the file beside the anchor
    files: tuple[str, ...]
    sha256: str
    commit: str
    lines: int  # of the audit log when the phase began: the baseline
    verified: bool = False  # the pin was there and holds
    log_head: str = ""


class WorkTaken(Struct, frozen=True):
    """One iteration's work of an agent: taken as commits of ours, or refused."""

    phase: PhaseId
    step: str
    iteration: int
    commit: str = ""  # "" when nothing was taken
    red_commit: str = ""  # its tests on the baseline, an ancestor of ``commit``
    files: tuple[str, ...] = ()
    refusal: str = ""
    drift: tuple[str, ...] = ()  # approved anchors or pins it changed
    tampered: tuple[str, ...] = ()  # records of ours it changed
    decisions: tuple[Decision, ...] = ()
    cause: Cause | None = None
    dropped: tuple[str, ...] = ()  # what of it was left out: it is as it was before


class OracleJudged(Struct, frozen=True):
    phase: PhaseId
    step: str
    iteration: int
    commit: str
    state: OracleState
    findings: tuple[SeedFinding, ...] = ()
    observations: tuple[Observation, ...] = ()
    probes: tuple[Observation, ...] = ()
    objections: tuple[Objection, ...] = ()
    links: tuple[Link, ...] = ()
    red: RedRow | None = None
    red_seen: Observation | None = None  # the tests on the baseline; the same tests are not run there twice
    # Red is missing only because the tests cannot be loaded there: their author can change that. Journals say mendable.
    fixable: bool = field(default=False, name="mendable")
    rate: Rate | None = None  # of a flaky test, after


class RateMeasured(Struct, frozen=True):
    """How often the test failed before anybody touched it."""

    phase: PhaseId
    rate: Rate


class IterationRecorded(Struct, frozen=True):
    """The row is in the audit log, committed, before anything is decided."""

    phase: PhaseId
    step: str
    row: AuditRow
    commit: str
    lines: int
    log_head: str
    drift: str = ""  # what differs of the approved anchor, "" when it stands
    broken: str = ""  # what is wrong with the audit log, "" when it holds exactly our rows


class ConvergenceHalted(Struct, frozen=True):
    """COMPLETED_WITH_DEBT. ``commit`` holds the halt row; "" for reasons that leave none."""

    phase: PhaseId
    step: str
    reason: HaltReason
    findings: tuple[SeedFinding, ...] = ()
    commit: str = ""
    lines: int = 0
    log_head: str = ""
    detail: str = ""
    branch: str = ""


class Converged(Struct, frozen=True):
    phase: PhaseId
    steps: tuple[str, ...]
    commit: str


class Presented(Struct, frozen=True):
    """The work branch is where the user can read it, with the message that goes with it."""

    phase: PhaseId
    number: int  # the n-th time at this gate
    branch: str
    commit: str
    body: StoredText  # the message
    url: str = ""


class HandedOff(Struct, frozen=True):
    """Near green, in the user's hands: merging is theirs."""

    phase: PhaseId
    branch: str
    commit: str
    body: StoredText  # the message
    url: str = ""
    labelled: bool = False  # merge-ready, in hand-off mode alone


IssueRunEvent = IssueOpened | IssueReentered | RouteTaken | RequirementsApproved | DesignApproved
IssueEvent = (
    SentBack
    | Defined
    | AnchorPinned
    | WorkTaken
    | OracleJudged
    | RateMeasured
    | IterationRecorded
    | ConvergenceHalted
    | Converged
    | Presented
    | HandedOff
)
