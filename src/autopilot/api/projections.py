"""Files for people and rows for quick answers, written from the state; rebuilt from the journal when they are gone."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from autopilot.adapters.files import write_atomically, write_with_backup
from autopilot.engine.ledger import Recorded
from autopilot.events.entry import Stored
from autopilot.events.state import RunState
from autopilot.ports.journal import Journal
from autopilot.reports.event_log import event_log, log_rows
from autopilot.reports.standing import line_facts
from autopilot.reports.state_json import state_document
from autopilot.reports.status import landing_words, status_document

AT_MOST_EVERY_S = 1.0
PREPARED = "status"


class Projections:
    def __init__(self, checkout: Path, journal: Journal) -> None:
        self._folder = checkout / ".autopilot"
        self._journal = journal
        self._log: list[dict[str, Any]] = []
        self._state = RunState()
        self._written_at = 0.0

    def begin(self, entries: Iterable[Stored]) -> None:
        """What happened before this process."""
        self._log = event_log(entries)

    def take(self, recorded: Recorded) -> None:
        self._state = recorded.state
        for stored in recorded.entries:
            self._log += log_rows(stored)
        if time.monotonic() - self._written_at >= AT_MOST_EVERY_S:
            self.write()

    def write(self) -> None:
        if not self._state.run:
            return
        document = state_document(self._state, self._log)
        self._make_folder()
        write_with_backup(self._folder / "state.json", _json(document))
        if self._state.halted:
            archive = self._folder / "archive"
            archive.mkdir(exist_ok=True)
            write_atomically(archive / f"{self._state.run}.json", _json(document))
        prepare_status(self._journal, self._state, document)
        self._written_at = time.monotonic()

    def _make_folder(self) -> None:
        """The folder ignores itself: the user's own .gitignore is never edited."""
        ignore = self._folder / ".gitignore"
        if not ignore.exists():
            self._folder.mkdir(exist_ok=True)
            write_atomically(ignore, b"*\n")


def prepare_status(journal: Journal, state: RunState, document: dict[str, Any]) -> None:
    status = status_document(state, document, landing_words(state))
    journal.prepare(PREPARED, state.seq, json.dumps(status, ensure_ascii=False))
    journal.prepare("line", state.seq, json.dumps(line_facts(document)))


def _json(document: dict[str, Any]) -> bytes:
    return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode()
