"""What an auditor's report is worth: a pass needs a place that really exists, a gap needs none."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from autopilot.model.audit import INTEGRATION, Gap, IntegrationReport, RequirementAudit
from autopilot.model.evidence.place import FILE_LINE, possible_places

Lines = Callable[[str], int]  # of a file of the tree; 0 when it is not there
PASS, GAP, NOT_AUDITED = "pass", "gap", "not audited"
OURS = (".planning/", ".autopilot/", ".git/")
NOT_SHOWN = "not shown: the auditor reports a pass, and no file and line of the tree shows it"


def is_shown(evidence: str, lines: Lines) -> bool:
    """Whether it names a place of the product that exists. Plans and reports show nothing of what was built."""
    return any(
        not path.startswith(OURS) and 1 <= line <= lines(path) for path, line in possible_places(evidence) if path
    )


def refuse_result(result: RequirementAudit | None, lines: Lines) -> str:
    """Why the auditor has to report on one requirement again, "" when its result can be used."""
    if result is None:
        return "your report does not mention it"
    if result.status not in (PASS, GAP):
        return f"{result.status!r} is not a valid status: use pass or gap"
    if result.status == GAP and not (result.gap_description.strip() or result.actual_found.strip()):
        return "gap_description is empty: say what is missing"
    if result.status == PASS and not is_shown(result.file_line_evidence, lines):
        named = result.file_line_evidence.strip()[:100] or "none is named"
        return f"file_line_evidence names no place that exists: {named}"
    return ""


def refuse_integration(report: IntegrationReport, lines: Lines) -> str:
    if report.issues:
        return (
            ""
            if all(issue.description.strip() for issue in report.issues)
            else "an issue has no description: say what does not fit"
        )
    if not report.passed:
        return "passed is false, and no issue says where the phases do not fit together"
    return (
        ""
        if is_shown(" ; ".join(report.evidence), lines)
        else "evidence names no file and line that exists: list what you examined"
    )


def gap_of(result: RequirementAudit, phase: str) -> Gap:
    found = FILE_LINE.search(result.file_line_evidence)
    return Gap(
        requirement=result.requirement_id,
        phase=phase,
        description=result.gap_description.strip() or result.actual_found.strip(),
        complexity="small" if result.fix_complexity.strip().lower() == "small" else "large",
        suggested_fix=result.suggested_fix.strip(),
        file=_plain(found[0].rpartition(":")[0]) if found else "",
        check=result.check.strip(),
    )


def unshown(requirement: str, phase: str, because: str = NOT_SHOWN) -> Gap:
    return Gap(requirement, phase, because, not_shown=True)


def wiring_gaps(report: IntegrationReport) -> tuple[Gap, ...]:
    """Each issue is a gap of its own, and a large one: whatever joins phases concerns more than one place."""
    return tuple(
        Gap(
            requirement=INTEGRATION if n == 1 else f"{INTEGRATION}-{n}",
            phase="",
            description=issue.description.strip(),
            suggested_fix=issue.suggested_fix.strip(),
            file=_plain(issue.file.strip().partition(":")[0]),
            check=issue.check.strip(),
        )
        for n, issue in enumerate(report.issues, 1)
    )


def by_name(results: Iterable[RequirementAudit], names: Iterable[str]) -> dict[str, RequirementAudit]:
    """Of several results for one requirement the gravest counts; a requirement that was not asked about is left out."""
    known = {name.casefold(): name for name in names}
    found: dict[str, RequirementAudit] = {}
    for result in results:
        name = known.get(result.requirement_id.strip().casefold())
        if name is not None and (name not in found or result.status == GAP):
            found[name] = result
    return found


def _plain(path: str) -> str:
    return path.removeprefix("./")
