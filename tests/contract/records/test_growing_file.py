"""A file that several add to: everybody's line is there, whole, and what cannot be added changes nothing."""

from __future__ import annotations

import fcntl
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from autopilot.adapters import growing_file
from autopilot.adapters.growing_file import grow, read_grown
from autopilot.model.errors import Unavailable, UsageError
from autopilot.planning.issue.audit_log import append_row, broken_at, count_lines

# covers: ISSUE-CHAIN


def test_writers_at_the_same_time_each_build_on_what_the_other_wrote(tmp_path: Path) -> None:
    log = tmp_path / "log"

    def add(number: int) -> None:
        def more(there: bytes) -> bytes:
            text = there.decode()
            return append_row(text, number, "step", "FAIL", "abc", "")[len(text) :].encode()

        grow(log, more)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(add, range(40)))
    text = log.read_text()
    assert (count_lines(text), broken_at(text)) == (40, None)


def test_a_file_that_is_not_there_is_made_by_writing_and_not_by_reading(tmp_path: Path) -> None:
    log = tmp_path / "log"
    assert read_grown(log) is None and not log.exists()
    grow(log, lambda there: b"one\n")
    grow(log, lambda there: there.upper())
    assert read_grown(log) == b"one\nONE\n"


def test_what_cannot_be_written_leaves_all_as_it_was(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_bytes(b"one\n")

    def fail(there: bytes) -> bytes:
        raise OSError(28, "No space left on device")

    with pytest.raises(Exception, match="the disk is full"):
        grow(log, fail)
    assert log.read_bytes() == b"one\n"


def test_what_is_no_file_is_refused_and_nobody_waits_for_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match="is not a file"):
        read_grown(tmp_path / "pipe")
    with pytest.raises(UsageError, match="is not a file"):
        grow(tmp_path / "pipe", lambda there: b"x")
    with pytest.raises(Unavailable):
        grow(tmp_path, lambda there: b"x")
    with pytest.raises(Unavailable):
        grow(tmp_path / "none/log", lambda there: b"x")


def test_a_lock_that_somebody_lets_go_is_waited_for(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_bytes(b"one\n")
    holder = os.open(log, os.O_RDONLY)
    fcntl.flock(holder, fcntl.LOCK_EX)
    letting_go = threading.Timer(0.1, os.close, (holder,))
    letting_go.start()
    grow(log, lambda there: b"two\n")
    letting_go.join()
    assert log.read_bytes() == b"one\ntwo\n"
    assert growing_file.PATIENCE_S < 60, "nobody waits for ever"
