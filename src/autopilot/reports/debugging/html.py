"""A debug session in the HTML report: its file as it is."""

from __future__ import annotations

from collections.abc import Iterator

from autopilot.events.debugging.state import DebugState
from autopilot.reports.debugging.session_file import session_text
from autopilot.reports.html.markup import Markup, el
from autopilot.reports.html.pieces import figure, section

SESSION_SECTIONS = {"session": "Debug session", "timeline": "Timeline", "cost": "Cost"}


def session_sections(session: DebugState) -> Iterator[Markup]:
    yield section("session", SESSION_SECTIONS["session"], el("pre", session_text(session)))


def session_figures(session: DebugState) -> list[Markup]:
    tested = sum(idea.tested is not None for idea in session.ideas)
    return [figure(session.status.value.replace("_", " "), "status"), figure(f"{tested}", "hypotheses tested")]
