"""An issue in the HTML report: its gates, what it rests on, and what is left."""

from __future__ import annotations

from collections.abc import Iterator

from autopilot.events.issue.state import IssueState
from autopilot.events.state import RunState
from autopilot.reports.evidence.unchecked import unchecked_in_phase
from autopilot.reports.html.markup import Markup, el
from autopilot.reports.html.pieces import bullet_list, figure, section, table_of, with_code
from autopilot.reports.issue.evidence import (
    AUDIT_HEAD,
    COVERAGE_HEAD,
    EVIDENCE_HEAD,
    audit_rows,
    coverage_rows,
    debt_lines,
    evidence_rows,
    judged_of,
    no_debts,
)
from autopilot.reports.issue.issue_ending import issue_ending
from autopilot.reports.issue.report import GATES_HEAD, gate_rows, judged_phase
from autopilot.reports.issue.wording import finding_words, left_to_fix, outcome_of, position

ISSUE_SECTIONS = {
    "issue": "Issue",
    "gates": "Gates",
    "evidence": "Evidence",
    "audit": "Audit log",
    "left": "Left to fix",
    "unchecked": "Not checked",
    "timeline": "Timeline",
    "cost": "Cost",
}


def issue_figures(state: RunState, issue: IssueState) -> list[Markup]:
    judged = judged_of(issue)
    terms = (judged.state.red_observed, judged.state.at_green, judged.state.coverage_ok) if judged else ()
    return [
        figure(f"#{issue.brief.number}", issue.brief.title),
        figure(outcome_of(issue) or str(position(state)[0]), "outcome" if outcome_of(issue) else "phase"),
        figure(f"{sum(terms)}/3", "red, green, covered"),
        figure(str(len(issue.audit.rows)), "iterations recorded"),
    ]


def issue_sections(state: RunState, issue: IssueState) -> Iterator[Markup]:
    phase, titles = judged_phase(state, issue), ISSUE_SECTIONS
    lines = (with_code(line.strip()) for line in issue_ending(state, issue, "", state.policy.agent_options))
    yield section("issue", titles["issue"], bullet_list(lines))
    yield section("gates", titles["gates"], table_of(GATES_HEAD, gate_rows(state), wide=(4,)))
    rows = [(name, with_code(seen)) for name, seen in evidence_rows(issue, phase)]
    covered = table_of(COVERAGE_HEAD, coverage_rows(issue), wide=(2,))
    yield section(
        "evidence", titles["evidence"], table_of(EVIDENCE_HEAD, rows, wide=(1,)), el("h3", "Coverage"), covered
    )
    yield section("audit", titles["audit"], table_of(AUDIT_HEAD, audit_rows(issue), numbers=(1,)))
    left = bullet_list(map(finding_words, left_to_fix(state)), "Nothing.")
    debts = bullet_list(map(with_code, debt_lines(phase)), no_debts(phase))
    yield section("left", titles["left"], left, el("h3", "Debts"), debts)
    yield section("unchecked", titles["unchecked"], bullet_list(unchecked_in_phase(state, phase)))
