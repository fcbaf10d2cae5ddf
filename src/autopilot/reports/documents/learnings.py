"""learnings.md: what failures and people's verdicts taught, for those who plan and build next."""

from __future__ import annotations

from autopilot.events.state import PhaseState, RunState
from autopilot.model.run import PhaseStatus
from autopilot.reports.debugging.lessons import lesson_of
from autopilot.reports.documents.prevention import rule_of
from autopilot.reports.inert import make_inert
from autopilot.reports.markdown import stamp
from autopilot.reports.run.calibration import render_calibration

HEADER = "# Learnings (current run)"


def render_learnings(state: RunState) -> str:
    """ "" when there is nothing to learn from; an issue reports what it did not reach by its own findings."""
    if state.issue is not None:
        return ""
    # A session that ended without a fix taught nothing yet.
    phases = state.phases.values() if state.is_of_roadmap else ()
    now = (phase for phase in phases if phase.status is PhaseStatus.FAILED)
    # A second attempt begins with a clean slate, and learns from the first all the same.
    failed = {(phase.id, phase.totals.attempt): phase for phase in (*state.lessons.failures, *now)}.values()
    taught = (*state.inputs.calibration, *(render_calibration(phase) for phase in state.lessons.judged))
    others = (run for run in state.inputs.other_runs if run.learnings)
    brought = (f"## From {run.run}, of another program\n\n{run.learnings}" for run in others)
    own = [lesson] if state.debugging and (lesson := lesson_of(state.debugging)) else []
    entries = [*brought, *(_failure(state, phase) for phase in failed), *(entry.strip() for entry in taught), *own]
    return make_inert("\n\n".join([HEADER, *entries]) + "\n") if entries else ""


def _failure(state: RunState, phase: PhaseState) -> str:
    category = phase.ending.failure_category or "unclassified"
    name = " ".join(phase.brief.name.split())
    return (
        f"### Phase {phase.id} failure -- {category}\n"
        f"**Prevention rule:** {rule_of(state, phase)}\n"
        f"**Context:** Phase {phase.id} ({name}) failed with category `{category}`. "
        f"Recorded: {stamp(phase.ending.completed_at)}."
    )
