"""A reader of all records is told which of them changed, and looks at no other. covers: CMD-WEB"""

from __future__ import annotations

import select
from pathlib import Path

import pytest

from autopilot.adapters.clock import SystemClock
from autopilot.adapters.folder_changes import FolderChanges
from autopilot.adapters.home import Home, open_home
from autopilot.adapters.journal.sqlite import SqliteJournal
from autopilot.adapters.key import open_key
from autopilot.adapters.lock import FileLock
from autopilot.api.page.growth import Growth
from autopilot.api.page.records import Records
from autopilot.events.entry import Entry
from tests.unit.making import make_started

PATIENCE_S = 60.0


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state"


def make_record(state: Path, name: str) -> Home:
    git = state.parent / name / ".git"
    git.mkdir(parents=True)
    home = open_home(state, git)
    append(home, "first")
    return home


def append(home: Home, key: str) -> None:
    journal = SqliteJournal(home.journal, open_key(home.key, home.journal), SystemClock())
    journal.append([Entry("run-1", key, make_started())])
    journal.close()


def is_reported(growth: Growth) -> bool:
    return bool(select.select([growth.fileno()], [], [], PATIENCE_S)[0])


def test_an_entry_an_agents_line_and_a_first_run_are_told_by_the_kernel(state: Path) -> None:
    one, two = make_record(state, "one"), make_record(state, "two")
    growth = Growth(Records(state))
    assert growth.is_watched
    assert growth.look() == frozenset()
    append(one, "second")
    assert is_reported(growth)
    assert growth.look() == {one.root.name}
    two.live.mkdir()
    assert is_reported(growth)
    growth.look()
    (two.live / "0.0.log").write_text("a line\n", encoding="utf-8")
    assert is_reported(growth)
    assert growth.look() == {two.root.name}
    three = make_record(state, "three")
    assert is_reported(growth)
    assert growth.look() == {three.root.name}
    growth.close()


def test_reading_a_record_is_no_change_of_it(state: Path) -> None:
    home = make_record(state, "one")
    records = Records(state)
    growth = Growth(records)
    shown = records.version()
    assert list(records.find(home.root.name).history().runs) == ["run-1"]
    assert growth.look_at_all() == frozenset()
    assert records.version() == shown


def test_a_process_that_was_killed_is_seen_by_a_look_at_all(state: Path) -> None:
    home = make_record(state, "one")
    lock = FileLock(home.lock)
    lock.take("a test")
    growth = Growth(Records(state))
    lock.release()
    assert growth.look_at_all() == {home.root.name}


def test_before_there_is_any_record_somebody_has_to_look(state: Path) -> None:
    growth = Growth(Records(state))
    assert not growth.is_watched
    home = make_record(state, "one")
    assert growth.look() == {home.root.name}
    assert growth.is_watched


def test_a_folder_that_went_and_came_back_is_watched_again(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    changes = FolderChanges()
    assert changes.watch(folder)
    folder.rmdir()
    assert changes.take() == {folder}
    assert not changes.watch(folder)
    folder.mkdir()
    assert changes.watch(folder)
    (folder / "file").touch()
    assert changes.take() == {folder}
    changes.close()
    assert (changes.take(), changes.watch(tmp_path), changes.fileno()) == (set(), False, -1)
