"""Where the files of a run stand in the user's checkout: all in one folder that ignores itself."""

from __future__ import annotations

from datetime import datetime

from autopilot.model.planning.roadmap import PhaseId

STATE = ".autopilot/state.json"
LEARNINGS = ".autopilot/learnings.md"
DIAGNOSTICS = ".autopilot/diagnostics"
CONTEXT_MAP = ".autopilot/context-map.json"
DISCUSSIONS = ".autopilot/discuss-context.json"
METRICS = ".autopilot/archive/metrics.json"
BATCH = ".autopilot/completion-report.md"
BATCH_DATA = ".autopilot/completion-report.json"
HTML = ".autopilot/report.html"
QUESTIONS = ".autopilot/questions.md"


def presentation_path(issue: int, number: int) -> str:
    """The n-th message of an issue's middle gate."""
    return f".autopilot/issues/{issue:03d}/presentation-{number}.md"


def hand_off_path(issue: int) -> str:
    return f".autopilot/issues/{issue:03d}/hand-off.md"


def diagnostics_folder(phase: PhaseId) -> str:
    """Where the documents of a phase that failed are written: they land nowhere."""
    return f"{DIAGNOSTICS}/phase-{phase}"


def postmortem_path(phase: PhaseId) -> str:
    return f"{DIAGNOSTICS}/phase-{phase}-postmortem.json"


def left_path(phase: PhaseId) -> str:
    """What a debug session of a failed phase would begin with. Nothing of a failure stands among your files."""
    return f"{diagnostics_folder(phase)}/DEBUG.md"


def confidence_path(phase: PhaseId) -> str:
    return f"{DIAGNOSTICS}/phase-{phase}-confidence.md"


def archive_path(run: str) -> str:
    return f".autopilot/archive/{run}.json"


def completion_path(ended_at: datetime) -> str:
    """One a day: the report of an earlier run of the same day is had from `autopilot report RUN`."""
    return f".autopilot/completion-{ended_at:%Y-%m-%d}.md"
