"""What happens when something does not hold at once: another try, another cut, a person, or a stop."""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType

from autopilot.model.assessment import CannotVerify, JudgeFindings, MiniVerification
from autopilot.model.evidence.observation import Observation
from autopilot.model.evidence.verdict import Verdict
from autopilot.model.planning.plan import Task
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.result import Justification
from autopilot.model.ruling import Finding
from autopilot.model.run import Cap, PersonVerdict, PhaseBrief, Step


class Estimated(Struct, frozen=True):
    """What a phase will cost, by formula; shown beside what it did cost."""

    phase: PhaseId
    tokens: int
    phase_type: str
    simple: int = 0
    medium: int = 0
    complex: int = 0


class BaselineObserved(Struct, frozen=True):
    """The configured checks before the first task: what was red already is not the work's doing."""

    phase: PhaseId
    commit: str
    observations: tuple[Observation, ...]
    near: tuple[Observation, ...] = ()  # the checks of the packages that the phase works on, where there are others


class TaskAlreadyThere(Struct, frozen=True):
    """Everything the task promises holds without a commit of its own: at the base, or since an earlier task."""

    phase: PhaseId
    task: str
    unshown: bool = False  # nothing that was run says so: agents changed nothing, and nothing it promises is red
    made_by: str = ""  # the commit of an earlier task that turned all of it green; it was red at the base


class TaskRead(Struct, frozen=True):
    """A mini-verifier read one task's change. Without a usable reading ``problem`` says why."""

    phase: PhaseId
    task: str
    commit: str
    assessment: MiniVerification | None
    problem: str = ""


class HandedOver(Struct, frozen=True):
    """An agent had to stop in mid-work, out of context or limited: the rest of its task goes to another."""

    phase: PhaseId
    task: str
    reason: str
    counted: bool = True  # False when a provider's limit stopped it: nobody's attempt was spent


class JudgeFound(Struct, frozen=True):
    """The judge's own findings, before it saw the verifier's report."""

    phase: PhaseId
    commit: str
    findings: JudgeFindings


class IntegrityChecked(Struct, frozen=True):
    phase: PhaseId
    findings: tuple[Finding, ...]


class StepEnforced(Struct, frozen=True):
    """A report broke a rule of integrity: its step runs once more and gets the reason."""

    phase: PhaseId
    step: Step
    notice: str


class PhaseMended(Struct, frozen=True):
    """A debugger worked on the whole phase. Without a commit its work was not taken in, for ``refusal``."""

    phase: PhaseId
    attempt: int
    findings: tuple[str, ...]
    commit: str = ""
    files: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()  # as the debugger tells it: for reports and the next debugger, for no gate
    remaining: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    refusal: str = ""
    public: str = ""


class RemediationStarted(Struct, frozen=True):
    phase: PhaseId
    cycle: int
    score: float | None
    threshold: float
    tasks: tuple[Task, ...]
    by_person: bool = False  # the issues are those of a human verdict
    flag: str = ""  # quality or gaps: towards more than the threshold
    deficiency: str = ""  # of a gap iteration: the one it is about
    left: int = 0  # of a gap iteration: deficiencies not tried yet, after this one


class RemediationEnded(Struct, frozen=True):
    phase: PhaseId
    cycle: int
    old_score: float | None
    new_score: float | None
    threshold: float
    flag: str = ""
    deficiency: str = ""
    left: int = 0


class Replanned(Struct, frozen=True):
    """The work scored too low to build on: from research again, with what was wrong."""

    phase: PhaseId
    score: float | None
    issues: tuple[str, ...]


class MarkedIncomplete(Struct, frozen=True):
    """Remediation is exhausted: the phase counts, and is shown as incomplete everywhere."""

    phase: PhaseId
    score: float
    threshold: float
    cycles: int


