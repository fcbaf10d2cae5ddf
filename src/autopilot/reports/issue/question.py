"""A gate of an issue as the record alone can tell it; the whole message of a middle gate lies beside it."""

from __future__ import annotations

from collections.abc import Iterator

from autopilot.events.issue.state import IssueState
from autopilot.events.state import RunState
from autopilot.events.talk import HumanGate
from autopilot.model.human import GateKind
from autopilot.model.issue.issue import DESIGN, PRD
from autopilot.model.run import Step
from autopilot.reports.issue.answer import answer_lines
from autopilot.reports.issue.wording import decision_words
from autopilot.reports.markdown import one_line
from autopilot.reports.status.files import presentation_path


def render_issue_gate(gate: HumanGate, state: RunState) -> str:
    """What it is about, where to read it, what only you can say, and how to say it."""
    asked, issue = gate.asked, state.issue
    assert issue is not None, "only the run of an issue asks this"
    questions = tuple(question.id for question in asked.questions)
    how = (f"  {line}" for line in answer_lines(asked.gate, asked.kind, questions, issue.advice.recommended))
    lines = [asked.title, *(f"  {line}" for line in gate_facts(gate, state, issue)), "", *how]
    return "\n".join(map(one_line, lines)) + "\n"


def gate_facts(gate: HumanGate, state: RunState, issue: IssueState) -> Iterator[str]:
    match gate.asked.kind:
        case GateKind.REQUIREMENTS:
            path = issue.brief.path(PRD)
            drafted = state.phase(DESIGN).step(Step.DEFINE) is not None
            yield f"to read: `git show {issue.branch}:{path}`" if drafted else f"to read: {path}"
            source = "assumed by the agent" if drafted else "decided in the text"
            yield from (f"{source}: {decision_words(point)}" for point in issue.requirements.points)
            yield from (f"{question.id}  {question.text}" for question in gate.asked.questions)
        case GateKind.DESIGN | GateKind.CAUSE if issue.presentation.last is not None:
            shown = issue.presentation.last
            draft = f", {shown.url}" if shown.url else ""
            yield f"to read: {presentation_path(issue.brief.number, shown.number)}"
            yield f"the work: branch {shown.branch} at {shown.commit[:12]}{draft}"
            if gate.asked.kind is GateKind.CAUSE:
                yield from (f"{question.id}  {question.text}" for question in gate.asked.questions)
        case _:
            yield from (f"{question.id}  {question.text}" for question in gate.asked.questions)
