"""A file that several processes add to and none rewrites: one writer at a time, and no reader sees half a line."""

from __future__ import annotations

import fcntl
import os
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from autopilot.adapters.files import sync_folder, translated
from autopilot.model.errors import Unavailable, UsageError

PATIENCE_S = 10.0
_PAUSE_S = 0.02


def read_grown(path: Path) -> bytes | None:
    """None when it is not there."""
    with translated(path):
        try:
            # Not blocking: what turns out to be a pipe must not keep us waiting for its other end.
            descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        except FileNotFoundError:
            return None
        with _held(descriptor, path, fcntl.LOCK_SH):
            return _content(descriptor)


def grow(path: Path, more: Callable[[bytes], bytes]) -> None:
    """Add what ``more`` makes of what is there, made if need be; on the disk when this returns, or not there at all."""
    with translated(path):
        descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK, 0o666)
        with _held(descriptor, path, fcntl.LOCK_EX):
            existing = _content(descriptor)
            try:
                _write(descriptor, more(existing))
                os.fsync(descriptor)
            except OSError:
                os.ftruncate(descriptor, len(existing))
                raise
        if not existing:
            sync_folder(path.parent)


@contextmanager
def _held(descriptor: int, path: Path, kind: int) -> Iterator[None]:
    """Closing frees the lock, and so does the death of the process that holds it."""
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise UsageError(f"{path} is not a file", "name a file; it is created if it does not exist")
        _lock(descriptor, path, kind)
        yield
    finally:
        os.close(descriptor)


def _lock(descriptor: int, path: Path, kind: int) -> None:
    until = time.monotonic() + PATIENCE_S
    while True:
        try:
            return fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= until:
                raise Unavailable(f"{path} is locked by another process", "wait for its end, then try again") from None
            time.sleep(_PAUSE_S)


def _content(descriptor: int) -> bytes:
    with os.fdopen(descriptor, "rb", closefd=False) as file:
        return file.read()


def _write(descriptor: int, content: bytes) -> None:
    while content:
        content = content[os.write(descriptor, content) :]
