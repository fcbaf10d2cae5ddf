"""What a run does when its phases are done: audit the whole, fix what is missing, set a version."""

from __future__ import annotations

from msgspec import Struct

from autopilot.model.audit import Gap, IntegrationReport, RequirementAudit, VersionAdvice
from autopilot.model.evidence.observation import Observation
from autopilot.model.planning.plan import Task
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import PhaseBrief


class ClosingBegun(Struct, frozen=True):
    """A phase that is in no roadmap: the audit, a round of fixes, or the version.

    Fixes come with their tasks and go through execution, review, gate and landing as any phase.
    """

    brief: PhaseBrief
    base: str
    tasks: tuple[Task, ...] = ()
    red: tuple[Observation, ...] = ()  # what the audit saw fail there, by the criterion that is to turn green


class IntegrationChecked(Struct, frozen=True):
    phase: PhaseId  # of the audit
    report: IntegrationReport
    gaps: tuple[Gap, ...] = ()  # what has to be fixed before a version is set


class AuditStarted(Struct, frozen=True):
    phase: PhaseId
    phases: tuple[PhaseId, ...]
    spec: str


class Audited(Struct, frozen=True):
    """One pass of the self-audit; the first covers everything, the others what was missing."""

    phase: PhaseId
    cycle: int  # 0, then 1 and 2
    results: tuple[RequirementAudit, ...]
    gaps: tuple[Gap, ...]
    closed: tuple[str, ...] = ()  # requirement ids that were missing before this pass


class AuditEnded(Struct, frozen=True):
    phase: PhaseId
    checked: int
    passed: int
    found: int
    fixed: int
    remaining: tuple[Gap, ...]
    cycles: int  # passes after the first
    unaudited: tuple[str, ...] = ()  # requirements of which the auditor said nothing
    problem: str = ""  # why it came to no end of its own


class VersionAdvised(Struct, frozen=True):
    """What the auditor makes of the project's own rules. Without a usable word ``problem`` says why."""

    phase: PhaseId  # of the version
    advice: VersionAdvice | None
    problem: str = ""


class VersionBumped(Struct, frozen=True):
    """Version files changed in one commit on which every configured check passed."""

    phase: PhaseId
    commit: str
    old: str
    new: str
    files: tuple[str, ...]
    because: str
    observations: tuple[Observation, ...] = ()
    public: str = ""


class VersionKept(Struct, frozen=True):
    """No new version, and why."""

    phase: PhaseId
    because: str


ClosingRunEvent = ClosingBegun
ClosingEvent = IntegrationChecked | AuditStarted | Audited | AuditEnded | VersionAdvised | VersionBumped | VersionKept
