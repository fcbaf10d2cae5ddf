"""The SQLite file below the journal: made whole or not at all, opened for writing or only for reading."""

from __future__ import annotations

import errno
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import quote

from autopilot.adapters.files import sync_folder, translated
from autopilot.adapters.lock import FileLock
from autopilot.adapters.room import usable_bytes
from autopilot.model.errors import AutopilotError, CapReached, RecordBroken, Unavailable

LAYOUT = 1  # of the tables; the schema of events is counted apart, in every row
BUSY_S = 10.0
_TABLES = """
CREATE TABLE events (seq INTEGER PRIMARY KEY, run TEXT NOT NULL, key TEXT NOT NULL UNIQUE, at TEXT NOT NULL,
    kind TEXT NOT NULL, schema INTEGER NOT NULL, payload BLOB NOT NULL, prev TEXT NOT NULL, mac TEXT NOT NULL);
CREATE TABLE inbox (seq INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, run TEXT NOT NULL, kind TEXT NOT NULL,
    schema INTEGER NOT NULL, payload BLOB NOT NULL, taken INTEGER NOT NULL, mac TEXT NOT NULL);
CREATE TABLE prepared (name TEXT PRIMARY KEY, seq INTEGER NOT NULL, text TEXT NOT NULL);
"""

Rows = list[tuple[Any, ...]]


class Database(Protocol):
    def rows(self, sql: str, values: tuple[object, ...] = ()) -> Rows: ...

    def transaction(self) -> AbstractContextManager[sqlite3.Connection]:
        """All or nothing, and on disk when it ends without an error."""

    def close(self) -> None: ...


class WritableDatabase:
    """Safe to share between threads: one statement or one transaction at a time."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._turn = threading.RLock()
        if not path.exists():
            create(path)
        self._connection = _connect(path, "mode=rw")
        with _translated(path):
            self._connection.execute("PRAGMA synchronous=FULL")

    def rows(self, sql: str, values: tuple[object, ...] = ()) -> Rows:
        with self._turn, _translated(self._path):
            return self._connection.execute(sql, values).fetchall()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        with self._turn, _translated(self._path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            finally:
                # Still open only when something failed; SQLite itself may have rolled back already.
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    def close(self) -> None:
        with self._turn:
            self._connection.close()


class ReadableDatabase:
    """Reads beside a writer and leaves no trace: no file is made, a missing journal is an empty one.

    SQLite makes ``-wal`` and ``-shm`` files even for a read-only connection. With no writer about, the file is
    therefore opened as immutable; should a writer turn up meanwhile, the statement is read again beside it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._turn = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._still: tuple[int, ...] | None = None  # what the immutable file looked like when it was opened

    def rows(self, sql: str, values: tuple[object, ...] = ()) -> Rows:
        with self._turn, _translated(self._path):
            for _ in range(100):
                if self._connection is None and not self._open():
                    return []
                assert self._connection is not None
                try:
                    found = self._connection.execute(sql, values).fetchall()
                except sqlite3.DatabaseError:
                    if self._is_steady():
                        raise
                    found = []
                if self._is_steady():
                    return found
                self.close()
        raise Unavailable("the journal keeps changing while it is read", "Try again.")

    def transaction(self) -> AbstractContextManager[sqlite3.Connection]:
        raise AssertionError("this journal was opened for reading only")

    def close(self) -> None:
        with self._turn:
            if self._connection is not None:
                self._connection.close()
            self._connection = None

    def _open(self) -> bool:
        self._still = None if _wal(self._path).exists() else _looks(self._path)
        if not self._path.exists():
            return False
        self._connection = _connect(self._path, "mode=ro&immutable=1" if self._still else "mode=ro")
        return True

    def _is_steady(self) -> bool:
        return self._still is None or (self._still == _looks(self._path) and not _wal(self._path).exists())


def create(path: Path) -> None:
    """Make an empty journal under another name and link it into place: no process ever sees half of one."""
    draft = path.with_name(f".{path.name}.{os.urandom(6).hex()}")
    with _translated(path), translated(path):
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        try:
            _fill(draft)
            if not _is_whole(draft):
                raise OSError(errno.EIO, "what was written could not be read again")
            try:
                os.link(draft, path)
            except FileExistsError:
                return  # another process was first, and its journal is as good
        finally:
            for file in (draft, _wal(draft), _shm(draft)):
                file.unlink(missing_ok=True)
        sync_folder(path.parent)


def _fill(draft: Path) -> None:
    with closing(sqlite3.connect(draft, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.executescript(f"BEGIN; {_TABLES} PRAGMA user_version={LAYOUT}; COMMIT;")
        # Closing would do it too, but an error would not be reported then.
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _is_whole(draft: Path) -> bool:
    """Whether the file alone, without its log, holds every table. Linked into place otherwise, it would stay broken."""
    try:
        with closing(sqlite3.connect(f"{_uri(draft)}?mode=ro&immutable=1", uri=True)) as connection:
            layout = connection.execute("PRAGMA user_version").fetchone()
            problems = connection.execute("PRAGMA integrity_check").fetchall()
            tables = connection.execute("SELECT count(*) FROM sqlite_schema WHERE type = 'table'").fetchone()
    except sqlite3.DatabaseError:
        return False
    return (layout, problems, tables) == ((LAYOUT,), [("ok",)], (_TABLES.count("CREATE TABLE"),))


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    """Never beside a process of another host: SQLite's log is shared memory, and even a reader would break it."""
    FileLock(path.with_name("lock")).refuse_other_host()
    with _translated(path):
        connection = sqlite3.connect(
            f"{_uri(path)}?{mode}",
            uri=True,
            timeout=BUSY_S,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=32,
        )
        try:
            layout = connection.execute("PRAGMA user_version").fetchone()[0]
        except sqlite3.Error:
            connection.close()
            raise
    if layout == LAYOUT:
        return connection
    connection.close()
    if layout > LAYOUT:
        raise Unavailable(f"{path} was written by a newer Autopilot (layout {layout})", "Update Autopilot.")
    raise RecordBroken(f"the record of runs is empty or damaged: {path}", _remedy(path))


def _remedy(path: Path) -> str:
    away = f"move its folder {path.parent} away and run again"
    return f"Put it back from a backup, or {away}; what has landed stays in git."


def _uri(path: Path) -> str:
    return f"file:{quote(os.fsencode(path.absolute()))}"


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise _explain(error, path) from error


def _explain(error: sqlite3.Error | UnicodeDecodeError, path: Path) -> AutopilotError:
    # Values that are no valid text carry no code: SQLite read them, Python refused them.
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    # Without an inode for its log, SQLite says only that it cannot open a file.
    if code == sqlite3.SQLITE_FULL or (code in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN) and _is_full(path)):
        return CapReached(
            "the disk is full", f"Free some space where {path} is, then run again: nothing recorded is lost."
        )
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CONSTRAINT):
        return RecordBroken(f"the record of runs is damaged: {path} ({error})", _remedy(path))
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return Unavailable("another process keeps the journal busy", "Try again; `autopilot status` shows who runs.")
    return Unavailable(f"{path} cannot be used: {error}", "Check the disk and the permissions of that folder.")


def _is_full(path: Path) -> bool:
    return path.parent.exists() and usable_bytes(path.parent) < 65_536


def _wal(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def _shm(path: Path) -> Path:
    return path.with_name(f"{path.name}-shm")


def _looks(path: Path) -> tuple[int, ...]:
    try:
        facts = path.stat()
    except FileNotFoundError:
        return ()
    return facts.st_ino, facts.st_size, facts.st_mtime_ns
