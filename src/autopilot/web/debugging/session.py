"""A debug session on the page of its one phase: the session as its file has it, and what its fixes changed."""

from __future__ import annotations

from autopilot.events.state import RunState
from autopilot.reports.debugging.session_file import session_text
from autopilot.web.views.pair import Pair


def show_session(state: RunState) -> str:
    """ "" for any other run."""
    return session_text(state.debugging) if state.debugging is not None else ""


def session_pairs(state: RunState) -> dict[str, Pair]:
    """The tests that show the bug, and each fix beside the commit on which the bug was seen."""
    session = state.debugging
    if session is None or not session.commit:
        return {}
    found = {}
    if session.files and state.line.base:
        found[session.commit[:12]] = Pair("The tests that show the bug", state.line.base, session.commit)
    for fix in session.fixes:
        if fix.commit:
            found[fix.commit[:12]] = Pair(f"Fix {fix.round}", session.commit, fix.commit)
    return found
