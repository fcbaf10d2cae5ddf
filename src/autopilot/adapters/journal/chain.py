"""The chain: every row sealed with a key and tied to the row before it."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import msgspec

from autopilot.adapters.journal.seal import seal_row
from autopilot.events.anchor import check_anchor
from autopilot.events.codec import KINDS, SCHEMA, decode, encode
from autopilot.events.entry import Entry, Head, Stored
from autopilot.events.happened import Event
from autopilot.model.errors import RecordBroken, Unavailable
from autopilot.model.stored_text import named_texts
from autopilot.ports.clock import Clock
from autopilot.ports.journal import Journal

REMEDY = (
    "Autopilot has not touched it. Put journal.db back from a backup, or move its folder away and run again: "
    "what was landed stays in git."
)


@contextmanager
def naming_folder(folder: Path) -> Iterator[None]:
    """A user who is to move "its folder" away has to know which it is."""
    try:
        yield
    except RecordBroken as error:
        if str(folder) not in error.hint:
            error.hint = error.hint.replace("move its folder away", f"move its folder {folder} away")
        raise


class Row(NamedTuple):
    """One line of the journal as it is kept. ``mac`` seals everything before it, ``prev`` included."""

    seq: int
    run: str
    key: str
    time: str  # UTC, always the same width: text order is time order
    kind: str
    schema: int
    payload: bytes
    prev: str
    mac: str


_TYPES = (int, str, str, str, str, int, bytes, str, str)


def verify(secret: bytes, rows: Iterable[Row], after: Head) -> Iterator[Row]:
    """The rows, each checked to be whole and to follow the one before; RecordBroken names the first that is not."""
    seq, mac = after.seq, after.digest
    for row in rows:
        if row.seq != seq + 1:
            raise broken(seq + 1, f"it is missing; entry {row.seq} stands in its place")
        if row.prev != mac:
            raise broken(row.seq, "it does not follow the entry before it")
        check_seal(secret, row)
        seq, mac = row.seq, row.mac
        yield row


def check_seal(secret: bytes, row: Row) -> None:
    if tuple(map(type, row)) != _TYPES:
        raise broken(row.seq, "its content is not in the form that Autopilot writes")
    if not hmac.compare_digest(seal_row(secret, row).encode(), row.mac.encode()):
        raise broken(row.seq, "its content does not match its seal")


def extend(
    secret: bytes, last: Row | None, clock: Clock, entries: Sequence[Entry], find: Callable[[str], Row | None]
) -> tuple[Row, ...]:
    """The rows that a batch adds after ``last``; entries that are there already are left out.

    The clock may have been set back, the record does not go back: no row is older than the one before it. The clock
    goes on from there, or every row would bear the same time until the wall clock has caught up, perhaps in a year.
    """
    if last is not None:
        clock.catch_up(datetime.fromisoformat(last.time))
    stamp = clock.now().astimezone(UTC).isoformat(timespec="microseconds")
    added: dict[str, Row] = {}
    for entry in entries:
        kind, payload = sealable(entry.event)
        earlier = added.get(entry.key) or find(entry.key)
        if earlier is None:
            time = stamp if last is None else max(stamp, last.time)
            seq, prev = (1, "") if last is None else (last.seq + 1, last.mac)
            last = Row(seq, entry.run, entry.key, time, kind, SCHEMA, payload, prev, "")
            last = added[entry.key] = last._replace(mac=seal_row(secret, last))
        elif (earlier.run, earlier.kind) != (entry.run, kind) or not _same(earlier, payload):
            raise AssertionError(f"{entry.key} is recorded already as entry {earlier.seq}, with other content")
    return tuple(added.values())


def continue_chain(secret: bytes, last: Row | None, rows: Sequence[Row]) -> tuple[Row, ...]:
    """The same rows behind ``last``: what happened and when stays, place and seal are ours."""
    sealed: list[Row] = []
    for row in rows:
        seq, prev = (last.seq + 1, last.mac) if last else (1, "")
        moved = row._replace(seq=seq, prev=prev)
        last = moved._replace(mac=seal_row(secret, moved))
        sealed.append(last)
    return tuple(sealed)


def check_links(rows: Sequence[Row]) -> None:
    """Of a chain whose key is elsewhere: that no row is missing, and each names the one before it."""
    mac = ""
    for number, row in enumerate(rows, 1):
        if row.seq != number or row.prev != mac:
            raise broken(number, "it does not follow the entry before it")
        mac = row.mac


def sealable(event: Event) -> tuple[str, bytes]:
    """Kind and bytes of an event, tried: what cannot be read back must never be sealed into the record."""
    kind, payload = encode(event)
    try:
        decode(kind, payload)
    except msgspec.ValidationError as error:
        raise AssertionError(f"this {kind} could not be read back: {error}") from error
    return kind, payload


def stored(row: Row) -> Stored:
    event = read_event(row.kind, row.schema, row.payload, f"entry {row.seq}")
    return Stored(row.seq, datetime.fromisoformat(row.time), row.run, row.key, event)


def read_event(kind: str, schema: int, payload: bytes, subject: str) -> Event:
    """The event, or Unavailable: its seal was whole, so it is this program that is too old, not the record broken."""
    try:
        if schema <= SCHEMA and kind in KINDS:
            return decode(kind, payload)
        reason = f"schema {schema}, kind {kind}"
    except msgspec.ValidationError as error:
        reason = f"{kind}: {error}"
    raise Unavailable(
        f"{subject} of the journal was written by a newer Autopilot ({reason})",
        "Update Autopilot, or use the version that made this run.",
    )


def seal(secret: bytes, *parts: bytes) -> str:
    """HMAC over parts with their lengths, so that no two lists of parts look the same."""
    return hmac.digest(secret, b"".join(b"%d:%b," % (len(part), part) for part in parts), "sha256").hex()


def _same(row: Row, payload: bytes) -> bool:
    """Equal as bytes, or equal as events: an older schema may have spelt the same event otherwise."""
    if row.payload == payload:
        return True
    return row.schema < SCHEMA and decode(row.kind, row.payload) == decode(row.kind, payload)


def broken(seq: int, subject: str) -> RecordBroken:
    return RecordBroken(f"the record was altered at entry {seq}: {subject}", REMEDY)


class RecordCheck(msgspec.Struct, frozen=True):
    """What `log verify` found when nothing was wrong."""

    events: int
    runs: int
    head: Head
    anchored: str  # the last anchor that matched, "" without one
    texts: frozenset[str]  # digests of the stored texts that the events name


def verify_record(journal: Journal, anchors: Sequence[str] = ()) -> RecordCheck:
    """Read the whole record and hold it against its anchors. RecordBroken at the first thing that is not whole."""
    runs: list[str] = []
    texts: set[str] = set()
    for stored in journal.read():
        runs.append(stored.run)
        texts.update(named_texts(stored.event))
    for text in anchors:
        check_anchor(journal, text)
    return RecordCheck(len(runs), len(set(runs)), journal.head(), anchors[-1] if anchors else "", frozenset(texts))
