"""The journal: key, creation, appends with checkpoints in between, messages, and sealed snapshots of the state."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path

from autopilot.adapters.clock import SteppedClock
from autopilot.adapters.home import Home, home_of, open_home
from autopilot.adapters.journal.sqlite import SqliteJournal
from autopilot.adapters.key import open_key
from autopilot.events.entry import Entry, Message
from autopilot.events.happened import Warned
from tests.chaos.power_loss.pieces.piece import latest
from tests.chaos.power_loss.promising import promise

_SESSIONS = ("first", "second", "third")
_APPENDS = 5  # per session


class JournalPiece:
    def prepare(self, folder: Path) -> None:
        (folder / "state").mkdir()

    def perform(self, folder: Path) -> None:
        for session in _SESSIONS:
            home = open_home(folder / "state", folder / "repository")
            journal = open_journal(home)
            promise(f"key 0 {home.key.read_bytes().hex()}")
            for number in range(_APPENDS):
                self.append(journal, [_entry(f"{session}-{number}-{part}") for part in range(1 + number % 2)])
                if number == 1:
                    journal.post(Message(f"message-{session}", "r1", Warned("asked")))
                    promise(f"message {session} -")
                if number == 2:
                    _checkpoint(home.journal)
                if number == 3:
                    journal.keep_snapshot("state", journal.head(), f"state of {session}".encode() * 300)
            journal.close()

    def append(self, journal: SqliteJournal, entries: Sequence[Entry]) -> None:
        journal.append(entries)
        for entry in entries:
            promise(f"entry {entry.key} -")

    def judge(self, folder: Path, promised: Sequence[str]) -> None:
        home = home_of(folder / "state", folder / "repository")
        known = latest(promised, "key")
        readonly = SqliteJournal(home.journal, _key_or_nothing(home), SteppedClock(), readonly=True)
        with closing(readonly):
            seen = [stored.key for stored in readonly.read()]
        home = open_home(folder / "state", folder / "repository")
        journal = open_journal(home)
        with closing(journal):
            if known:
                assert home.key.read_bytes().hex() == known["0"], "the key is another one"
            keys = [stored.key for stored in journal.read()]
            assert keys == seen, "readers and the writer see different records"
            acknowledged = list(latest(promised, "entry"))
            assert keys[: len(acknowledged)] == acknowledged, f"lost: {acknowledged}, found: {keys}"
            assert keys == _all_keys()[: len(keys)], f"more than was recorded: {keys}"
            messages = {message.key for message in journal.inbox()}
            assert messages >= {f"message-{session}" for session in latest(promised, "message")}, "a message is lost"
            snapshot = journal.snapshot("state")
            assert snapshot is None or snapshot[1][:8] == b"state of", "a false snapshot is believed"
            journal.append([_entry("after")])
            assert journal.head().seq == len(keys) + 1


def open_journal(home: Home) -> SqliteJournal:
    return SqliteJournal(home.journal, open_key(home.key, home.journal), SteppedClock())


def _key_or_nothing(home: Home) -> bytes:
    return home.key.read_bytes() if home.key.exists() else bytes(32)


def _entry(key: str) -> Entry:
    return Entry("r1", key, Warned(f"{key} " * 200))


def _all_keys() -> list[str]:
    return [f"{session}-{n}-{part}" for session in _SESSIONS for n in range(_APPENDS) for part in range(1 + n % 2)]


def _checkpoint(path: Path) -> None:
    """As SQLite does by itself after a thousand pages: what comes next overwrites the log from its start.

    Where the disk fails it is left for later, as SQLite leaves it.
    """
    with closing(sqlite3.connect(path)) as connection, suppress(sqlite3.Error):
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
