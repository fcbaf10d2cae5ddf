"""What the audit of a whole run found and what came of it, in figures and in Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from autopilot.events.pieces import TaskState
from autopilot.events.state import PhaseState, RunState
from autopilot.model.audit import Gap
from autopilot.model.evidence.verdict import Outcome
from autopilot.reports.markdown import bullets, table

GAP_HEAD = ("Requirement", "Phase", "Gap", "Fixed")


def audit_summary(state: RunState) -> dict[str, Any] | None:
    """In the shape of 003 §9; None where no requirement was audited."""
    audit = state.completion.audit
    if not audit.started and audit.ended is None:
        return None
    ended = audit.ended
    remaining = ended.remaining if ended else audit.gaps
    return {
        "total_requirements_checked": ended.checked if ended else len(audit.results),
        "passed_on_first_check": ended.passed if ended else sum(r.status == "pass" for r in audit.results),
        "gaps_found": ended.found if ended else len(audit.first_gaps),
        "gaps_fixed": ended.fixed if ended else len(audit.fixed),
        "gaps_remaining": len(remaining),
        "remaining_gap_details": [
            {"requirement_id": gap.requirement, "description": gap.description} for gap in remaining
        ],
        "audit_cycles": ended.cycles if ended else max(0, audit.passes - 1),
        "fix_commits": fix_commits(state),
    }


def integration_words(state: RunState) -> str:
    report = state.completion.audit.integration
    if report is None:
        return "not checked"
    return "passed" if report.passed else f"failed: {'; '.join(issue.description for issue in report.issues)}"


def version_words(state: RunState) -> str:
    release = state.completion.release
    if release is None:
        off = "disabled for this run" if not state.policy.version_bump else "the run stopped before this step"
        return f"unchanged: {off}"
    if not release.new:
        return f"unchanged: {release.because}"
    return f"{release.old} -> {release.new} ({', '.join(release.files)}; {release.because})"


def audit_section(state: RunState) -> str:
    """The body of "Self-Audit Results"."""
    summary = audit_summary(state)
    if summary is None:
        off = "It was disabled for this run." if not state.policy.self_audit else "The run stopped before the audit."
        return f"No requirement was audited. {off}\n"
    commits = ", ".join(commit[:12] for commit in summary["fix_commits"]) or "none"
    lines = [
        f"Total requirements checked: {summary['total_requirements_checked']}",
        f"Requirements passed on first check: {summary['passed_on_first_check']}",
        f"Gaps found: {summary['gaps_found']}",
        f"Gaps fixed: {summary['gaps_fixed']} (commits: {commits})",
        f"Gaps remaining: {summary['gaps_remaining']}",
        f"Audit cycles: {summary['audit_cycles']}",
    ]
    lines += audit_limits(state)
    rows = [(gap.requirement, gap.phase, gap.description, fixed_words(state, gap)) for gap in all_gaps(state)]
    return f"{bullets(lines)}\n" + (f"\n{table(GAP_HEAD, rows)}" if rows else "")


def audit_limits(state: RunState) -> list[str]:
    """What the audit itself did not get to."""
    ended = state.completion.audit.ended
    if ended is None:
        return []
    lines = [f"Not audited: {', '.join(ended.unaudited)}"] if ended.unaudited else []
    return lines + ([f"The self-audit did not finish: {ended.problem}"] if ended.problem else [])


def all_gaps(state: RunState) -> tuple[Gap, ...]:
    """Each once: what the first look found, and what a later one found besides."""
    later = state.completion.audit.ended.remaining if state.completion.audit.ended else state.completion.audit.gaps
    return tuple({(gap.requirement, gap.phase): gap for gap in (*later, *state.completion.audit.first_gaps)}.values())


def is_open(state: RunState, gap: Gap) -> bool:
    remaining = state.completion.audit.ended.remaining if state.completion.audit.ended else state.completion.audit.gaps
    return any((other.requirement, other.phase) == (gap.requirement, gap.phase) for other in remaining)


def fixed_words(state: RunState, gap: Gap) -> str:
    if is_open(state, gap):
        return "no"
    commit = fix_commit_of(state, gap.requirement)
    # Without a check that was seen red, that it is closed rests on the auditor's word.
    return (commit[:12] if commit else "yes") + ("" if gap.check_is_red else " (claim only)")


def fix_commits(state: RunState) -> list[str]:
    return list(dict.fromkeys(commit for _, commit in _fixes(state)))


def fix_commit_of(state: RunState, requirement: str) -> str:
    """Of the task that names the requirement; "" where none does."""
    named = [commit for task, commit in _fixes(state) if requirement in f"{task.task.title}\n{task.task.action}"]
    return named[-1] if named else ""


def _fixes(state: RunState) -> Iterator[tuple[TaskState, str]]:
    for phase in state.completion.closing.values():
        if _counts(phase):
            yield from ((task, task.commit) for task in phase.tasks.values() if task.commit)


def _counts(phase: PhaseState) -> bool:
    """What a round of fixes gave back fixed nothing."""
    return phase.ruling.outcome is Outcome.PASS or not phase.settled
