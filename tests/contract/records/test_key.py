"""The key is made once, whole, and for its owner alone. covers: T7"""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from autopilot.adapters.key import open_key, read_key
from autopilot.model.errors import RecordBroken, Unavailable


def test_a_key_is_made_once_and_stays(tmp_path: Path) -> None:
    key = open_key(tmp_path / "key", tmp_path / "journal.db")
    assert len(key) == 32
    assert open_key(tmp_path / "key", tmp_path / "journal.db") == read_key(tmp_path / "key") == key
    assert open_key(tmp_path / "other", tmp_path / "journal.db") != key
    assert sorted(file.name for file in tmp_path.iterdir()) == ["key", "other"]


def test_the_key_is_readable_by_its_owner_alone_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        open_key(tmp_path / "key", tmp_path / "journal.db")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o666])
def test_a_key_others_could_read_or_change_is_refused_with_the_remedy(tmp_path: Path, mode: int) -> None:
    open_key(tmp_path / "key", tmp_path / "journal.db")
    (tmp_path / "key").chmod(mode)
    with pytest.raises(Unavailable) as caught:
        open_key(tmp_path / "key", tmp_path / "journal.db")
    assert "chmod 600" in caught.value.hint


@pytest.mark.parametrize("content", [b"", b"short", bytes(33)])
def test_a_damaged_key_is_broken_and_never_replaced(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "key").write_bytes(content)
    (tmp_path / "key").chmod(0o600)
    with pytest.raises(RecordBroken):
        open_key(tmp_path / "key", tmp_path / "journal.db")
    assert (tmp_path / "key").read_bytes() == content


def test_a_link_to_somewhere_else_is_no_key(tmp_path: Path) -> None:
    open_key(tmp_path / "real", tmp_path / "journal.db")
    (tmp_path / "key").symlink_to(tmp_path / "real")
    with pytest.raises(Unavailable):
        open_key(tmp_path / "key", tmp_path / "journal.db")


def test_reading_makes_no_key(tmp_path: Path) -> None:
    with pytest.raises(RecordBroken, match="the key of these records is missing"):
        read_key(tmp_path / "key")
    assert list(tmp_path.iterdir()) == []


def test_no_key_is_made_beside_an_existing_journal(tmp_path: Path) -> None:
    (tmp_path / "journal.db").touch()
    with pytest.raises(RecordBroken, match=f"the key of these records is missing: {tmp_path / 'key'}") as caught:
        open_key(tmp_path / "key", tmp_path / "journal.db")
    assert caught.value.hint.startswith(
        "Put it back from a backup (no other key opens the record), or move the folder "
    )
    assert str(tmp_path) in caught.value.hint
    assert [file.name for file in tmp_path.iterdir()] == ["journal.db"]


def test_many_who_make_it_at_once_get_the_same_key(tmp_path: Path) -> None:
    keys: list[bytes] = []
    threads = [
        threading.Thread(target=lambda: keys.append(open_key(tmp_path / "key", tmp_path / "journal.db")))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(keys) == 8
    assert len(set(keys)) == 1
