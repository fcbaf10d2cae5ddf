"""A repository's last run for a view that stays open: nothing is read until a file has changed."""

from __future__ import annotations

from collections import deque
from pathlib import Path

from autopilot.adapters.clock import SystemClock
from autopilot.adapters.live import read_live
from autopilot.adapters.lock import FileLock
from autopilot.adapters.sandbox.registry import read_running
from autopilot.api.assembly import Repository
from autopilot.api.live.speaking import read_last_lines
from autopilot.api.watching import JournalReader
from autopilot.reports.live.footer import AtWork
from autopilot.reports.live.view import Known
from autopilot.reports.progress.outcomes import outcome_lines

KEPT_LINES = 60


class RunFeed:
    def __init__(self, repository: Repository) -> None:
        self._home = repository.home
        self._reader = JournalReader(repository)
        self._lock = FileLock(repository.home.lock)
        self._clock = SystemClock()
        self._progress: deque[str] = deque(maxlen=KEPT_LINES)
        self._run = ""

    def look(self) -> Known:
        is_driven = self._lock.holder() is not None  # before reading, so that the last records of its holder are read
        for recorded in self._reader.read_on(include_ended=True):
            if recorded.state.run != self._run:
                self._run = recorded.state.run
                self._progress.clear()
            for stored in recorded.entries:
                self._progress.extend(outcome_lines(stored, recorded.state))
        state, now = self._reader.state, self._clock.now()
        if not is_driven or state.halted:
            return Known(state, state.now, progress=tuple(self._progress))
        work = AtWork(read_live(str(self._home.live)), read_running(self._home.processes))
        speaker, spoken = read_last_lines(self._home.live)
        return Known(state, now, True, work, speaker, spoken, tuple(self._progress))

    def stamp(self) -> tuple[object, ...]:
        """Changes with whatever changes the view, except time; cheap enough to be taken often."""
        home = self._home
        folders = (_changed_at(home.live), _changed_at(home.processes), _changed_at(home.lock))
        return (*self._reader.stamp(), *folders)


def _changed_at(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
