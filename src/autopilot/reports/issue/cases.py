"""An issue as cases of a test report: what CI systems show as passed, failed or not looked at."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from autopilot.events.issue.state import IssueState
from autopilot.events.state import RunState
from autopilot.reports.evidence.unchecked import unchecked_in_phase
from autopilot.reports.issue.evidence import judged_of
from autopilot.reports.issue.report import judged_phase
from autopilot.reports.issue.wording import finding_words, outcome_of
from autopilot.reports.status.gates import find_waiting

TERMS = {
    "red_observed": "the acceptance tests were red before the implementation",
    "at_green": "the acceptance tests are green, and nothing else broke",
    "coverage_ok": "every acceptance criterion is covered by a test that ran",
}


class Case(Struct, frozen=True):
    name: str
    outcome: str = ""  # "" passed, else failure or skipped
    message: str = ""
    kind: str = ""


def issue_home(issue: IssueState) -> str:
    return f"issue {issue.brief.number}: {issue.brief.title}"


def issue_facts(state: RunState, issue: IssueState) -> dict[str, str]:
    not_checked = "; ".join(unchecked_in_phase(state, judged_phase(state, issue)))
    return {"status": outcome_of(issue) or state.status.value, "not checked": not_checked}


def issue_cases(state: RunState, issue: IssueState) -> Iterator[Case]:
    yield _whole(state, issue)
    judged = judged_of(issue)
    for term, name in TERMS.items():
        if judged is None:
            yield Case(name, "skipped", "not checked yet")
        elif getattr(judged.state, term):
            yield Case(name)
        else:
            yield Case(name, "failure", "; ".join(map(finding_words, judged.findings)), term)
    for link in judged.links if judged else ():
        name = f"{link.acceptance_test} covers {', '.join(link.covers) or 'no criterion'}"
        yield Case(name, "failure", link.problem, "coverage") if link.problem else Case(name)


def _whole(state: RunState, issue: IssueState) -> Case:
    name = "the issue is handed off"
    if (halted := issue.ending.halted) is not None:
        return Case(name, "failure", f"{halted.reason.value}: {halted.detail}", outcome_of(issue))
    if issue.ending.handed_off is not None:
        return Case(name)
    commands = "; ".join(waiting.command for waiting in find_waiting(state))
    return Case(name, "skipped", commands or state.session.stop_reason or "in progress")
