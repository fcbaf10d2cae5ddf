"""Following a run from outside: read only, beside the process that drives it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import groupby

from autopilot.adapters.clock import SystemClock
from autopilot.adapters.journal.sqlite import SqliteJournal
from autopilot.adapters.key import read_key
from autopilot.adapters.lock import FileLock
from autopilot.api.assembly import Repository
from autopilot.engine.ledger import Recorded
from autopilot.events.entry import Head, Stored
from autopilot.events.fold import fold_all
from autopilot.events.state import RunState
from autopilot.model.errors import UsageError

LOOK_EVERY_S = 0.25


def watch(repository: Repository, *, wait: bool = False, rested: bool = False) -> Iterator[Recorded]:
    """Every recorded batch of the run under way from its beginning on, and one without entries at every look besides.

    Ends when the run rests, or when nobody drives it any more: the last state tells which. UsageError when there is
    nobody to begin with, unless we are to ``wait``; where ``rested``, the last run is told although it has ended.
    """
    record = _Record(repository)
    lock = FileLock(repository.home.lock)
    while True:
        driven = lock.holder() is not None  # asked first: whatever its holder recorded before it let go is then read
        at_rest_too = rested and not wait and not driven  # whoever drives is about to tell something newer
        if driven or record.is_under_way or at_rest_too:
            yield from record.read_on(at_rest_too)
        state = record.state
        if record.is_under_way and (state.halted or not driven):
            return
        if not driven and not wait:
            raise UsageError(
                "no run is under way in this repository",
                "`autopilot status` shows where the last one stands; `autopilot watch --wait` waits for the next.",
            )
        yield Recorded((), state)
        time.sleep(LOOK_EVERY_S)


class _Record:
    """The journal, read on from where the last look ended. Runs that rested before we came are told only if asked."""

    def __init__(self, repository: Repository) -> None:
        self._home = repository.home
        self._journal: SqliteJournal | None = None
        self._head: Head | None = None
        self._is_first = True
        self._states: dict[str, RunState] = {}  # an earlier run may go on after another began
        self.state = RunState()
        self.is_under_way = False

    def read_on(self, at_rest_too: bool = False) -> list[Recorded]:
        journal = self._open()
        if journal is None:
            return []
        entries = list(journal.read(after=self._head))
        self._head = _head_after(journal, entries) or self._head
        journal.close()  # one that stays open would keep the driver from tidying up when it ends
        found = []
        # What was recorded together has one time.
        for _, batch in groupby(entries, key=lambda stored: (stored.run, stored.at)):
            together = tuple(batch)
            run = together[0].run
            self.state = self._states[run] = fold_all(together, self._states.get(run, RunState()))
            found.append(Recorded(together, self.state))
        if found and (at_rest_too or not (self._is_first and self.state.halted)):
            self.is_under_way = True
        self._is_first = False
        return [one for one in found if self.is_under_way and one.state.run == self.state.run]

    def _open(self) -> SqliteJournal | None:
        if self._journal is None and self._home.journal.exists():
            key = read_key(self._home.key)
            self._journal = SqliteJournal(self._home.journal, key, SystemClock(), readonly=True)
        return self._journal


def _head_after(journal: SqliteJournal, entries: Sequence[Stored]) -> Head | None:
    return Head(entries[-1].seq, journal.digest_at(entries[-1].seq) or "") if entries else None
