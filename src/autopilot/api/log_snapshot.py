"""The event log of a long run, kept beside the record so that a resume need not render all of it again."""

from __future__ import annotations

from itertools import takewhile
from typing import Any

import msgspec

from autopilot.engine.history import SNAPSHOT_EVERY, Counted
from autopilot.events.entry import Head
from autopilot.events.state import RunState
from autopilot.ports.journal import Journal
from autopilot.reports.event_log.log import EventLog

SNAPSHOT = "log"


class LogSnapshot(msgspec.Struct, frozen=True):
    """The log of one run up to an entry. Its rows are JSON, because they are only written out again."""

    state: RunState
    rows: bytes


def load_log(journal: Journal, run: str, before: int, snapshot_every: int = SNAPSHOT_EVERY) -> list[Any]:
    """The rows of a run before that entry. Only the holder of the lock may call it, as `load_history`."""
    after, log = _load_snapshot(journal, run, before)
    entries = Counted(takewhile(lambda stored: stored.seq < before, journal.read(run, after)))
    log.extend(entries)
    digest = journal.digest_at(entries.last)
    if entries.count >= snapshot_every and digest is not None:
        snapshot = LogSnapshot(log.state, msgspec.json.encode(log.rows))
        journal.keep_snapshot(SNAPSHOT, Head(entries.last, digest), msgspec.msgpack.encode(snapshot))
    return log.rows


def _load_snapshot(journal: Journal, run: str, before: int) -> tuple[Head | None, EventLog]:
    found = journal.snapshot(SNAPSHOT)
    if found is None or found[0].seq >= before:
        return None, EventLog()
    try:
        snapshot = msgspec.msgpack.decode(found[1], type=LogSnapshot)
    except msgspec.MsgspecError:  # written through another version of the library
        return None, EventLog()
    if snapshot.state.run != run:
        return None, EventLog()
    return found[0], EventLog(snapshot.state, list(msgspec.json.decode(snapshot.rows, type=list[msgspec.Raw])))
