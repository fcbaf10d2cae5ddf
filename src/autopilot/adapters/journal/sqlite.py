"""The journal of one repository in one SQLite file."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from autopilot.adapters.files import write_atomically
from autopilot.adapters.journal.background import BackgroundCheck
from autopilot.adapters.journal.chain import (
    Row,
    broken,
    check_seal,
    continue_chain,
    extend,
    naming_folder,
    stored,
    verify,
)
from autopilot.adapters.journal.database import Database, ReadableDatabase, WritableDatabase
from autopilot.adapters.journal.inbox import Letter, read_letter, take_letter, write_letter
from autopilot.adapters.journal.snapshots import parse_snapshot, render_snapshot
from autopilot.events.anchor import anchor_text, check_anchor
from autopilot.events.entry import Entry, Head, Message, Stored
from autopilot.model.errors import CapReached, RecordBroken, Unavailable
from autopilot.ports.clock import Clock

_BATCH = 2_000
_COLUMNS = "seq, run, key, at, kind, schema, payload, prev, mac"
_INBOX = "seq, key, run, kind, schema, payload, taken, mac"
_FIRST = -(1 << 63)  # a row before number one is a row too much, and must be seen


class SqliteJournal:
    """``readonly`` makes no file and needs no lock; a journal that does not exist reads as an empty one.

    Nothing is redacted here: an event holds commands and paths that must stay what they are. Words from outside are
    redacted where they enter, as blobs.
    """

    def __init__(
        self,
        path: Path,
        key: bytes,
        clock: Clock,
        *,
        readonly: bool = False,
    ) -> None:
        self._secret = key
        self._clock = clock
        self._recorder = 0  # the thread that records; parts of a phase run in others and hand it what happened
        self._folder = path.parent
        self._check: BackgroundCheck | None = None  # of what stands before a snapshot that was used
        self._seen: Row | None = None  # what this process recorded last: the record never loses it under our eyes
        self._database: Database = ReadableDatabase(path) if readonly else WritableDatabase(path)

    def read(self, run: str | None = None, after: Head | None = None) -> Iterator[Stored]:
        """Checks the whole chain, whichever run is asked for: a hole elsewhere is a hole in the record."""
        with naming_folder(self._folder):
            if after is not None:
                check_anchor(self, anchor_text(after))
            known = after or Head(0, "")
            for row in verify(self._secret, self._rows(known.seq + 1 if known.seq else _FIRST), known):
                if run is None or row.run == run:
                    yield stored(row)

    def rows(self) -> tuple[Row, ...]:
        """The whole chain as it is kept, checked: to be carried to another machine."""
        with naming_folder(self._folder):
            return tuple(verify(self._secret, self._rows(_FIRST), Head(0, "")))

    def take_over(self, rows: Sequence[Row]) -> None:
        """Record rows of another machine behind our own, as they are, sealed with our key and tied to our chain."""
        with self._database.transaction() as connection:
            sealed = continue_chain(self._secret, self._last(), rows)
            connection.executemany(f"INSERT INTO events ({_COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?)", sealed)
        if sealed:
            self._seen = sealed[-1]

    def append(self, entries: Sequence[Entry]) -> tuple[Stored, ...]:
        self._recorder = self._recorder or threading.get_ident()
        assert self._recorder == threading.get_ident(), "one thread alone records, or the order would be chance"
        if self._check is not None:
            self._check.raise_fault()
        with self._database.transaction() as connection:
            rows = extend(self._secret, self._last(), self._clock, entries, self._find)
            connection.executemany(f"INSERT INTO events ({_COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?)", rows)
        if rows:
            self._seen = rows[-1]
        # Folded is what will be read back, so that a replay comes to the same state.
        return tuple(stored(row) for row in rows)

    def head(self) -> Head:
        last = self._last()
        return Head(last.seq, last.mac) if last else Head(0, "")

    def digest_at(self, seq: int) -> str | None:
        row = self._checked(self._database.rows(f"SELECT {_COLUMNS} FROM events WHERE seq = ?", (seq,)))
        return row.mac if row else None

    def keep_snapshot(self, name: str, head: Head, payload: bytes) -> None:
        with suppress(CapReached, Unavailable):  # without one, all of the record is read
            write_atomically(self._snapshot_file(name), render_snapshot(self._secret, name, head, payload), 0o600)

    def snapshot(self, name: str) -> tuple[Head, bytes] | None:
        try:
            content = self._snapshot_file(name).read_bytes()
        except OSError:
            return None
        found = parse_snapshot(self._secret, name, content)
        if found is None or self.digest_at(found[0].seq) != found[0].digest:
            return None
        if self._check is None:
            self._check = BackgroundCheck(self._secret, self._rows(_FIRST))
        return found

    def post(self, message: Message) -> Message:
        with self._database.transaction() as connection:
            earlier = self._letter(message.key)
            if earlier is None:
                [(last,)] = connection.execute("SELECT coalesce(max(seq), 0) FROM inbox").fetchall()
                earlier = write_letter(self._secret, last + 1, message)
                connection.execute(f"INSERT INTO inbox ({_INBOX}) VALUES (?,?,?,?,?,?,?,?)", earlier)
        return read_letter(self._secret, earlier)

    def inbox(self) -> tuple[Message, ...]:
        rows = self._database.rows(f"SELECT {_INBOX} FROM inbox WHERE taken IS NOT 1 ORDER BY seq")
        return tuple(read_letter(self._secret, Letter(*row)) for row in rows)

    def mark_taken(self, key: str) -> None:
        with self._database.transaction() as connection:
            letter = self._letter(key)
            if letter is None:
                raise AssertionError(f"no message {key} is in the inbox")
            taken = take_letter(self._secret, letter)
            connection.execute("UPDATE inbox SET taken = ?, mac = ? WHERE key = ?", (taken.taken, taken.mac, key))

    def prepare(self, seq: int, texts: Mapping[str, str]) -> None:
        rows = [(name, seq, text) for name, text in texts.items()]
        with self._database.transaction() as connection:
            connection.executemany("INSERT OR REPLACE INTO prepared (name, seq, text) VALUES (?,?,?)", rows)

    def prepared(self, name: str) -> tuple[int, str] | None:
        rows = self._database.rows("SELECT seq, text FROM prepared WHERE name = ?", (name,))
        return rows[0] if rows else None

    def close(self) -> None:
        if self._check is not None:
            self._check.stop()
        self._database.close()

    def _snapshot_file(self, name: str) -> Path:
        return self._folder / f"{name}.snapshot"

    def _rows(self, first: int) -> Iterator[Row]:
        """Batch by batch up to where the record ended at the start: no statement stays open meanwhile."""
        [(end,)] = self._database.rows("SELECT max(seq) FROM events") or [(None,)]
        if end is not None and not isinstance(end, int):
            raise broken(max(first, 1), "it or one after it has a number that is none")
        while end is not None and first <= end:
            sql = f"SELECT {_COLUMNS} FROM events WHERE seq BETWEEN ? AND ? ORDER BY seq LIMIT {_BATCH}"
            try:
                rows = self._database.rows(sql, (first, end))
            except RecordBroken as error:
                raise broken(max(first, 1), f"it or one soon after cannot be read ({error})") from error
            if not rows:
                raise broken(max(first, 1), "it is missing")
            yield from map(Row._make, rows)
            first = rows[-1][0] + 1

    def _last(self) -> Row | None:
        rows = self._database.rows(f"SELECT {_COLUMNS} FROM events ORDER BY seq DESC LIMIT 1")
        seen = self._seen
        if seen is not None and rows and rows[0] == seen:
            return seen  # to the last byte what we sealed ourselves: its seal need not be computed again
        row = self._checked(rows)
        if seen is not None and (row is None or row.seq < seen.seq or (row.seq == seen.seq and row.mac != seen.mac)):
            raise broken(seen.seq, "it was recorded by this process and is gone")
        return row

    def _find(self, key: str) -> Row | None:
        return self._checked(self._database.rows(f"SELECT {_COLUMNS} FROM events WHERE key = ?", (key,)))

    def _checked(self, rows: list[tuple[object, ...]]) -> Row | None:
        if not rows:
            return None
        row = Row._make(rows[0])
        check_seal(self._secret, row)
        return row

    def _letter(self, key: str) -> Letter | None:
        rows = self._database.rows(f"SELECT {_INBOX} FROM inbox WHERE key = ?", (key,))
        return Letter(*rows[0]) if rows else None
