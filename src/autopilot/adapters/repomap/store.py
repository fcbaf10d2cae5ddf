"""Facts in SQLite, a row for each text: by the id of its content, its language, and the version of what read it.

It is a cache: what cannot be read of it is thrown away and made again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from autopilot.adapters.files import translated
from autopilot.adapters.repomap.worker import Parsed
from autopilot.model.errors import CapReached, Unavailable
from autopilot.model.repomap.facts import Class, Export, FileFacts, Function

_LAYOUT = 1
_TABLES = """
CREATE TABLE IF NOT EXISTS facts (blob TEXT NOT NULL, language TEXT NOT NULL, version TEXT NOT NULL,
    partial INTEGER NOT NULL, facts BLOB NOT NULL);
CREATE UNIQUE INDEX IF NOT EXISTS by_text ON facts (blob, language, version);
CREATE TABLE IF NOT EXISTS kept (name TEXT PRIMARY KEY, value BLOB NOT NULL);
"""
_BUSY_S = 10.0
_DECODER = msgspec.msgpack.Decoder(FileFacts)
_SPARE = 4  # rows that a map may keep for each file that it has, of other branches and earlier commits

Key = tuple[str, str, str]  # blob, language, version


class _Outline(msgspec.Struct, frozen=True, array_like=True):
    """The beginning of ``FileFacts``: imports are stepped over, and what follows is not looked at."""

    language: str
    lines: int
    exports: tuple[Export, ...]
    imports: msgspec.Raw
    functions: tuple[Function, ...]
    classes: tuple[Class, ...]


_OUTLINES = msgspec.msgpack.Decoder(_Outline)


def _decode_outline(facts: bytes) -> FileFacts:
    seen = _OUTLINES.decode(facts)
    return FileFacts(seen.language, seen.lines, seen.exports, (), seen.functions, seen.classes)


class FactStore:
    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._connection = self._open()
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError) and not path.exists():
                raise _explain(error, path) from error
            self._discard()
            with self._explained():
                self._connection = self._open()

    def known(self) -> set[Key]:
        with self._explained():
            # One that timed out is tried again: the machine may have been busy.
            return set(self._connection.execute("SELECT blob, language, version FROM facts WHERE partial < 2"))

    def partial(self) -> set[Key]:
        with self._explained():
            return set(self._connection.execute("SELECT blob, language, version FROM facts WHERE partial"))

    def add(self, rows: list[Parsed], versions: dict[str, str]) -> None:
        with self._explained():
            self._connection.executemany(
                "INSERT OR REPLACE INTO facts VALUES (?, ?, ?, ?, ?)",
                ((blob, language, versions[language], partial, facts) for blob, language, partial, facts in rows),
            )
            self._connection.commit()

    def load(self, keys: set[Key], *, with_links: bool = True) -> dict[tuple[str, str], FileFacts]:
        """By blob and language; without links: no imports and no calls."""
        decode = _DECODER.decode if with_links else _decode_outline
        found: dict[tuple[str, str], FileFacts] = {}
        with self._explained():
            for blob, language, version, facts in self._connection.execute(
                "SELECT blob, language, version, facts FROM facts"
            ):
                if (blob, language, version) in keys:
                    found[blob, language] = decode(_bytes(facts))
        return found

    def prune(self, keys: set[Key]) -> None:
        """Leave these alone, once there are far more."""
        with self._explained():
            (rows,) = self._connection.execute("SELECT count(*) FROM facts").fetchone()
            if rows <= _SPARE * len(keys) + 1_000:
                return
            gone = [key for key in self.known() if key not in keys]
            self._connection.executemany("DELETE FROM facts WHERE blob = ? AND language = ? AND version = ?", gone)
            self._connection.commit()

    def keep(self, name: str, value: bytes) -> None:
        with self._explained():
            self._connection.execute("INSERT OR REPLACE INTO kept VALUES (?, ?)", (name, value))
            self._connection.commit()

    def kept(self, name: str) -> bytes:
        with self._explained():
            row = self._connection.execute("SELECT value FROM kept WHERE name = ?", (name,)).fetchone()
        return _bytes(row[0]) if row else b""

    def start_over(self) -> None:
        """Throw away all that is kept."""
        self._connection.close()
        self._discard()
        with self._explained():
            self._connection = self._open()

    def close(self) -> None:
        self._connection.close()

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=_BUSY_S)
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=OFF")  # what a power cut takes is parsed again
            (layout,) = connection.execute("PRAGMA user_version").fetchone()
            if layout not in (0, _LAYOUT):
                raise sqlite3.DatabaseError("another layout")
            connection.executescript(f"{_TABLES} PRAGMA user_version={_LAYOUT};")
        except sqlite3.Error:
            connection.close()
            raise
        self._path.chmod(0o600)
        return connection

    def _discard(self) -> None:
        with translated(self._path):
            for suffix in ("", "-wal", "-shm"):
                self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise _explain(error, self._path) from error


def _bytes(value: object) -> bytes:
    """A value that was altered may be of any type."""
    if not isinstance(value, bytes):
        raise msgspec.DecodeError("it is not what was kept")
    return value


def _explain(error: sqlite3.Error, path: Path) -> Unavailable | CapReached:
    if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL:
        return CapReached("the disk is full", f"Free some space where {path} is, then run again.")
    return Unavailable(f"the repository map cannot be used: {error}", f"Remove {path}: it is a cache.")
