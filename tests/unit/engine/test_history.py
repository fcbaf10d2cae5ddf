"""Every run of a repository, told from a snapshot as from the whole record. covers: T7"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from autopilot.adapters.clock import SteppedClock
from autopilot.adapters.journal.memory import MemoryJournal
from autopilot.api.log_snapshot import load_log
from autopilot.engine.history import SNAPSHOT, History, load_history, load_run, read_history
from autopilot.events.debugging.state import DebugState
from autopilot.events.drafting.state import DraftState
from autopilot.events.entry import Entry
from autopilot.events.state import RunState
from autopilot.model.debugging.session import DebugBrief
from autopilot.model.planning.draft import DraftBrief
from autopilot.reports.event_log.log import event_log
from tests.unit.events.golden.reading import FOLDER, read_golden
from tests.unit.making import START, make_state

GOLDEN = sorted(FOLDER.glob("*.jsonl"))


def record(path: Path) -> Iterator[Entry]:
    for stored in read_golden(path):
        yield Entry(stored.run, stored.key, stored.event)


def test_there_are_golden_journals_to_try() -> None:
    assert len(GOLDEN) >= 4


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_snapshot_taken_anywhere_leads_to_the_state_and_the_log_of_the_whole_record(path: Path) -> None:
    entries = list(record(path))
    run = entries[0].run
    for cut in range(1, len(entries), max(1, len(entries) // 12)):
        journal = MemoryJournal(SteppedClock())
        journal.append(entries[:cut])
        load_history(journal, snapshot_every=1)
        load_log(journal, run, cut + 1, snapshot_every=1)
        assert journal.snapshot(SNAPSHOT) is not None
        journal.append(entries[cut:])
        whole = read_history(journal.read())
        assert load_history(journal) == whole
        assert list(load_history(journal).runs) == list(whole.runs)
        assert load_run(journal, run) == whole.runs[run]
        rows = load_log(journal, run, len(entries) + 1)
        assert msgspec.json.encode(rows) == msgspec.json.encode(event_log(journal.read(run)))


def test_a_snapshot_is_taken_only_when_much_was_recorded_since_the_last() -> None:
    entries = list(record(GOLDEN[0]))
    journal = MemoryJournal(SteppedClock())
    journal.append(entries[:5])
    load_history(journal, snapshot_every=6)
    assert journal.snapshot(SNAPSHOT) is None
    load_history(journal, snapshot_every=5)
    first = journal.snapshot(SNAPSHOT)
    assert first is not None and first[0].seq == 5
    journal.append(entries[5:8])
    load_history(journal, snapshot_every=5)
    assert journal.snapshot(SNAPSHOT) == first
    load_history(journal, snapshot_every=3)
    second = journal.snapshot(SNAPSHOT)
    assert second is not None and second[0].seq == 8


def test_a_draft_hides_no_debug_session_of_that_name() -> None:
    session = make_state(run="run-1", debugging=DebugState(DebugBrief("draft", "the draft is empty"), START, START))
    draft = make_state(run="run-2", drafting=DraftState(DraftBrief("guests can pay by card")))
    runs = {run.run: run for run in (session, draft)}
    assert [run.run for run in History(runs).all_unfinished] == ["run-1", "run-2"]


def test_a_snapshot_that_cannot_be_read_is_as_good_as_none() -> None:
    entries = list(record(GOLDEN[0]))
    journal = MemoryJournal(SteppedClock())
    journal.append(entries)
    for payload in (b"", b"\xff", msgspec.msgpack.encode({"r": 1}), msgspec.msgpack.encode([RunState()])):
        for name in (SNAPSHOT, "log"):
            journal.keep_snapshot(name, journal.head(), payload)
        assert load_history(journal) == read_history(journal.read())
        assert load_log(journal, entries[0].run, len(entries) + 1) == event_log(journal.read(entries[0].run))


def test_the_log_of_another_run_or_of_later_entries_is_not_taken_for_this_one() -> None:
    entries = list(record(GOLDEN[0]))
    run = entries[0].run
    journal = MemoryJournal(SteppedClock())
    journal.append(entries)
    load_log(journal, run, len(entries) + 1, snapshot_every=1)
    assert load_log(journal, "another run", len(entries) + 1) == []
    early = [stored for stored in journal.read(run) if stored.seq < 9]
    assert load_log(journal, run, 9) == event_log(early)
