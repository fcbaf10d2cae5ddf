"""A phase: what was asked for, what was run for it, what came of it, and the commits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from msgspec import Struct

from autopilot.api.evidence.phase_evidence import find_phase, find_run, read_reports
from autopilot.api.page.records import Record
from autopilot.events.pieces import TaskState
from autopilot.events.state import PhaseState, RunState
from autopilot.model.errors import AutopilotError
from autopilot.reports.documents.objections import objection_words, objections_of
from autopilot.reports.documents.tasks import tasks_of
from autopilot.reports.evidence.failure_text import render_failures
from autopilot.reports.evidence.failures import failures_of
from autopilot.reports.evidence.view import view_evidence
from autopilot.reports.run.agents import agent_lines
from autopilot.reports.run.batch import notes_of
from autopilot.reports.status.caught import find_caught
from autopilot.web.views.run import PhaseRow, phase_rows

LINES_SHOWN = 400  # of one commit; the rest is named
FEW_LINES = 60  # a commit of more is folded


class DiffLine(Struct, frozen=True):
    text: str
    kind: str  # added, removed, file, place or ""


class Commit(Struct, frozen=True):
    task: str
    commit: str
    lines: tuple[DiffLine, ...]
    left_out: int
    problem: str = ""

    @property
    def is_short(self) -> bool:
        return len(self.lines) <= FEW_LINES


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
        "commits": list(_commits(record, tasks_of(state, phase))),
    }


def _row_of(state: RunState, phase: PhaseState) -> PhaseRow:
    return next(row for row in phase_rows(state) if row.id == phase.id)


def _commits(record: Record, tasks: Mapping[str, TaskState]) -> Iterator[Commit]:
    for name, task in tasks.items():
        if not task.commit or not task.parent:
            continue
        try:
            patch = record.patch(task.parent, task.commit)
        except AutopilotError as error:
            yield Commit(name, task.commit, (), 0, str(error))
            continue
        lines = patch.splitlines()
        shown = tuple(DiffLine(line, _kind(line)) for line in islice(lines, LINES_SHOWN))
        yield Commit(name, task.commit, shown, max(0, len(lines) - LINES_SHOWN))


def _kind(line: str) -> str:
    if line.startswith(("diff ", "--- ", "+++ ", "index ", "new file", "deleted file", "rename ", "similarity ")):
        return "file"
    if line.startswith("@@"):
        return "place"
    return {"+": "added", "-": "removed"}.get(line[:1], "")
