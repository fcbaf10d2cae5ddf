"""The report of a run about one issue: `autopilot report`, and the summary of a CI job."""

from __future__ import annotations

from collections.abc import Iterator

from autopilot.events.issue.state import IssueState
from autopilot.events.state import PhaseState, RunState
from autopilot.model.human import OF_AN_ISSUE
from autopilot.model.issue.issue import DESIGN, IMPL
from autopilot.model.run import RunStatus
from autopilot.reports.evidence.unchecked import unchecked_in_phase
from autopilot.reports.inert import make_inert
from autopilot.reports.issue.evidence import (
    AUDIT_HEAD,
    COVERAGE_HEAD,
    EVIDENCE_HEAD,
    audit_rows,
    coverage_rows,
    debt_lines,
    evidence_rows,
    no_debts,
)
from autopilot.reports.issue.issue_ending import issue_ending
from autopilot.reports.issue.wording import finding_words, left_to_fix
from autopilot.reports.markdown import bullets, shorten, stamp, table
from autopilot.reports.run.completion import COST_HEAD, agents_of_run, cost_rows
from autopilot.reports.run.ways_on import next_lines
from autopilot.reports.status.brief import stop_words
from autopilot.reports.status.gates import find_waiting, resume_command

SEE_ABOVE = "See above."
GATES_HEAD = ("Gate", "Asked", "Answered", "By", "Answer")


def render_issue_report(state: RunState, issue: IssueState) -> str:
    phase = judged_phase(state, issue)
    lines = [line.strip() for line in issue_ending(state, issue, "", state.policy.agent_options)]
    parts = [
        f"# Issue {issue.brief.number}: {issue.brief.title}\n",
        bullets([f"Run: {state.run}, {state.status.value}, {_because(state)}", *lines]) + "\n",
        f"## Gates\n\n{table(GATES_HEAD, gate_rows(state))}",
        f"## Evidence\n\n{table(EVIDENCE_HEAD, evidence_rows(issue, phase))}",
        f"## Coverage\n\n{table(COVERAGE_HEAD, coverage_rows(issue))}",
        f"## Audit log\n\n{table(AUDIT_HEAD, audit_rows(issue))}",
        f"## Left to fix\n\n{bullets(map(finding_words, left_to_fix(state)), 'Nothing.')}\n",
        f"## Debts\n\n{bullets(debt_lines(phase), no_debts(phase))}\n",
        f"## Cost\n\n{table(COST_HEAD, cost_rows(state))}",
        f"## Agents\n\n{bullets(agents_of_run(state), 'No agent was asked.')}\n",
        f"## Not checked\n\n{bullets(unchecked_in_phase(state, phase))}\n",
        f"## Next\n\n{bullets(next_lines(state), SEE_ABOVE)}\n",
    ]
    return make_inert("\n".join(parts))


def render_issue_summary(state: RunState, issue: IssueState) -> str:
    phase = judged_phase(state, issue)
    lines = [line.strip() for line in issue_ending(state, issue, "", state.policy.agent_options)]
    parts = [
        f"## Autopilot: {state.status.value}\n",
        f"{shorten(_because(state), 300)}\n",
        bullets(lines) + "\n",
        table(EVIDENCE_HEAD, evidence_rows(issue, phase)),
        f"{bullets(next_lines(state), SEE_ABOVE)}\n",
        f"### Not checked\n\n{bullets(unchecked_in_phase(state, phase))}\n",
    ]
    return make_inert("\n".join(parts))


def _because(state: RunState) -> str:
    """Why it rests; once all it waited for is answered, that it can go on."""
    if state.status is RunStatus.WAITING and not find_waiting(state):
        return f"your answer is recorded; continue with: {resume_command(state)}"
    return stop_words(state) or "still running"


def judged_phase(state: RunState, issue: IssueState) -> PhaseState:
    """The one whose work is looked at: before there is any implementation, the design."""
    later = state.phases.get(IMPL)
    return later if later is not None and later.started_at and issue.steps_of(IMPL) else state.phase(DESIGN)


def gate_rows(state: RunState) -> Iterator[tuple[str, ...]]:
    for gate in state.people.gates.values():
        if gate.asked.kind in OF_AN_ISSUE:
            answer = gate.answered
            word = {True: "approved", False: "sent back", None: "answered"}[answer.approved] if answer else "open"
            texts = [*(answer.answers.values() if answer else ()), answer.comment if answer else ""]
            shown = f"{word} {'; '.join(filter(None, texts))}".strip()
            yield gate.asked.gate, stamp(gate.asked_at), stamp(gate.answered_at), answer.by if answer else "", shown
