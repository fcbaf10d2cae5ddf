"""A snapshot is a cache: used only where it says what the record says, and ignored in every other case. covers: T7"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from autopilot.adapters.journal.chain import seal, verify_record
from autopilot.adapters.journal.snapshots import Snapshot, fingerprint, render_snapshot
from autopilot.adapters.journal.sqlite import SqliteJournal
from autopilot.events.entry import Head
from autopilot.model.errors import RecordBroken
from autopilot.ports.journal import Journal

COUNT = 6
PAYLOAD = b"what six entries came to"


@pytest.fixture
def file(tmp_path: Path, open_sqlite: Callable[..., SqliteJournal], warn: Callable) -> Path:
    """Of a journal with a snapshot at its fourth entry."""
    journal = open_sqlite()
    for number in range(4):
        journal.append([warn(number)])
    journal.keep_snapshot("runs", journal.head(), PAYLOAD)
    for number in range(4, COUNT):
        journal.append([warn(number)])
    journal.close()
    return tmp_path / "runs.snapshot"


def test_what_is_kept_is_found_with_the_place_it_was_taken_at(journal: Journal, warn: Callable) -> None:
    assert journal.snapshot("runs") is None
    journal.append([warn(1), warn(2)])
    head = journal.head()
    journal.keep_snapshot("runs", head, PAYLOAD)
    journal.append([warn(3)])
    assert journal.snapshot("runs") == (head, PAYLOAD)
    assert journal.snapshot("log") is None
    assert [stored.key for stored in journal.read(after=head)] == ["r1/3"]
    journal.keep_snapshot("runs", journal.head(), b"more")
    assert journal.snapshot("runs") == (journal.head(), b"more")


def test_one_of_an_entry_that_is_not_in_the_record_is_ignored(journal: Journal, warn: Callable) -> None:
    journal.append([warn(1), warn(2)])
    for head in (Head(2, journal.digest_at(1) or ""), Head(3, journal.head().digest), Head(0, ""), Head(-1, "")):
        journal.keep_snapshot("runs", head, PAYLOAD)
        assert journal.snapshot("runs") is None, head


def test_it_is_found_by_the_next_process_and_by_one_that_only_reads(file: Path, open_sqlite: Callable) -> None:
    assert file.stat().st_mode & 0o777 == 0o600
    for readonly in (False, True):
        head, payload = open_sqlite(readonly=readonly).snapshot("runs")
        assert (head.seq, payload) == (4, PAYLOAD)


def test_a_change_of_any_byte_makes_it_void(file: Path, open_sqlite: Callable) -> None:
    whole, journal = file.read_bytes(), open_sqlite()
    for place in range(len(whole)):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert journal.snapshot("runs") is None, place
    for length in range(len(whole)):
        file.write_bytes(whole[:length])
        assert journal.snapshot("runs") is None, length
    file.write_bytes(whole)
    assert journal.snapshot("runs") is not None  # the control


def test_one_under_another_name_or_sealed_with_another_key_is_ignored(file: Path, open_sqlite: Callable) -> None:
    journal = open_sqlite()
    file.with_name("log.snapshot").write_bytes(file.read_bytes())
    assert journal.snapshot("log") is None
    head = Head(4, journal.digest_at(4))
    file.write_bytes(render_snapshot(bytes(32), "runs", head, b"forged"))
    assert journal.snapshot("runs") is None


def test_one_that_another_program_made_is_ignored(file: Path, open_sqlite: Callable, key: bytes) -> None:
    """Whatever it made of the events, this one may make something else of them."""
    journal = open_sqlite()
    for made_by, is_used in ((fingerprint(), True), ("0" * 64, False)):
        digest = journal.digest_at(4)
        mac = seal(key, b"snapshot", b"runs", made_by.encode(), b"4", digest.encode(), PAYLOAD)
        file.write_bytes(msgspec.msgpack.encode(Snapshot(made_by, 4, digest, PAYLOAD, mac)))
        assert (journal.snapshot("runs") is not None) is is_used


def test_one_of_a_record_that_was_put_back_or_exchanged_is_ignored(
    file: Path, open_sqlite: Callable, warn: Callable
) -> None:
    file.with_name("journal.db").unlink()
    journal = open_sqlite()
    assert journal.snapshot("runs") is None
    for number in range(COUNT):
        journal.append([warn(number, "another text")])
    assert journal.snapshot("runs") is None


def test_where_none_can_be_read_or_written_the_record_is_enough(file: Path, open_sqlite: Callable) -> None:
    journal = open_sqlite()
    file.unlink()
    file.mkdir()
    (file / "in the way").touch()
    assert journal.snapshot("runs") is None
    journal.keep_snapshot("runs", journal.head(), PAYLOAD)
    assert journal.snapshot("runs") is None
    assert verify_record(journal).events == COUNT


def test_a_broken_entry_before_it_is_found_in_the_background_and_nothing_more_is_recorded(
    file: Path, open_sqlite: Callable, warn: Callable
) -> None:
    _edit(file.with_name("journal.db"), "UPDATE events SET run = 'r2' WHERE seq = 2")
    journal = open_sqlite()
    assert journal.snapshot("runs") is not None  # what it says was worked out while the record was whole
    assert journal._check is not None
    journal._check.wait()
    with pytest.raises(RecordBroken, match="entry 2"):
        journal.append([warn(COUNT)])
    with pytest.raises(RecordBroken, match="entry 2"):
        verify_record(journal)
    assert journal.head().seq == COUNT


def test_an_entry_missing_before_it_is_found_as_well(file: Path, open_sqlite: Callable, warn: Callable) -> None:
    _edit(file.with_name("journal.db"), "DELETE FROM events WHERE seq = 3")
    journal = open_sqlite()
    assert journal.snapshot("runs") is not None
    journal._check.wait()
    with pytest.raises(RecordBroken, match="entry 3"):
        journal.append([warn(COUNT)])


def test_a_broken_entry_at_its_own_place_is_a_broken_record(file: Path, open_sqlite: Callable) -> None:
    _edit(file.with_name("journal.db"), "UPDATE events SET payload = CAST('{}' AS BLOB) WHERE seq = 4")
    with pytest.raises(RecordBroken, match="entry 4"):
        open_sqlite().snapshot("runs")


def test_a_whole_record_goes_on_and_nothing_is_left_running(file: Path, open_sqlite: Callable, warn: Callable) -> None:
    threads = threading.active_count()
    journal = open_sqlite()
    for _ in range(2):
        assert journal.snapshot("runs") is not None
    assert threading.active_count() <= threads + 1
    journal._check.wait()
    assert journal.append([warn(COUNT)])
    journal.close()
    assert threading.active_count() == threads


def _edit(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()
