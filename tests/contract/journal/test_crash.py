"""Kills, copies taken at any moment and full disks lose nothing that was acknowledged. covers: T7 R-KILL R-IO"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from autopilot.adapters.journal.chain import verify_record
from autopilot.events.entry import Entry
from autopilot.events.happened import Warned
from autopilot.model.errors import CapReached, Unavailable

HERE = Path(__file__).parent
KILLS = 20


def test_everything_acknowledged_survives_kills_at_random_moments(tmp_path: Path, open_sqlite: Callable) -> None:
    seed = 20250301
    print(f"seed {seed}")
    chance = random.Random(seed)
    path = tmp_path / "journal.db"
    acknowledged = 0
    for _ in range(KILLS):
        with subprocess.Popen(
            [sys.executable, str(HERE / "appender.py"), str(path)], stdout=subprocess.PIPE, text=True
        ) as child:
            assert child.stdout is not None
            for _ in range(chance.randint(1, 40)):
                acknowledged = int(child.stdout.readline())
            time.sleep(chance.random() / 200)
            child.kill()
            for line in child.stdout:
                if line.endswith("\n"):
                    acknowledged = int(line)
        seen = [one.seq for one in open_sqlite(readonly=True).read()]
        assert seen == list(range(1, len(seen) + 1))
        assert len(seen) >= acknowledged
    assert verify_record(open_sqlite()).events >= acknowledged >= KILLS


def test_a_copy_of_the_files_taken_after_any_append_verifies_and_holds_it(
    tmp_path: Path, open_sqlite: Callable, warn: Callable
) -> None:
    journal = open_sqlite()
    for number in range(1, 61):
        journal.append([warn(number, "z" * 200)])
        copy = tmp_path / f"copy-{number}"
        copy.mkdir()
        for file in tmp_path.glob("journal.db*"):
            shutil.copy(file, copy)
        assert verify_record(open_sqlite(path=copy / "journal.db")).events == number


def test_a_copy_whose_log_was_torn_at_any_byte_still_verifies(
    tmp_path: Path, open_sqlite: Callable, warn: Callable
) -> None:
    """Power loss: what the log held beyond its last sync may be there in part."""
    journal = open_sqlite()
    for number in range(1, 9):
        journal.append([warn(number)])
    main, log = tmp_path / "journal.db", tmp_path / "journal.db-wal"
    size = log.stat().st_size
    for cut in range(0, size, 997):
        copy = tmp_path / f"cut-{cut}"
        copy.mkdir()
        shutil.copy(main, copy)
        (copy / log.name).write_bytes(log.read_bytes()[:cut])
        assert 0 <= verify_record(open_sqlite(path=copy / "journal.db")).events <= 8


def test_a_full_disk_is_a_cap_and_loses_nothing_acknowledged(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    script = 'mount -t tmpfs -o size=900k tmpfs "$1" && exec "$2" "$3" "$1"'
    words = ["sh", "-c", script, "x", str(disk), sys.executable, str(HERE / "full_disk.py")]
    done = subprocess.run(
        ["unshare", "-Ur", "-m", "--propagation", "private", *words], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["failures"] == [["CapReached", "the disk is full", 4, True]] * 3
    assert found["others"] == ["CapReached", "CapReached"]
    assert found["leftovers"] == []
    assert found["acknowledged"] > 50
    assert found["seen_beside"] == found["acknowledged"]
    assert found["entries"] == found["again"] == found["acknowledged"] + 1


def test_a_batch_that_does_not_fit_is_left_out_whole(open_sqlite: Callable, warn: Callable) -> None:
    journal = open_sqlite()
    journal.append([warn(1)])
    journal._database._connection.execute("PRAGMA max_page_count = 12")
    with pytest.raises(CapReached, match="full"):
        journal.append([warn(number, "w" * 3000) for number in range(2, 40)])
    assert [one.seq for one in journal.read()] == [1]
    journal._database._connection.execute("PRAGMA max_page_count = 100000")
    assert journal.append([warn(2)])[0].seq == 2


def test_a_file_size_limit_is_unavailable_and_keeps_what_was_acknowledged(
    tmp_path: Path, open_sqlite: Callable
) -> None:
    """EFBIG stands for an input/output error that is not a full disk."""
    path = tmp_path / "journal.db"
    limited = 'ulimit -f 100; exec "$@"'
    done = subprocess.run(
        ["sh", "-c", limited, "x", sys.executable, str(HERE / "appender.py"), str(path)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert "Unavailable" in done.stderr
    acknowledged = int(done.stdout.splitlines()[-1])
    assert verify_record(open_sqlite()).events >= acknowledged > 0


def test_a_journal_in_a_folder_that_is_not_there_is_unavailable(tmp_path: Path, open_sqlite: Callable) -> None:
    with pytest.raises(Unavailable) as caught:
        open_sqlite(path=tmp_path / "nowhere" / "journal.db")
    assert caught.value.hint


def test_many_threads_making_and_filling_one_journal_lose_nothing(tmp_path: Path, open_sqlite: Callable) -> None:
    """Only the lock's holder appends; should two ever do, the chain must hold all the same."""
    journals = []

    def work(name: int) -> None:
        journal = open_sqlite()
        journals.append(journal)
        for number in range(10):
            journal.append([Entry("r1", f"{name}/{number}", Warned(f"{name}"))])

    threads = [threading.Thread(target=work, args=(name,)) for name in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert verify_record(open_sqlite()).events == 60
    assert [file.name for file in tmp_path.glob(".*")] == []


def test_every_commit_is_synced_before_it_is_acknowledged(open_sqlite: Callable) -> None:
    """No kill can show this, only a power loss could: so the setting itself is looked at."""
    [(mode,)] = open_sqlite()._database.rows("PRAGMA journal_mode")
    [(level,)] = open_sqlite()._database.rows("PRAGMA synchronous")
    assert (mode, level) == ("wal", 2)
