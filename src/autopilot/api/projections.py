"""Writes the files in .autopilot and the prepared status rows from the state; the journal can rebuild them."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path, PurePath
from typing import Any

import msgspec
from msgspec.structs import replace

from autopilot.adapters.files import translated
from autopilot.adapters.git.checkout.documents import (
    back_up_document,
    list_documents,
    read_document,
    write_document,
)
from autopilot.api.debugging.session_files import write_session
from autopilot.api.log_snapshot import load_log
from autopilot.api.others_files import keep_others_files
from autopilot.api.people.context_file import keep_damaged, update_context_map
from autopilot.api.people.questions_file import update_questions
from autopilot.api.run_report import build_report
from autopilot.api.visual.report_pictures import read_pictures
from autopilot.engine.history import read_history
from autopilot.engine.ledger import Recorded
from autopilot.events.debugging.handover import brief_of, is_left
from autopilot.events.entry import Stored
from autopilot.events.happened import PhaseCompleted, PhaseFailed, PhaseStarted, StepStarted
from autopilot.events.people import ContextMapped, HumanAnswered, MappingEnded
from autopilot.events.state import PhaseState, RunState
from autopilot.model.errors import AutopilotError, CapReached, Unavailable
from autopilot.model.run import PhaseStatus
from autopilot.model.secrecy.terminal import strip_controls
from autopilot.ports.eyes import Eyes
from autopilot.ports.journal import Journal
from autopilot.reports.debugging.listing import render_left
from autopilot.reports.documents.diagnostic import render_diagnostic
from autopilot.reports.documents.documents import SOMETIMES, phase_documents
from autopilot.reports.documents.learnings import render_learnings
from autopilot.reports.documents.postmortem import render_postmortem
from autopilot.reports.documents.span_trace import render_traces
from autopilot.reports.documents.tasks import parts_of
from autopilot.reports.event_log.log import event_log, log_rows
from autopilot.reports.run.metrics import find_rows, merge_metrics
from autopilot.reports.status.discuss_context import render_discuss_context
from autopilot.reports.status.files import (
    DISCUSSIONS,
    LEARNINGS,
    METRICS,
    QUESTIONS,
    STATE,
    archive_path,
    confidence_path,
    diagnostics_folder,
    left_path,
    postmortem_path,
)
from autopilot.reports.status.gates import landing_words
from autopilot.reports.status.scores import needs_diagnostic, stands_as_before
from autopilot.reports.status.state_json import state_document
from autopilot.reports.status.status import status_document
from autopilot.reports.status.status_text import line_facts

WRITE_EVERY_S = 1.0
STATUS_ROW = "status"


def ignore_warning(_: str) -> None: ...


class Projections:
    """A file that cannot be written never stops a run: ``warn`` reports it once."""

    def __init__(
        self,
        checkout: Path,
        journal: Journal,
        warn: Callable[[str], None] = ignore_warning,
        eyes: Eyes | None = None,
    ) -> None:
        """``eyes``: what has the pictures that reports show, where there is something to look with."""
        self._pictures = eyes.pictures if eyes else None
        self._checkout = checkout
        self._journal = journal
        self._warn = warn
        self._warned = False
        self._log: list[Any] = []  # rows; those of a snapshot are kept as they will be written
        self._state = RunState()
        self._diagnosed_run = ""  # the run whose diagnostics are written
        self._written_at = 0.0
        self._is_map_due = False
        self._reported = 0  # the last event for which reports are written
        self._is_cleared = False  # whether what another program left was kept before ours takes its place

    def catch_up(self) -> None:
        """Write the files again if a kill came between the last record and the files."""
        head, prepared = self._journal.head(), self._journal.prepared(STATUS_ROW)
        is_level = prepared is not None and prepared[0] == head.seq and (self._checkout / STATE).exists()
        if head.seq == 0 or is_level:
            return
        entries = list(self._journal.read())
        self._state = read_history(entries).last or RunState()
        self.begin(stored for stored in entries if stored.run == self._state.run)
        self.write()

    def begin(self, entries: Iterable[Stored]) -> None:
        """Load the events recorded before this process."""
        self._log = event_log(entries)

    def resume(self, run: str, before: int) -> None:
        """What happened in a run before that entry."""
        self._log = load_log(self._journal, run, before)

    def take(self, recorded: Recorded) -> None:
        self._state = recorded.state
        for stored in recorded.entries:
            self._log += log_rows(stored, recorded.state)
        changed = (PhaseStarted, PhaseFailed, PhaseCompleted)
        phases = [stored.event.phase for stored in recorded.entries if isinstance(stored.event, changed)]
        if phases:
            self._attempt(lambda: self._diagnose(recorded.state.phase(phase) for phase in dict.fromkeys(phases)))
        mapped = (ContextMapped, HumanAnswered, MappingEnded)
        self._is_map_due |= any(isinstance(stored.event, mapped) for stored in recorded.entries)
        # A step may take an hour, so status must show it from its start.
        started = any(isinstance(stored.event, StepStarted) for stored in recorded.entries)
        # An archived run is written now: the next record belongs to another run.
        given_up = recorded.state.archived
        if started or given_up or time.monotonic() - self._written_at >= WRITE_EVERY_S:
            self.write()

    def write(self) -> None:
        if not self._state.run:
            return
        document = state_document(self._state, self._log)
        self._attempt(lambda: self._write_files(document))
        # After the files: if a kill comes in between, the old row shows the next start that the files are outdated.
        # A failure here is ignored: readers detect an old row, and the next append reports the same problem.
        with suppress(Unavailable, CapReached):
            prepare_status(self._journal, self._state, document)
        self._written_at = time.monotonic()

    def _write_files(self, document: dict[str, Any]) -> None:
        content = _json(document)
        before = read_document(self._checkout, STATE)
        if before is not None and before != content:
            back_up_document(self._checkout, STATE, before)
        self._write_file(STATE, content)
        if any(talk.answers for talk in self._state.people.discussions.values()):
            self._update(DISCUSSIONS, lambda before: render_discuss_context(self._state, before))
        self._map()
        self._update(QUESTIONS, lambda before: update_questions(self._state, before))
        if self._state.halted or self._state.archived:
            self._write_file(archive_path(self._state.run), content)
        if self._state.halted or self._diagnosed_run != self._state.run or self._state.debugging:
            self._diagnose((*self._state.phases.values(), *self._state.completion.closing.values()))
            self._diagnosed_run = self._state.run
        if self._state.halted and self._reported != self._state.seq:
            self._report()
            self._reported = self._state.seq

    def _report(self) -> None:
        """Write the run report. It compares with earlier runs, so it reads the whole journal, once per stop."""
        report = build_report(self._journal, self._state.run, read_document(self._checkout, METRICS))
        if self._pictures is not None:
            report = replace(report, pictures=read_pictures(self._pictures, report.state))
        for path, text in report.files():
            self._keep(path, text)
        metrics = read_document(self._checkout, METRICS)
        if metrics is not None and find_rows(metrics) is None:
            kept = keep_damaged(self._checkout, METRICS, metrics, self._write_file)
            place = f" as {kept}" if kept else " as it is"
            self._warn(f"{METRICS} is not a list of runs, or too long for one; the file is kept{place}")
            if kept is None:
                return
        if report.rows or metrics is not None:
            self._keep(METRICS, merge_metrics(metrics, report.rows, report.runs).decode())

    def _map(self) -> None:
        """Update the context map, which combines all runs, when it may have changed."""
        is_first = self._diagnosed_run != self._state.run
        if self._is_map_due or (is_first and (self._state.people.mapping or self._state.inputs.context)):
            runs = read_history(self._journal.read()).runs.values()
            update_context_map(self._checkout, runs, self._write_file, self._warn)
            self._is_map_due = False

    def _diagnose(self, phases: Iterable[PhaseState]) -> None:
        """Write diagnostics, postmortems and learnings of phases, and remove those of an earlier run.

        A run of an issue changes nothing here.
        """
        if self._state.issue is not None:
            return
        if self._state.debugging is not None:
            self._keep(LEARNINGS, render_learnings(self._state))
            write_session(self._checkout, self._state, self._state.debugging)
            return
        self._keep(LEARNINGS, render_learnings(self._state))
        whole_and_parts = [part for phase in phases for part in (phase, *parts_of(self._state, phase))]
        for phase in whole_and_parts:
            if not phase.settled and (phase.status is PhaseStatus.NOT_STARTED or phase.totals.attempt > 1):
                continue  # the files of the earlier attempt are still current
            if not phase.parent and phase.id in self._state.phases:
                left = render_left(brief_of(self._state, phase)) if is_left(phase) else ""
                self._keep(left_path(phase.id), left)
            failed = phase.status is PhaseStatus.FAILED
            if (failed or phase.remediation.withdrawn) and not phase.parent:
                self._show_documents(phase)
            self._keep(postmortem_path(phase.id), self._postmortem(phase) if failed else "")
            if stands_as_before(phase) and read_document(self._checkout, confidence_path(phase.id)) is not None:
                continue  # the diagnostic of the previous run still holds
            short = needs_diagnostic(self._state, phase)
            self._keep(confidence_path(phase.id), render_diagnostic(self._state, phase) if short else "")

    def _postmortem(self, phase: PhaseState) -> str:
        return render_postmortem(self._state, phase, list(self._journal.read(self._state.run)))

    def _show_documents(self, phase: PhaseState) -> None:
        """Write the documents of a failed phase, which lands none, to the diagnostics folder."""
        folder, documents = diagnostics_folder(phase.id), dict(phase_documents(self._state, phase))
        traces = render_traces(self._journal.read(self._state.run), phase.id)
        documents |= {name: strip_controls(text) for name, text in traces.items()}
        existing = (PurePath(path).name for path in list_documents(self._checkout, folder))
        # Documents of an earlier attempt would contradict the new ones.
        stale = (name for name in existing if name.endswith(SOMETIMES) and name not in documents)
        for name in (*stale, *documents):
            self._keep(f"{folder}/{name}", documents.get(name, ""))

    def _keep(self, path: str, text: str) -> None:
        self._update(path, lambda _: text)

    def _update(self, path: str, render: Callable[[bytes | None], str]) -> None:
        """Write a file only if its text changed; remove it for "". Most of these files change rarely."""
        before = read_document(self._checkout, path)
        content = render(before).encode()
        if before is not None and not content:
            with translated(file := self._checkout / path):
                file.unlink(missing_ok=True)
        elif content and before != content:
            self._write_file(path, content)

    def _write_file(self, path: str, content: bytes) -> None:
        """Write a file below .autopilot, which has its own .gitignore: the user's is never edited."""
        if not os.path.lexists(self._checkout / ".autopilot" / ".gitignore"):
            write_document(self._checkout, ".autopilot/.gitignore", b"*\n")
        write_document(self._checkout, path, content)

    def _keep_others(self) -> None:
        """Raises where it cannot be kept: then nothing of ours is written."""
        if self._is_cleared:
            return
        kept = keep_others_files(self._checkout, lambda run: any(True for _ in self._journal.read(run)))
        if kept and os.path.lexists(self._checkout / kept / PurePath(STATE).name):
            self._warn(f"the files of another program in .autopilot are kept in {kept}")
        self._is_cleared = True

    def _attempt(self, write: Callable[[], None]) -> None:
        try:
            self._keep_others()
            write()
        except AutopilotError as error:
            if not self._warned:
                self._warned = True
                self._warn(f"files in .autopilot could not be written; the run continues: {error}")


def prepare_status(journal: Journal, state: RunState, document: dict[str, Any]) -> None:
    status = status_document(state, document, landing_words(state))
    texts = {STATUS_ROW: json.dumps(status, ensure_ascii=False), "line": json.dumps(line_facts(document))}
    journal.prepare(state.seq, texts)


def _json(document: dict[str, Any]) -> bytes:
    return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"
