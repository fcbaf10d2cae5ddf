"""Follows a run that another process drives; it only reads."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from autopilot.adapters.clock import SystemClock
from autopilot.adapters.journal.sqlite import SqliteJournal
from autopilot.adapters.key import read_key
from autopilot.adapters.lock import FileLock
from autopilot.api.assembly import Repository
from autopilot.api.missing_record import explain_no_run
from autopilot.engine.ledger import Recorded
from autopilot.events.entry import Head, Stored
from autopilot.events.fold import fold_all
from autopilot.events.state import RunState
from autopilot.model.errors import UsageError

POLL_EVERY_S = 0.25
Stamp = tuple[tuple[int, int], ...]


def watch(repository: Repository, *, wait: bool = False, show_ended: bool = False) -> Iterator[Recorded]:
    """Every recorded batch of the run in progress, from its beginning, and an empty one after every poll.

    Ends when the run stops or when no process drives it any more: the last state says which. Without a driving process
    it raises UsageError, unless ``wait`` is set; with ``show_ended`` it yields the last run although that has ended.
    """
    reader = JournalReader(repository)
    lock = FileLock(repository.home.lock)
    while True:
        is_driven = lock.holder() is not None  # before reading, so that the last records of its holder are read
        read_ended = show_ended and not wait and not is_driven  # a driving process has a newer run
        if is_driven or reader.is_under_way or read_ended:
            yield from reader.read_on(read_ended)
        state = reader.state
        if reader.is_under_way and (state.halted or not is_driven):
            return
        if not is_driven and not wait:
            if reader.is_empty:
                raise explain_no_run(repository.home, repository.path)
            raise UsageError(
                "no run is in progress in this repository",
                "`autopilot status` shows the last run; `autopilot watch --wait` waits for the next one",
            )
        yield Recorded((), state)
        time.sleep(POLL_EVERY_S)


class JournalReader:
    """Reads new entries of the journal at every poll. Runs that had stopped before are shown only on request."""

    def __init__(self, repository: Repository) -> None:
        self._home = repository.home
        self._journal: SqliteJournal | None = None
        self._head: Head | None = None
        self._seen_at: Stamp | None = None
        self._read_at: Stamp | None = None
        self._is_first = True
        self._states: dict[str, RunState] = {}  # an earlier run may be resumed after a later one began
        self.state = RunState()
        self.is_under_way = False

    def stamp(self) -> Stamp:
        """Of the files of the journal: when each changed, and its size."""
        journal = self._home.journal
        return tuple(map(_stamp_of, (journal, journal.with_name(f"{journal.name}-wal"))))

    def read_on(self, include_ended: bool = False) -> list[Recorded]:
        """What was recorded since; nothing is read while no file has changed."""
        stamp = self.stamp()
        journal = self._open() if stamp != self._read_at else None
        if journal is None:
            return []
        # Two changes within one tick of the file system's clock look like one: after each it is read once more.
        self._read_at = stamp if stamp == self._seen_at else None
        self._seen_at = stamp
        entries = list(journal.read(after=self._head))
        self._head = _head_after(journal, entries) or self._head
        journal.close()  # an open connection would prevent the driver from cleaning up
        batches = []
        # Entries of one batch have the same time.
        for _, group in groupby(entries, key=lambda stored: (stored.run, stored.time)):
            entries_together = tuple(group)
            run = entries_together[0].run
            self.state = self._states[run] = fold_all(entries_together, self._states.get(run, RunState()))
            batches.append(Recorded(entries_together, self.state))
        if batches and (include_ended or not (self._is_first and self.state.halted)):
            self.is_under_way = True
        self._is_first = False
        return [batch for batch in batches if self.is_under_way and batch.state.run == self.state.run]

    @property
    def is_empty(self) -> bool:
        """Whether no run was ever recorded."""
        journal = self._open()
        return journal is None or next(iter(journal.read()), None) is None

    def _open(self) -> SqliteJournal | None:
        if self._journal is None and self._home.journal.exists():
            key = read_key(self._home.key)
            self._journal = SqliteJournal(self._home.journal, key, SystemClock(), readonly=True)
        return self._journal


def _stamp_of(path: Path) -> tuple[int, int]:
    try:
        facts = path.stat()
    except OSError:
        return 0, 0
    return facts.st_mtime_ns, facts.st_size


def _head_after(journal: SqliteJournal, entries: Sequence[Stored]) -> Head | None:
    return Head(entries[-1].seq, journal.digest_at(entries[-1].seq) or "") if entries else None
