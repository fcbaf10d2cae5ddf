"""A run as a whole, looked at when its phases are done: assessments, which may only lower."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from autopilot.model.evidence.observation import Observation

INTEGRATION = "INTEGRATION"  # stands for the wiring of the phases where a requirement's id would stand
NO_VERSION_FILE = "no version file"  # why most projects without a version keep none


class Audit(StrEnum):
    """What the auditor is asked, each in a step of its own; the step carries it as its task."""

    INTEGRATION = "integration"
    REQUIREMENTS = "requirements"
    VERSION = "version"


class WiringIssue(Struct, frozen=True):
    description: str
    file: str = ""
    suggested_fix: str = ""
    check: str = ""  # a command that fails while this is so


class IntegrationReport(Struct, frozen=True):
    """The auditor's first reply: do the phases fit together?"""

    passed: bool
    issues: tuple[WiringIssue, ...] = ()
    evidence: tuple[str, ...] = ()  # file:line, what was looked at


class RequirementAudit(Struct, frozen=True):
    requirement_id: str
    phase_id: str
    expected: str
    actual_found: str
    file_line_evidence: str
    status: str  # pass or gap; "not audited" where the auditor did not report on it, twice asked
    gap_description: str = ""
    fix_complexity: str = ""  # small or large
    suggested_fix: str = ""
    check: str = ""  # a command that fails while the gap is there and passes when it is closed


class AuditReport(Struct, frozen=True):
    """The auditor's second reply: every requirement of the completed phases, against what is really there."""

    results: tuple[RequirementAudit, ...]


class VersionAdvice(Struct, frozen=True):
    """What the project's own rules say about the next version."""

    part: str  # major, minor, patch, none, or exact
    rule: str  # the sentence of the file it rests on, word by word
    version: str = ""  # when exact
    why: str = ""


class Gap(Struct, frozen=True):
    """Something the audit found missing, with whatever shows it."""

    requirement: str
    phase: str
    description: str
    complexity: str = "large"
    suggested_fix: str = ""
    file: str = ""
    check: str = ""
    check_is_red: bool = False  # we ran it and saw it fail: then closing the gap has evidence
    seen: Observation | None = None  # of that check, at the commit that was audited
    not_shown: bool = False  # said to hold, and no place in the tree shows it: a second look, no work
