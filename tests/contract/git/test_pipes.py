"""Waiting for a pipe: what is there is seen, what is not is waited for, and no number is too high.

covers: LOOP-4
"""

from __future__ import annotations

import fcntl
import os
import resource
import time
from collections.abc import Iterator

import pytest

from autopilot.adapters.git.pipes import is_ready

HIGH = 1500  # select() knows numbers below 1024


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    """Its reading end has a number as in a process with hundreds of children."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard == resource.RLIM_INFINITY or hard > HIGH:
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, HIGH + 1), hard))
    read, write = os.pipe()
    high = fcntl.fcntl(read, fcntl.F_DUPFD_CLOEXEC, HIGH)
    os.close(read)
    yield high, write
    os.close(high)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_what_is_there_is_seen_and_so_is_the_end(pipe: tuple[int, int]) -> None:
    high, write = pipe
    assert high >= HIGH
    assert not is_ready(high, time.monotonic())
    os.write(write, b"x")
    assert is_ready(high, time.monotonic() + 60)
    os.read(high, 1)
    os.close(write)
    assert is_ready(high, time.monotonic() + 60)
