"""The records of all repositories of this user, for a reader that stays: each is read on where it has grown."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from autopilot.adapters.blobs import FileBlobs
from autopilot.adapters.clock import SystemClock
from autopilot.adapters.git.vault import GitVault
from autopilot.adapters.home import Home, known_homes
from autopilot.adapters.journal.sqlite import SqliteJournal
from autopilot.adapters.key import read_key
from autopilot.adapters.live import read_live
from autopilot.adapters.lock import FileLock
from autopilot.adapters.redaction import make_redactor
from autopilot.api.assembly import Repository
from autopilot.api.people.inbox import read_presented
from autopilot.api.people.open_requests import checkout_of
from autopilot.engine.history import History
from autopilot.events.entry import Head, Stored
from autopilot.events.fold import fold
from autopilot.events.people import HumanAnswered
from autopilot.events.recovery import VerdictGiven
from autopilot.events.state import RunState
from autopilot.events.talk import HumanGate
from autopilot.model.errors import RecordBroken, UsageError

Stamp = tuple[tuple[int, int], ...]  # of each file of a journal: when it changed, and its size


class Record:
    """The runs of one repository. Several threads may read it."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self._reading = threading.Lock()
        self._stamp: Stamp | None = None
        self._head: Head | None = None
        self._runs: dict[str, RunState] = {}

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
        """Changes with everything that is recorded, posted, or reported by an agent at work."""
        home = self.repository.home
        return tuple(map(_stamp_of, (home.journal, home.journal.with_name(f"{home.journal.name}-wal"), home.live)))

    def history(self) -> History:
        """Every run; nothing is read where nothing was written since the last call."""
        with self._reading:
            stamp = self.stamp()
            if stamp != self._stamp:
                self._read_on()
                self._stamp = stamp
            return History(dict(self._runs))

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

    def working_agents(self) -> list[dict[str, object]]:
        return read_live(str(self.repository.home.live))

    def _read_on(self) -> None:
        if not self.repository.home.journal.exists():
            return
        with closing(self._open()) as journal:
            last: Stored | None = None
            for stored in journal.read(after=self._head):
                self._runs[stored.run] = fold(self._runs.get(stored.run) or RunState(), stored)
                last = stored
            if last is not None:
                self._head = Head(last.seq, journal.digest_at(last.seq) or "")

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
