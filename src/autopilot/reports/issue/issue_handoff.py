"""The hand-off of an issue: what changed, what it rests on, what is left, and the command that is yours to give."""

from __future__ import annotations

from collections.abc import Iterator

from autopilot.events.issue.state import IssueState
from autopilot.events.state import PhaseState, RunState
from autopilot.model.evidence.objection import Weight
from autopilot.model.issue.hunk import Handing
from autopilot.reports.evidence.unchecked import unchecked_in_phase
from autopilot.reports.inert import make_inert
from autopilot.reports.issue.diff_blocks import render_hunks, stat_lines
from autopilot.reports.issue.evidence import (
    AUDIT_HEAD,
    COVERAGE_HEAD,
    EVIDENCE_HEAD,
    audit_rows,
    coverage_rows,
    debt_lines,
    evidence_rows,
)
from autopilot.reports.issue.wording import merge_command
from autopilot.reports.markdown import bullets, fenced, one_line, table

NOT_MERGED = "Autopilot merged nothing. Review the branch, then run this command to merge it."
NO_KEYS = "Only the issue's own documents differ."


def render_hand_off(issue: IssueState, state: RunState, phase: PhaseState, handing: Handing) -> str:
    """``phase``: the one whose work was judged last."""
    number, title = issue.brief.number, issue.brief.title
    merge = fenced(merge_command(handing.branch, handing.url), "sh")
    stat = fenced("\n".join(stat_lines(handing.paths, handing.hunks, handing.summary)))
    parts = [
        f"# Hand-off of issue {number}: {one_line(title)}\n",
        _where(issue, handing),
        *([f"{bullets(map(one_line, handing.warnings))}\n"] if handing.warnings else []),
        *_flags(phase),
        f"## To merge\n\n{NOT_MERGED}\n\n{merge}",
        f"## Changes\n\n{stat}",
        _key_hunks(handing),
        f"## Evidence\n\n{table(EVIDENCE_HEAD, evidence_rows(issue, phase))}",
        *_coverage(issue),
        f"## Audit log\n\n{table(AUDIT_HEAD, audit_rows(issue))}",
        f"## Debts\n\n{bullets(debt_lines(phase), 'Nothing that was red before the work is still red.')}\n",
        f"## Not checked\n\n{bullets(unchecked_in_phase(state, phase))}\n",
    ]
    return make_inert("\n".join(parts))


def _where(issue: IssueState, handing: Handing) -> str:
    route = issue.route.value if issue.route else "full"
    draft = f"; draft: {handing.url}" if handing.url else ""
    return (
        one_line(f"CONVERGED on the {route} route. Branch `{handing.branch}` at `{handing.commit[:12]}`{draft}.") + "\n"
    )


def _flags(phase: PhaseState) -> Iterator[str]:
    """What refuses nothing, but should be checked by the person who merges."""
    if flags := [
        one_line(str(objection)) for objection in phase.observed.objections if objection.weight is Weight.FLAG
    ]:
        yield f"## Check these points\n\n{bullets(flags)}\n"


def _key_hunks(handing: Handing) -> str:
    shown = render_hunks(handing.key_hunks) or NO_KEYS + "\n"
    return f"## Key hunks\n\n{shown}"


def _coverage(issue: IssueState) -> Iterator[str]:
    if rows := list(coverage_rows(issue)):
        yield f"## Coverage\n\n{table(COVERAGE_HEAD, rows)}"
