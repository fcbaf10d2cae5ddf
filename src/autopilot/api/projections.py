"""Files for people and rows for quick answers, written from the state; rebuilt from the journal when they are gone."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from autopilot.adapters.files import translated
from autopilot.adapters.git.documents import read_document, write_document
from autopilot.engine.ledger import Recorded
from autopilot.engine.opening import read_history
from autopilot.events.entry import Stored
from autopilot.events.happened import PhaseFailed, StepStarted
from autopilot.events.state import PhaseState, RunState
from autopilot.model.errors import AutopilotError, CapReached, Unavailable
from autopilot.model.run import PhaseStatus
from autopilot.ports.journal import Journal
from autopilot.reports.documents import phase_documents
from autopilot.reports.ending import diagnostics_folder
from autopilot.reports.event_log import event_log, log_rows
from autopilot.reports.standing import line_facts
from autopilot.reports.state_json import state_document
from autopilot.reports.status import landing_words, status_document

AT_MOST_EVERY_S = 1.0
PREPARED = "status"
STATE = ".autopilot/state.json"
# What a phase has only when it came that far: of an earlier attempt they would contradict the later one.
SOMETIMES = ("EXECUTION-LOG.md", "JUDGE-REPORT.md", "SCORECARD.md")


def ignore(_: str) -> None: ...


class Projections:
    """Nothing here may stop a run: what cannot be written is told once, through ``warn``, and left out."""

    def __init__(self, checkout: Path, journal: Journal, warn: Callable[[str], None] = ignore) -> None:
        self._checkout = checkout
        self._journal = journal
        self._warn = warn
        self._warned = False
        self._log: list[dict[str, Any]] = []
        self._state = RunState()
        self._written_at = 0.0

    def catch_up(self) -> None:
        """A kill between the last record and these files leaves them behind: bring them level before going on."""
        head, prepared = self._journal.head(), self._journal.prepared(PREPARED)
        if head.seq == 0 or (prepared is not None and prepared[0] == head.seq):
            return
        entries = list(self._journal.read())
        self._state = next(reversed(read_history(entries).runs.values()))
        self.begin(stored for stored in entries if stored.run == self._state.run)
        self.write()

    def begin(self, entries: Iterable[Stored]) -> None:
        """What happened before this process."""
        self._log = event_log(entries)

    def take(self, recorded: Recorded) -> None:
        self._state = recorded.state
        for stored in recorded.entries:
            self._log += log_rows(stored)
        failed = [stored.event.phase for stored in recorded.entries if isinstance(stored.event, PhaseFailed)]
        self._attempt(lambda: self._diagnose(recorded.state.phases[phase] for phase in failed))
        # A step may take an hour: whoever looks meanwhile must see which one it is.
        started = any(isinstance(stored.event, StepStarted) for stored in recorded.entries)
        if started or time.monotonic() - self._written_at >= AT_MOST_EVERY_S:
            self.write()

    def write(self) -> None:
        if not self._state.run:
            return
        document = state_document(self._state, self._log)
        # An old row is known as old, and the next append meets the same trouble and says so.
        with suppress(Unavailable, CapReached):
            prepare_status(self._journal, self._state, document)
        self._attempt(lambda: self._write_files(document))
        self._written_at = time.monotonic()

    def _write_files(self, document: dict[str, Any]) -> None:
        content = _json(document)
        before = read_document(self._checkout, STATE)
        if before is not None and before != content:
            self._write_file(f"{STATE}.backup", before)
        self._write_file(STATE, content)
        if self._state.halted:
            self._write_file(f".autopilot/archive/{self._state.run}.json", content)
            self._diagnose(p for p in self._state.phases.values() if p.status is PhaseStatus.FAILED)

    def _diagnose(self, phases: Iterable[PhaseState]) -> None:
        """A phase that failed lands no documents, yet its user wants to read what was seen."""
        for phase in phases:
            folder = diagnostics_folder(phase.id)
            documents = phase_documents(self._state, phase)
            for name, text in documents.items():
                self._write_file(f"{folder}/{name}", text.encode())
            for name in set(SOMETIMES) - documents.keys():
                with translated(path := self._checkout / folder / name):
                    path.unlink(missing_ok=True)

    def _write_file(self, path: str, content: bytes) -> None:
        """The folder ignores itself: the user's own .gitignore is never edited."""
        if read_document(self._checkout, ".autopilot/.gitignore") is None:
            write_document(self._checkout, ".autopilot/.gitignore", b"*\n")
        write_document(self._checkout, path, content)

    def _attempt(self, write: Callable[[], None]) -> None:
        try:
            write()
        except AutopilotError as error:
            if not self._warned:
                self._warned = True
                self._warn(f"the files in .autopilot are not written, the run goes on: {error}")


def prepare_status(journal: Journal, state: RunState, document: dict[str, Any]) -> None:
    status = status_document(state, document, landing_words(state))
    journal.prepare(PREPARED, state.seq, json.dumps(status, ensure_ascii=False))
    journal.prepare("line", state.seq, json.dumps(line_facts(document)))


def _json(document: dict[str, Any]) -> bytes:
    return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode()
