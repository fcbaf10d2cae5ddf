"""The files below .planning/debug: rendered from the record, so an edit of them changes nothing."""

from __future__ import annotations

from pathlib import Path

from autopilot.adapters.git.checkout.documents import read_document, remove_document, write_document
from autopilot.events.debugging.state import DebugState
from autopilot.events.state import RunState
from autopilot.model.debugging.session import SESSION
from autopilot.model.run import LandingStage
from autopilot.reports.debugging.listing import waits_to_land
from autopilot.reports.debugging.session_file import render_session


def write_session(checkout: Path, state: RunState, session: DebugState) -> None:
    """Active ones in the folder itself, done ones in its archive; what landed came there by its commit."""
    text, brief = render_session(session), session.brief
    if not session.status.is_settled or waits_to_land(state):
        _put(checkout, brief.path, text)
        return
    landed = state.phase(SESSION).landing.state == LandingStage.LANDED
    if not landed or not state.policy.commit_docs:
        _put(checkout, brief.archived_path, text)
    remove_document(checkout, brief.path)


def _put(checkout: Path, path: str, text: str) -> None:
    if read_document(checkout, path) != text.encode():
        write_document(checkout, path, text.encode())
