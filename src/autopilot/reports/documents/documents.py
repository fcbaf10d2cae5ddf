"""The documents of a phase, rendered from the record so that they cannot contradict it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from autopilot.events.state import PhaseState, RunState
from autopilot.model.secrecy.terminal import strip_controls
from autopilot.model.step import Step
from autopilot.reports.documents.context_md import NAME as CONTEXT
from autopilot.reports.documents.execution_log import render_execution_log
from autopilot.reports.documents.handoff import render_handoff
from autopilot.reports.documents.judge_report import render_judge_report
from autopilot.reports.documents.scorecard import render_scorecard
from autopilot.reports.documents.summary import render_summary
from autopilot.reports.documents.tasks import parts_of
from autopilot.reports.documents.triage import render_triage
from autopilot.reports.documents.verification import render_verification
from autopilot.reports.inert import make_inert
from autopilot.reports.visual.bugs import render_visual_bugs

# What a phase or a part has only when it came that far.
SOMETIMES = ("VERIFICATION.md", "EXECUTION-LOG.md", "HANDOFF.md", "JUDGE-REPORT.md", "SCORECARD.md", "VISUAL-BUGS.md")
TRACE = "TRACE.jsonl"


def step_trace(step: Step) -> str:
    """The spans of one step: ``execute-trace.jsonl``."""
    return f"{step.value}-trace.jsonl"


# The only list of our reports: whoever hides, replaces or links them asks here.
REPORTS = (*SOMETIMES, "SUMMARY.md", "TRIAGE.json", TRACE, *(step_trace(step) for step in Step if step.role))
# Alone, or of a part: "20a-VERIFICATION.md". What other tools number ("03-01-SUMMARY.md") is not ours.
_REPORT = re.compile(rf"(?:[0-9]+(?:\.[0-9]+)*[a-z]-)?(?:{'|'.join(map(re.escape, REPORTS))})")


def is_report(name: str) -> bool:
    """Whether a file in a phase's folder is called as one of our own reports."""
    return _REPORT.fullmatch(name) is not None


def is_hidden_from_reviewers(name: str) -> bool:
    """What others said of the work, and what its reader would judge by instead of by the spec."""
    return is_report(name) or name == CONTEXT


def phase_documents(state: RunState, phase: PhaseState) -> Mapping[str, str]:
    """File name to text, for everything this phase has to show; a part's are named after it: 20a-VERIFICATION.md."""
    writers = document_writers(state, phase)
    return {
        name: make_inert(write()) if name.endswith(".md") else strip_controls(write())
        for name, write in writers.items()
    }


def document_writers(state: RunState, phase: PhaseState) -> Mapping[str, Callable[[], str]]:
    """By file name what writes it: who only lists them renders none."""
    writers: dict[str, Callable[[], str]] = {"TRIAGE.json": lambda: render_triage(phase)}
    writers |= _work_and_reviews(state, phase)
    for part in parts_of(state, phase):
        writers |= {f"{part.id}-{name}": write for name, write in _work_and_reviews(state, part).items()}
    writers["SUMMARY.md"] = lambda: render_summary(state, phase)
    return writers


def _work_and_reviews(state: RunState, phase: PhaseState) -> dict[str, Callable[[], str]]:
    judgement, rating, visual = phase.reviews.judgement, phase.reviews.rating, phase.observed.visual
    writers: dict[str, Callable[[], str]] = {"VERIFICATION.md": lambda: render_verification(state, phase)}
    if phase.tasks:
        writers["EXECUTION-LOG.md"] = lambda: render_execution_log(state, phase)
    if any(task.handovers for task in phase.tasks.values()):
        writers["HANDOFF.md"] = lambda: render_handoff(state, phase)
    if judgement is not None:
        writers["JUDGE-REPORT.md"] = lambda: render_judge_report(phase, judgement)
    if rating is not None:
        writers["SCORECARD.md"] = lambda: render_scorecard(phase, rating)
    if visual is not None:
        writers["VISUAL-BUGS.md"] = lambda: render_visual_bugs(state, phase, visual)
    return writers
