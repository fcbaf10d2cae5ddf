"""Reading commands leave no trace and work beside a writer. covers: T7"""

from __future__ import annotations

import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import autopilot
from autopilot.adapters.journal.prepared import read_prepared
from autopilot.events.entry import Entry, Head
from autopilot.events.happened import Warned
from autopilot.model.errors import RecordBroken

SOURCE = Path(autopilot.__file__).parents[1]


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def test_reading_a_journal_that_does_not_exist_finds_nothing_and_makes_nothing(
    tmp_path: Path, open_sqlite: Callable
) -> None:
    reader = open_sqlite(readonly=True)
    assert list(reader.read()) == []
    assert reader.head() == Head(0, "")
    assert reader.inbox() == ()
    assert reader.prepared("status") is None
    assert read_prepared(str(tmp_path / "journal.db"), "status") is None
    assert names(tmp_path) == []


def test_reading_a_closed_journal_makes_no_file(tmp_path: Path, open_sqlite: Callable, warn: Callable) -> None:
    writer = open_sqlite()
    writer.append([warn(1)])
    writer.prepare(1, {"status": "phase 1"})
    writer.close()
    reader = open_sqlite(readonly=True)
    assert [one.seq for one in reader.read()] == [1]
    assert read_prepared(str(tmp_path / "journal.db"), "status") == ("phase 1", True)
    assert names(tmp_path) == ["journal.db"]


def test_a_reader_sees_what_a_writer_adds_closes_and_adds_again(open_sqlite: Callable, warn: Callable) -> None:
    reader = open_sqlite(readonly=True)
    assert reader.head().seq == 0
    for number in range(1, 4):
        writer = open_sqlite()
        writer.append([warn(number)])
        assert [one.seq for one in reader.read()] == list(range(1, number + 1))
        writer.close()
        assert reader.head().seq == number


def test_a_reader_that_began_without_a_writer_sees_a_later_one(open_sqlite: Callable, warn: Callable) -> None:
    for number in range(1, 4):
        writer = open_sqlite()
        writer.append([warn(number)])
        writer.close()
        if number == 1:
            reader = open_sqlite(readonly=True)
        assert reader.head().seq == number
    later = open_sqlite()
    later.append([warn(4)])
    assert [one.seq for one in reader.read()] == [1, 2, 3, 4]


def test_a_reader_beside_a_busy_writer_always_sees_a_whole_record(tmp_path: Path, open_sqlite: Callable) -> None:
    path = tmp_path / "journal.db"
    appender = Path(__file__).parent / "appender.py"
    with subprocess.Popen([sys.executable, str(appender), str(path)], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        reader = open_sqlite(readonly=True)
        for _ in range(40):
            acknowledged = int(child.stdout.readline())
            assert sum(1 for _ in reader.read()) >= acknowledged
        child.kill()


def test_an_old_prepared_answer_is_known_to_be_old(tmp_path: Path, open_sqlite: Callable, warn: Callable) -> None:
    writer = open_sqlite()
    writer.append([warn(1)])
    writer.prepare(1, {"status": "phase 1"})
    writer.append([warn(2)])
    assert read_prepared(str(tmp_path / "journal.db"), "status") == ("phase 1", False)


def test_a_reader_cannot_write(open_sqlite: Callable, warn: Callable) -> None:
    open_sqlite().append([warn(1)])
    with pytest.raises(AssertionError, match="reading"):
        open_sqlite(readonly=True).append([warn(2)])


def test_the_shortest_way_to_a_prepared_answer_loads_almost_nothing(tmp_path: Path) -> None:
    words = "import autopilot.adapters.journal.prepared"
    heavy = "{'autopilot.events', 'hmac', 'msgspec', 'pathlib', 're'}"
    script = f"import sys; sys.path.append({str(SOURCE)!r}); {words}; print(*{heavy} & set(sys.modules))"
    # Isolated and without site-packages, which may load such modules of their own accord.
    done = subprocess.run([sys.executable, "-I", "-S", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_a_prepared_answer_that_cannot_be_read_is_none_and_the_slow_way_says_why(
    tmp_path: Path, open_sqlite: Callable
) -> None:
    (tmp_path / "journal.db").write_bytes(b"nothing of ours" * 100)
    assert read_prepared(str(tmp_path / "journal.db"), "status") is None
    with pytest.raises(RecordBroken):
        open_sqlite(readonly=True).prepared("status")


def test_the_file_is_for_its_owner_alone(tmp_path: Path, open_sqlite: Callable) -> None:
    open_sqlite()
    for name in ("journal.db", "journal.db-wal"):
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600 or not (tmp_path / name).exists()
    assert stat.S_IMODE((tmp_path / "journal.db").stat().st_mode) == 0o600


@pytest.mark.parametrize("name", ["with space", "per%20cent", "quest?ion", "ha#sh", "ünï"])
def test_any_folder_name_will_do(tmp_path: Path, open_sqlite: Callable, warn: Callable, name: str) -> None:
    path = tmp_path / name / "journal.db"
    path.parent.mkdir()
    journal = open_sqlite(path=path)
    journal.append([warn(1)])
    journal.prepare(1, {"status": "phase 1"})
    journal.close()
    assert read_prepared(str(path), "status") == ("phase 1", True)
    assert [one.seq for one in open_sqlite(path=path, readonly=True).read()] == [1]
    assert names(path.parent) == ["journal.db"]


def test_a_damaged_file_is_broken_for_a_reader_too(tmp_path: Path, open_sqlite: Callable) -> None:
    (tmp_path / "journal.db").write_bytes(b"nothing of ours" * 100)
    with pytest.raises(RecordBroken):
        list(open_sqlite(readonly=True).read())


def test_a_record_of_several_batches_is_read_whole(open_sqlite: Callable) -> None:
    journal = open_sqlite()
    journal.append([Entry("r1", f"r1/{number}", Warned("x")) for number in range(4_500)])
    assert [one.seq for one in journal.read()] == list(range(1, 4_501))
