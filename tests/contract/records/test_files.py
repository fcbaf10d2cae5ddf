"""Files are whole or not there. covers: T7 R-IO"""

from __future__ import annotations

import stat
import threading
from pathlib import Path

import pytest

from autopilot.adapters.files import create_atomically, write_atomically
from autopilot.model.errors import Unavailable


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def test_a_file_is_written_and_replaced_without_leftovers(tmp_path: Path) -> None:
    write_atomically(tmp_path / "state.json", b"one")
    write_atomically(tmp_path / "state.json", b"two")
    assert (tmp_path / "state.json").read_bytes() == b"two"
    assert names(tmp_path) == ["state.json"]


def test_a_link_is_replaced_and_what_it_points_to_stays(tmp_path: Path) -> None:
    (tmp_path / "precious").write_bytes(b"keep")
    (tmp_path / "state.json").symlink_to(tmp_path / "precious")
    write_atomically(tmp_path / "state.json", b"new")
    assert (tmp_path / "precious").read_bytes() == b"keep"
    assert not (tmp_path / "state.json").is_symlink()


def test_the_mode_is_as_asked(tmp_path: Path) -> None:
    write_atomically(tmp_path / "secret", b"x", mode=0o600)
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600


def test_a_reader_sees_the_old_or_the_new_file_never_a_part(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    write_atomically(path, b"0" * 100_000)
    done = threading.Event()
    seen: set[bytes] = set()

    def read() -> None:
        while not done.is_set():
            content = path.read_bytes()
            assert len(content) == 100_000
            seen.add(content[:1] + content[-1:])

    reader = threading.Thread(target=read)
    reader.start()
    for number in range(30):
        write_atomically(path, b"%d" % (number % 10) * 100_000)
    done.set()
    reader.join()
    assert seen
    assert all(one[:1] == one[1:] for one in seen)


def test_creating_never_replaces(tmp_path: Path) -> None:
    assert create_atomically(tmp_path / "key", b"one")
    assert not create_atomically(tmp_path / "key", b"two")
    assert (tmp_path / "key").read_bytes() == b"one"
    assert names(tmp_path) == ["key"]


def test_a_place_that_cannot_be_written_is_unavailable_and_keeps_no_draft(tmp_path: Path) -> None:
    with pytest.raises(Unavailable) as caught:
        write_atomically(tmp_path / "nowhere" / "state.json", b"x")
    assert caught.value.hint
    (tmp_path / "folder").mkdir()
    with pytest.raises(Unavailable):
        write_atomically(tmp_path / "folder", b"x")
    assert names(tmp_path) == ["folder"]
