"""The records of all repositories of this user, for a reader that stays: each is read on where it has grown."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

from autopilot.adapters.blobs import FileBlobs
from autopilot.adapters.clock import SystemClock
from autopilot.adapters.git.vault import GitVault
from autopilot.adapters.home import Home, known_homes
from autopilot.adapters.journal.sqlite import SqliteJournal
from autopilot.adapters.key import read_key
from autopilot.adapters.lock import FileLock
from autopilot.adapters.redaction import make_redactor
from autopilot.api.assembly import Repository
from autopilot.api.page.live_lines import LiveCall, read_live_calls
from autopilot.api.people.inbox import read_presented
from autopilot.api.people.open_requests import checkout_of
from autopilot.engine.history import History
from autopilot.events.entry import Head, Stored
from autopilot.events.fold import fold
from autopilot.events.people import HumanAnswered
from autopilot.events.recovery import VerdictGiven
from autopilot.events.state import RunState
from autopilot.events.talk import HumanGate
from autopilot.model.errors import AutopilotError, RecordBroken, UsageError
from autopilot.reports.run.over_time import StepCost, cost_of

Stamp = tuple[tuple[int, int], ...]  # of each file of a journal: when it changed, and its size


class Record:
    """The runs of one repository. Several threads may read it."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self._reading = threading.Lock()
        self._stamp: Stamp | None = None
        self._head: Head | None = None
        self._runs: dict[str, RunState] = {}
        self._costs: dict[str, dict[str, StepCost]] = {}

    @property
    def id(self) -> str:
        return self.repository.home.root.name

    @property
    def _blobs(self) -> FileBlobs:
        return FileBlobs(self.repository.home.blobs, make_redactor({}))

    @property
    def is_there(self) -> bool:
        """Whether the repository is still where it was."""
        return self.repository.git_directory.exists()

    @property
    def is_driven(self) -> bool:
        return FileLock(self.repository.home.lock).holder() is not None

    def stamp(self) -> Stamp:
        """Changes with everything that is recorded or posted."""
        journal = self.repository.home.journal
        return tuple(map(_stamp_of, (journal, journal.with_name(f"{journal.name}-wal"))))

    def seen(self) -> tuple[object, ...]:
        """Changes with everything that a page shows: the record, what agents say, whether a process drives it."""
        try:
            is_driven = self.is_driven
        except AutopilotError:
            is_driven = False  # its page says what is wrong with it
        return (*self.stamp(), *_stamps_in(self.repository.home.live), is_driven)

    def history(self) -> History:
        """Every run; nothing is read where nothing was written since the last call."""
        with self._reading:
            stamp = self.stamp()
            if stamp != self._stamp:
                self._read_on()
                self._stamp = stamp
            return History(dict(self._runs))

    def costs(self) -> Mapping[str, Mapping[str, StepCost]]:
        """What agents used, by run and step."""
        self.history()
        return self._costs

    def entries(self, run: str) -> tuple[Stored, ...]:
        with closing(self._open()) as journal:
            return tuple(journal.read(run))

    def posted_names(self, run: str) -> frozenset[str]:
        """Gates and phases of a run that were answered while its process was in the middle of a step."""
        with closing(self._open()) as journal:
            events = [message.event for message in journal.inbox() if message.run == run]
        verdicts = {str(event.phase) for event in events if isinstance(event, VerdictGiven)}
        return frozenset(verdicts | {event.gate for event in events if isinstance(event, HumanAnswered)})

    def presented(self, state: RunState, gate: HumanGate) -> str:
        """The message presented with a gate of an issue; "" if it has only questions."""
        try:
            return read_presented(self._blobs, state, gate)
        except RecordBroken as error:
            return f"({error})"  # the gate itself can still be answered

    def patch(self, old: str, new: str) -> str:
        """What a commit changed, up to a limit."""
        vault = self.repository.home.vault
        return GitVault(vault, self.repository.path).patch(old, new) if vault.exists() else ""

    def file(self, commit: str, path: str) -> str | None:
        """A file of a commit that the record names; None where it is not kept."""
        vault = self.repository.home.vault
        content = GitVault(vault, self.repository.path).read(commit, path) if vault.exists() else None
        return None if content is None else content.decode("utf-8", "replace")

    def live_calls(self) -> list[LiveCall]:
        """What agents at work are doing and call."""
        return read_live_calls(self.repository.home.live)

    def _read_on(self) -> None:
        if not self.repository.home.journal.exists():
            return
        with closing(self._open()) as journal:
            last: Stored | None = None
            for stored in journal.read(after=self._head):
                self._runs[stored.run] = fold(self._runs.get(stored.run) or RunState(), stored)
                self._count(stored)
                last = stored
            if last is not None:
                self._head = Head(last.seq, journal.digest_at(last.seq) or "")

    def _count(self, stored: Stored) -> None:
        if found := cost_of(stored):
            step, cost = found
            of_run = self._costs.setdefault(stored.run, {})
            of_run[step] = of_run.get(step, StepCost()) + cost

    def _open(self) -> SqliteJournal:
        home = self.repository.home
        return SqliteJournal(home.journal, read_key(home.key), SystemClock(), readonly=True)


class Records:
    """Every repository with a record below one state home, or only the named ones."""

    def __init__(self, state: Path, only: tuple[Path, ...] = ()) -> None:
        self._state = state
        self._only = only
        self._known: dict[str, Record] = {}
        self._looking = threading.Lock()

    @property
    def homes(self) -> Path:
        """The folder that holds every record."""
        return self._state / "autopilot"

    def all(self) -> list[Record]:
        """Found anew each time: a repository may have had its first run since."""
        with self._looking:
            found = {home.root.name: (home, place) for home, place in known_homes(self._state) if self._is_meant(place)}
            self._known = {name: self._known.get(name) or _record(home, place) for name, (home, place) in found.items()}
            return list(self._known.values())

    def find(self, name: str) -> Record:
        """By its id; a name that a request made up finds nothing."""
        known = self._known.get(name) or next((record for record in self.all() if record.id == name), None)
        if known is None:
            raise UsageError("there is no such repository", "the first page lists those with a record")
        return known

    def version(self, name: str = "") -> str:
        """Of the named record or of all: another one as soon as a page of it would be another."""
        records = [self.find(name)] if name else self.all()
        return hashlib.sha256(repr([record.seen() for record in records]).encode()).hexdigest()[:16]

    def __iter__(self) -> Iterator[Record]:
        return iter(self.all())

    def _is_meant(self, git_directory: Path) -> bool:
        return not self._only or git_directory in self._only


def _record(home: Home, git_directory: Path) -> Record:
    return Record(Repository(checkout_of(git_directory), git_directory, home))


def _stamp_of(path: Path) -> tuple[int, int]:
    try:
        facts = path.stat()
    except OSError:
        return 0, 0
    return facts.st_mtime_ns, facts.st_size


def _stamps_in(folder: Path) -> list[tuple[str, int, int]]:
    try:
        return sorted((entry.name, *_stamp_of(Path(entry.path))) for entry in os.scandir(folder))
    except OSError:
        return []
