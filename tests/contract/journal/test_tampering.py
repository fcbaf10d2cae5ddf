"""A record that was changed from outside never verifies: exit 6, with the number and a hint. covers: T7"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from autopilot.adapters.journal.chain import verify_record
from autopilot.adapters.journal.sqlite import SqliteJournal
from autopilot.events.anchor import anchor_text
from autopilot.events.entry import Message
from autopilot.events.happened import CancelRequested
from autopilot.model.errors import AutopilotError, RecordBroken, Unavailable

COLUMNS = ("seq", "run", "key", "at", "kind", "schema", "payload", "prev", "mac")
COUNT = 6
FUZZ = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture
def path(tmp_path: Path, open_sqlite: Callable, warn: Callable) -> Path:
    journal = open_sqlite()
    for number in range(COUNT):
        journal.append([warn(number)])
    journal.post(Message("m1", "r1", CancelRequested("you")))
    journal.close()
    return tmp_path / "journal.db"


def change(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def assert_broken(journal: SqliteJournal, anchor: str = "0 -") -> RecordBroken:
    with pytest.raises(RecordBroken) as caught:
        verify_record(journal, (anchor,))
    assert caught.value.exit_status == 6
    assert caught.value.hint
    return caught.value


def test_an_untouched_record_verifies(path: Path, open_sqlite: Callable) -> None:
    assert verify_record(open_sqlite()).events == COUNT


@pytest.mark.parametrize("row", range(1, COUNT + 1))
@pytest.mark.parametrize("column", COLUMNS)
def test_an_edit_in_any_column_of_any_row_is_noticed(path: Path, open_sqlite: Callable, column: str, row: int) -> None:
    number = column in ("seq", "schema")
    value = (
        f"{column} + 100"
        if number
        else f"CAST(CAST({column} AS TEXT) || 'x' AS {'BLOB' if column == 'payload' else 'TEXT'})"
    )
    change(path, f"UPDATE events SET {column} = {value} WHERE seq = {row}")
    assert f"entry {row}" in str(assert_broken(open_sqlite()))


@pytest.mark.parametrize("column", COLUMNS[1:])
@pytest.mark.parametrize("value", ["x'ff00'", "CAST(x'ff' AS TEXT)", "7", "1.5", "'é'", "''"])
def test_a_value_of_another_type_or_broken_text_is_noticed(
    path: Path, open_sqlite: Callable, column: str, value: str
) -> None:
    change(path, f"UPDATE events SET {column} = {value} WHERE seq = 3")
    journal = open_sqlite()
    assert_broken(journal)
    with pytest.raises(RecordBroken):
        journal.digest_at(3)


@pytest.mark.parametrize("row", range(1, COUNT))
def test_a_deleted_row_is_noticed(path: Path, open_sqlite: Callable, row: int) -> None:
    change(path, f"DELETE FROM events WHERE seq = {row}")
    assert f"entry {row}" in str(assert_broken(open_sqlite()))


@pytest.mark.parametrize("row", range(1, COUNT))
def test_a_deleted_row_is_noticed_when_the_later_ones_move_up(path: Path, open_sqlite: Callable, row: int) -> None:
    move_up = (f"UPDATE events SET seq = {later - 1} WHERE seq = {later}" for later in range(row + 1, COUNT + 1))
    change(path, f"DELETE FROM events WHERE seq = {row}", *move_up)
    assert f"entry {row}" in str(assert_broken(open_sqlite()))


@pytest.mark.parametrize("row", range(1, COUNT))
def test_two_swapped_rows_are_noticed(path: Path, open_sqlite: Callable, row: int) -> None:
    change(
        path,
        f"UPDATE events SET seq = 1000 WHERE seq = {row}",
        f"UPDATE events SET seq = {row} WHERE seq = {row + 1}",
        f"UPDATE events SET seq = {row + 1} WHERE seq = 1000",
    )
    assert f"entry {row}" in str(assert_broken(open_sqlite()))


@pytest.mark.parametrize("seq", [-5, 0, COUNT + 1, COUNT + 2])
def test_an_added_row_is_noticed_wherever_it_stands(path: Path, open_sqlite: Callable, seq: int) -> None:
    rest = ", ".join(COLUMNS[3:])
    change(path, f"INSERT INTO events SELECT {seq}, run, 'new', {rest} FROM events WHERE seq = {COUNT}")
    assert_broken(open_sqlite())


@pytest.mark.parametrize("kept", range(COUNT))
def test_a_cut_off_tail_is_noticed_by_the_anchor_and_only_by_it(path: Path, open_sqlite: Callable, kept: int) -> None:
    anchor = anchor_text(open_sqlite().head())
    change(path, f"DELETE FROM events WHERE seq > {kept}")
    assert verify_record(open_sqlite()).events == kept
    assert str(COUNT) in str(assert_broken(open_sqlite(), anchor))


def test_a_record_regrown_after_a_cut_is_noticed_by_the_anchor(
    path: Path, open_sqlite: Callable, warn: Callable
) -> None:
    anchor = anchor_text(open_sqlite().head())
    change(path, f"DELETE FROM events WHERE seq > {COUNT - 1}")
    journal = open_sqlite()
    journal.append([warn(COUNT + 1), warn(COUNT + 2)])
    assert "not the one" in str(assert_broken(journal, anchor))


def test_a_removed_journal_is_noticed_by_the_anchor(path: Path, open_sqlite: Callable) -> None:
    anchor = anchor_text(open_sqlite().head())
    for file in path.parent.glob("journal.db*"):
        file.unlink()
    assert_broken(open_sqlite(), anchor)


def test_a_row_of_another_history_with_the_same_key_does_not_fit(
    path: Path, open_sqlite: Callable, warn: Callable, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    other = open_sqlite(path=tmp_path / "other" / "journal.db")
    other.append([warn(number, "otherwise") for number in range(COUNT)])
    change(
        path,
        f"ATTACH '{tmp_path}/other/journal.db' AS other",
        "DELETE FROM main.events WHERE seq = 4",
        "INSERT INTO main.events SELECT * FROM other.events WHERE seq = 4",
    )
    assert "entry 4: it does not follow" in str(assert_broken(open_sqlite()))


def test_another_key_opens_nothing(path: Path, open_sqlite: Callable) -> None:
    assert_broken(open_sqlite(key=bytes(32)))


@pytest.mark.parametrize("row", [2, COUNT])
def test_nothing_is_appended_to_a_broken_tail_nor_compared_with_a_forged_row(
    path: Path, open_sqlite: Callable, warn: Callable, row: int
) -> None:
    change(path, f'UPDATE events SET payload = CAST(\'{{"text":"forged"}}\' AS BLOB) WHERE seq = {row}')
    with pytest.raises(RecordBroken):
        open_sqlite().append([warn(row - 1)])


def test_a_record_cut_under_a_running_process_is_noticed_at_its_next_append(
    path: Path, open_sqlite: Callable, warn: Callable
) -> None:
    journal = open_sqlite()
    journal.append([warn(COUNT)])
    change(path, f"DELETE FROM events WHERE seq > {COUNT - 2}")
    with pytest.raises(RecordBroken, match="gone"):
        journal.append([warn(COUNT + 1)])


@pytest.mark.parametrize("content", [b"", b"not a database at all, but long enough to have a header" * 20])
def test_a_file_that_is_no_journal_is_not_replaced_by_a_new_one(
    path: Path, open_sqlite: Callable, content: bytes
) -> None:
    path.write_bytes(content)
    with pytest.raises(RecordBroken):
        open_sqlite()
    assert path.read_bytes() == content


@pytest.mark.parametrize("column", ["key", "run", "kind", "schema", "payload", "taken", "seq", "mac"])
def test_a_message_that_was_changed_in_the_inbox_is_refused(path: Path, open_sqlite: Callable, column: str) -> None:
    change(path, f"UPDATE inbox SET {column} = {'5' if column in ('schema', 'taken', 'seq') else repr('x')}")
    with pytest.raises(RecordBroken) as caught:
        open_sqlite().inbox()
    assert caught.value.hint


def test_a_message_cannot_be_marked_as_taken_from_outside_and_posted_again(path: Path, open_sqlite: Callable) -> None:
    change(path, "UPDATE inbox SET taken = 1")
    with pytest.raises(RecordBroken):
        open_sqlite().post(Message("m1", "r1", CancelRequested("somebody")))


def reseal(path: Path, key: bytes, **columns: object) -> None:
    """Rewrite the last row as a newer program with the same key would have written it."""
    from autopilot.adapters.journal.chain import Row
    from autopilot.adapters.journal.seal import seal_row

    connection = sqlite3.connect(path)
    row = Row(*connection.execute(f"SELECT * FROM events WHERE seq = {COUNT}").fetchone())._replace(**columns)
    row = row._replace(mac=seal_row(key, row))
    connection.execute("REPLACE INTO events VALUES (?,?,?,?,?,?,?,?,?)", row)
    connection.commit()
    connection.close()


@pytest.mark.parametrize(
    "columns", [{"schema": 99}, {"kind": "SomethingNew"}, {"payload": b'{"text": 5}'}, {"payload": b"{}"}]
)
def test_an_entry_of_a_newer_autopilot_is_unavailable_not_broken(
    path: Path, open_sqlite: Callable, key: bytes, columns: dict[str, object]
) -> None:
    reseal(path, key, **columns)
    journal = open_sqlite()
    with pytest.raises(Unavailable, match="newer Autopilot") as caught:
        list(journal.read())
    assert caught.value.exit_status == 5
    assert list(journal.read("another run")) == []


def test_a_newer_layout_of_the_file_is_unavailable(path: Path, open_sqlite: Callable) -> None:
    change(path, "PRAGMA user_version = 99")
    with pytest.raises(Unavailable, match="newer"):
        open_sqlite()


@FUZZ
@given(data=st.data())
def test_a_flipped_byte_anywhere_in_the_file_is_harmless_or_noticed(
    path: Path, open_sqlite: Callable, tmp_path: Path, data: st.DataObject
) -> None:
    whole = [one.event for one in open_sqlite(readonly=True).read()]
    place = data.draw(st.integers(0, path.stat().st_size - 1))
    bits = data.draw(st.integers(1, 255))
    copy = tmp_path / "copy" / "journal.db"
    shutil.rmtree(copy.parent, ignore_errors=True)
    copy.parent.mkdir()
    content = bytearray(path.read_bytes())
    content[place] ^= bits
    copy.write_bytes(content)
    try:
        found = [one.event for one in open_sqlite(path=copy).read()]
    except AutopilotError as error:
        assert error.exit_status in (5, 6)
    else:
        assert found == whole[: len(found)]


@FUZZ
@given(cut=st.integers(0, 40_000))
@example(cut=0)
def test_a_truncated_file_is_harmless_or_noticed(path: Path, open_sqlite: Callable, tmp_path: Path, cut: int) -> None:
    copy = tmp_path / "copy" / "journal.db"
    shutil.rmtree(copy.parent, ignore_errors=True)
    copy.parent.mkdir()
    copy.write_bytes(path.read_bytes()[:cut])
    try:
        found = [one.seq for one in open_sqlite(path=copy, readonly=True).read()]
    except RecordBroken:
        assert cut < path.stat().st_size
    else:
        assert found == list(range(1, COUNT + 1))
