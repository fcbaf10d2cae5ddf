"""A phase in one row: how it stands, its score and evidence, its name, how long it took."""

from __future__ import annotations

from datetime import datetime

from autopilot.events.state import PhaseState, RunState
from autopilot.model.run import PhaseStatus
from autopilot.reports.evidence.promised import is_judged, ratio
from autopilot.reports.live.columns import pad_to_width, shorten_to_width, width_of
from autopilot.reports.live.footer import step_words
from autopilot.reports.live.row import Row, Tone
from autopilot.reports.markdown import seconds
from autopilot.reports.status.gates import verdict_words
from autopilot.reports.status.scores import in_words, score_of
from autopilot.reports.status.status_text import render_time

MARKS = {
    PhaseStatus.COMPLETED: ("✓", Tone.GOOD),
    PhaseStatus.FAILED: ("✗", Tone.BAD),
    PhaseStatus.NEEDS_HUMAN_VERIFICATION: ("!", Tone.WARN),
    PhaseStatus.SKIPPED: ("-", Tone.DIM),
    PhaseStatus.NOT_STARTED: ("·", Tone.DIM),
}
WORDS = {PhaseStatus.NEEDS_HUMAN_VERIFICATION: "waits for you", PhaseStatus.NOT_STARTED: "not started"}
NAME_WIDTH, ID_WIDTH = 28, 5
NARROW = 60  # columns, below which a name takes less


def phase_row(state: RunState, phase: PhaseState, now: datetime, columns: int) -> Row:
    """Of columns that differ from row to row by their text alone; how it stands comes last, where it may be cut."""
    mark, tone = MARKS.get(phase.status, ("▸", Tone.HEAD))
    width = NAME_WIDTH if columns >= NARROW else NAME_WIDTH // 2
    name = pad_to_width(phase.brief.name, max(width, columns // 3))
    indent = "  " if phase.parent else ""
    number = pad_to_width(f"{indent}{phase.id}", max(ID_WIDTH, width_of(f"{indent}{phase.id}")))
    return Row(shorten_to_width(f"{mark} {number} {name}  {stands(state, phase, now)}", columns), tone)


def stands(state: RunState, phase: PhaseState, now: datetime) -> str:
    match phase.status:
        case PhaseStatus.COMPLETED:
            took = render_time(seconds(phase.started_at, phase.ending.completed_at))
            proven = f", {ratio(phase)} proven" if is_judged(phase) else ""
            return f"{in_words(score_of(state, phase))}{proven}, {took}"
        case PhaseStatus.FAILED:
            return f"failed in {phase.ending.failure_step}" if phase.ending.failure_step else "failed"
        case PhaseStatus.NEEDS_HUMAN_VERIFICATION if phase.deferral is not None and phase.is_answered:
            return verdict_words(phase.deferral)
        case PhaseStatus.IN_PROGRESS:
            return step_words(phase, now) if not state.halted else "in progress"
        case status:
            return WORDS.get(status, status.value.replace("_", " "))