class Exhausted(Struct, frozen=True):
    """`--quality` or `--gaps` did not get as far as it should. The phase counts as it stands; this is no failure."""

    phase: PhaseId
    flag: str
    score: float | None
    target: float
    cycles: int
    left: int = 0  # deficiencies not tried


class Withdrawn(Struct, frozen=True):
    """What a refinement did was reverted: it did not hold, or scored lower. The phase stays as it was before."""

    phase: PhaseId
    reason: str


class PhaseHeld(Struct, frozen=True):
    """It cannot go on, and not for its work: it waits on a branch of its own until the run is resumed."""

    phase: PhaseId
    reason: str


class PhaseDeferred(Struct, frozen=True):
    """Only a person can settle it. The work waits on a branch of its own, out of the run's line."""

    phase: PhaseId
    justification: Justification
    evidence: tuple[CannotVerify, ...]
    confidence: float
    branch: str


class ResolvedAlone(Struct, frozen=True):
    """A task that asks for a person was settled without one."""

    phase: PhaseId
    task: str
    confidence: float


class VerdictGiven(Struct, frozen=True):
    """A person looked at deferred work."""

    phase: PhaseId
    verdict: PersonVerdict
    issues: tuple[str, ...]
    by: str
    deferred: tuple[str, ...] = ()  # ideas for other phases: not to be fixed in this one


class SplitAgreed(Struct, frozen=True):
    """The phase is cut; each part has its own line and its own gates."""

    phase: PhaseId
    reason: str
    parts: tuple[PhaseBrief, ...]
    tasks: tuple[tuple[str, ...], ...]  # ids of each part's tasks


class ConflictFound(Struct, frozen=True):
    """A part does not fit onto what is there: by text, or because a check of the merged tree fails."""

    phase: PhaseId
    part: PhaseId
    commit: str  # the merged tree, conflict markers included
    paths: tuple[str, ...]
    because: str


class Resolved(Struct, frozen=True):
    """What a resolver made of a conflict; looked at before it counts."""

    phase: PhaseId
    part: PhaseId
    commit: str = ""
    refusal: str = ""


class Integrated(Struct, frozen=True):
    """A line became part of the run's line, and everything promised so far was seen to hold there."""

    phase: PhaseId
    part: PhaseId  # the phase itself when it had waited for a person
    commit: str
    observations: tuple[Observation, ...]
    verdicts: tuple[Verdict, ...]
    public: str = ""


class ScoresUniform(Struct, frozen=True):
    """Scores of several phases in a row are suspiciously alike."""

    phase: PhaseId
    tier: int
    count: int
    low: float
    high: float
    phases: tuple[PhaseId, ...]


class BreakerOpened(Struct, frozen=True):
    reason: str
    exit_status: int = 1
    cap: Cap | UnsetType = UNSET  # of a phase, where it was one


class BreakerClosed(Struct, frozen=True):
    reason: str


class DeferralAdjusted(Struct, frozen=True):
    """Verdicts of people moved the confidence from which a verifier is trusted alone."""

    old: float
    new: float
    reason: str
    verdicts: int = 0  # how many there were in all: the next adjustment uses those after them


class DeferRateHigh(Struct, frozen=True):
    """More phases than one in twenty were left to a person."""

    text: str


RecoveryRunEvent = BreakerOpened | BreakerClosed | DeferralAdjusted | DeferRateHigh
TaskRecovery = TaskAlreadyThere | TaskRead | HandedOver
ReviewEvent = Estimated | BaselineObserved | JudgeFound | IntegrityChecked | StepEnforced | ScoresUniform
RetryEvent = PhaseMended | RemediationStarted | RemediationEnded | Replanned | MarkedIncomplete | Exhausted | Withdrawn
PersonEvent = PhaseDeferred | ResolvedAlone | VerdictGiven
SplitEvent = SplitAgreed | ConflictFound | Resolved | Integrated
RecoveryEvent = TaskRecovery | ReviewEvent | RetryEvent | PersonEvent | SplitEvent | PhaseHeld
