"""Where the files of a run stand in the user's checkout: all in one folder that ignores itself."""

from __future__ import annotations

from autopilot.model.roadmap import PhaseId

STATE = ".autopilot/state.json"
LEARNINGS = ".autopilot/learnings.md"
DIAGNOSTICS = ".autopilot/diagnostics"


def diagnostics_folder(phase: PhaseId) -> str:
    """Where the documents of a phase that failed are written: they land nowhere."""
    return f"{DIAGNOSTICS}/phase-{phase}"


def postmortem_path(phase: PhaseId) -> str:
    return f"{DIAGNOSTICS}/phase-{phase}-postmortem.json"


def confidence_path(phase: PhaseId) -> str:
    return f"{DIAGNOSTICS}/phase-{phase}-confidence.md"
