"""The documents of a phase: its plan as it was taken in, and what Autopilot renders from the record."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Any

from autopilot.api.evidence.phase_evidence import find_phase, find_run
from autopilot.api.page.records import Record
from autopilot.events.state import PhaseState, RunState
from autopilot.model.errors import UsageError
from autopilot.model.run import PhaseStatus
from autopilot.reports.documents.diagnostic import render_diagnostic
from autopilot.reports.documents.documents import document_writers
from autopilot.reports.documents.postmortem import render_postmortem
from autopilot.reports.inert import make_inert
from autopilot.reports.status.scores import needs_diagnostic
from autopilot.web.debugging.session import show_session

POSTMORTEM, DIAGNOSTIC, SESSION = "POST-MORTEM.json", "DIAGNOSTIC.md", "SESSION.md"
FENCE = "`" * 16  # longer than any in what agents printed: the renderer knows no other way out of it


def document_names(state: RunState, phase: PhaseState) -> list[str]:
    """The plan first, then what came of it."""
    return [*_plan_paths(phase), *_own(state, phase), *_more(state, phase)]


def show_document(record: Record, run: str, name: str, document: str) -> dict[str, Any]:
    """UsageError for a name that the phase's page does not list: no path of a request reaches the disk."""
    state = find_run(record.history().runs, run)
    phase = find_phase(state, name)
    text = _read(record, state, phase, document)
    if text is None:
        raise UsageError("the phase has no such document", "its page lists those that it has")
    return {"record": record, "run": run, "phase": phase, "name": document, "text": text}


def _read(record: Record, state: RunState, phase: PhaseState, document: str) -> str | None:
    if path := _plan_paths(phase).get(document):
        return record.file(phase.plan.commit, path)
    if document in _more(state, phase):
        if document == DIAGNOSTIC:
            return render_diagnostic(state, phase)
        if document == SESSION:
            return _as_it_is(show_session(state))
        return _as_it_is(render_postmortem(state, phase, record.entries(state.run)))
    own = _own(state, phase)
    return make_inert(own[document]()) if document in own else None


def _as_it_is(text: str) -> str:
    """Line by line, for what is no Markdown."""
    return f"{FENCE}\n{text.replace(FENCE, '')}\n{FENCE}\n"


def _own(state: RunState, phase: PhaseState) -> dict[str, Callable[[], str]]:
    if not phase.started_at:
        return {}
    return {name: write for name, write in document_writers(state, phase).items() if name.endswith(".md")}


def _more(state: RunState, phase: PhaseState) -> list[str]:
    failed = [POSTMORTEM] if phase.status is PhaseStatus.FAILED and state.is_of_roadmap else []
    session = [SESSION] if show_session(state) else []
    return [*session, *failed, *([DIAGNOSTIC] if needs_diagnostic(state, phase) else [])]


def _plan_paths(phase: PhaseState) -> dict[str, str]:
    """By the file's name."""
    paths = dict.fromkeys(task.task.path for task in phase.tasks.values() if task.task.path)
    return {PurePosixPath(path).name: path for path in paths} if phase.plan.commit else {}
