"""A journal in memory, for tests: the same promises, kept for as long as the process lives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from autopilot.adapters.journal.chain import Row, extend, sealable, stored, verify
from autopilot.adapters.journal.snapshots import parse_snapshot, render_snapshot
from autopilot.events.anchor import anchor_text, check_anchor
from autopilot.events.codec import decode
from autopilot.events.entry import Entry, Head, Message, Stored
from autopilot.ports.clock import Clock


class MemoryJournal:
    def __init__(self, clock: Clock, key: bytes = bytes(32)) -> None:
        self._clock = clock
        self._secret = key
        self._rows: list[Row] = []
        self._by_key: dict[str, Row] = {}
        self._inbox: dict[str, Message] = {}
        self._taken: set[str] = set()
        self._prepared: dict[str, tuple[int, str]] = {}
        self._snapshots: dict[str, bytes] = {}

    def read(self, run: str | None = None, after: Head | None = None) -> Iterator[Stored]:
        if after is not None:
            check_anchor(self, anchor_text(after))
        known = after or Head(0, "")
        for row in verify(self._secret, tuple(self._rows[known.seq :]), known):
            if run is None or row.run == run:
                yield stored(row)

    def append(self, entries: Sequence[Entry]) -> tuple[Stored, ...]:
        last = self._rows[-1] if self._rows else None
        rows = extend(self._secret, last, self._clock, entries, self._by_key.get)
        self._rows.extend(rows)
        self._by_key.update((row.key, row) for row in rows)
        return tuple(stored(row) for row in rows)

    def head(self) -> Head:
        return Head(self._rows[-1].seq, self._rows[-1].mac) if self._rows else Head(0, "")

    def digest_at(self, seq: int) -> str | None:
        return self._rows[seq - 1].mac if 0 < seq <= len(self._rows) else None

    def keep_snapshot(self, name: str, head: Head, payload: bytes) -> None:
        self._snapshots[name] = render_snapshot(self._secret, name, head, payload)

    def snapshot(self, name: str) -> tuple[Head, bytes] | None:
        found = parse_snapshot(self._secret, name, self._snapshots.get(name, b""))
        return found if found and self.digest_at(found[0].seq) == found[0].digest else None

    def post(self, message: Message) -> Message:
        event = decode(*sealable(message.event))
        return self._inbox.setdefault(message.key, Message(message.key, message.run, event))

    def inbox(self) -> tuple[Message, ...]:
        return tuple(message for key, message in self._inbox.items() if key not in self._taken)

    def mark_taken(self, key: str) -> None:
        if key not in self._inbox:
            raise AssertionError(f"no message {key} is in the inbox")
        self._taken.add(key)

    def prepare(self, seq: int, texts: Mapping[str, str]) -> None:
        self._prepared |= {name: (seq, text) for name, text in texts.items()}

    def prepared(self, name: str) -> tuple[int, str] | None:
        return self._prepared.get(name)

    def close(self) -> None:
        """Nothing to let go of."""
