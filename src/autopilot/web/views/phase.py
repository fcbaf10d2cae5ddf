"""A phase: what was asked for, what was run for it, what came of it, and the commits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from autopilot.api.evidence.phase_evidence import find_phase, find_run, read_reports
from autopilot.api.evidence.transcripts import read_calls_of
from autopilot.api.page.records import Record
from autopilot.events.state import PhaseState, RunState
from autopilot.model.errors import AutopilotError
from autopilot.reports.documents.objections import objection_words, objections_of
from autopilot.reports.documents.tasks import parts_of, tasks_of
from autopilot.reports.evidence.failure_text import render_failures
from autopilot.reports.evidence.failures import failures_of
from autopilot.reports.evidence.view import view_evidence
from autopilot.reports.run.agents import agent_lines
from autopilot.reports.run.batch import notes_of
from autopilot.reports.status.caught import find_caught
from autopilot.web.debugging.session import session_pairs
from autopilot.web.views.diff import FileDiff, read_files, task_pairs
from autopilot.web.views.documents import document_names
from autopilot.web.views.pair import Pair
from autopilot.web.views.run import PhaseRow, phase_rows

FEW_LINES = 60  # a commit of more has a page of its own
MOST_INLINE = 6  # commits


class Commit(Struct, frozen=True):
    name: str  # in the address of its page
    pair: Pair
    files: tuple[FileDiff, ...]
    problem: str = ""
    is_inline: bool = False

    @property
    def added(self) -> int:
        return sum(file.added for file in self.files)

    @property
    def removed(self) -> int:
        return sum(file.removed for file in self.files)


def show_phase(record: Record, run: str, name: str) -> dict[str, Any]:
    state = find_run(record.history().runs, run)
    phase = find_phase(state, name)
    failures = failures_of(state, phase)
    return {
        "record": record,
        "run": run,
        "state": state,
        "phase": phase,
        "row": _row_of(state, phase),
        "evidence": view_evidence(state, phase, read_reports(record.repository)),
        "failures": render_failures(failures) if failures else "",
        "notes": notes_of(state, phase, failures),
        "caught": [f"task {task}: {reason}" for of, task, reason in find_caught(state) if of == phase.id],
        "objections": [objection_words(objection) for objection in objections_of(state, phase)],
        "steps": list(phase.steps.items()),
        "tasks": tasks_of(state, phase),
        "rating": phase.reviews.rating,
        "deductions": [lost for lost in phase.reviews.deductions if lost.lost > 0],
        "agents": agent_lines(state, phase),
        "commits": list(_commits(record, _pairs(state, phase))),
        "documents": document_names(state, phase),
        "calls": [call for call in read_calls_of(record.entries(run), record.repository) if call.phase == phase.id],
    }


def _row_of(state: RunState, phase: PhaseState) -> PhaseRow:
    return next(row for row in phase_rows(state) if row.id == phase.id)


def _pairs(state: RunState, phase: PhaseState) -> Mapping[str, Pair]:
    found = {name: pair for home in (phase, *parts_of(state, phase)) for name, pair in task_pairs(home).items()}
    return found or session_pairs(state)


def _commits(record: Record, pairs: Mapping[str, Pair]) -> Iterator[Commit]:
    for place, (name, pair) in enumerate(pairs.items()):
        try:
            files = tuple(read_files(record, pair)) if place < MOST_INLINE else ()
        except AutopilotError as error:
            yield Commit(name, pair, (), str(error))
            continue
        yield Commit(name, pair, files, "", 0 < sum(len(file.lines) + file.left_out for file in files) <= FEW_LINES)
