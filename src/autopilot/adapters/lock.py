"""One run per repository, by a lock the kernel frees when its holder dies."""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path

import msgspec
from msgspec import Struct

from autopilot.adapters.clock import SystemClock
from autopilot.adapters.files import translated
from autopilot.model.errors import UsageError
from autopilot.ports.clock import Clock

# Whoever asks for the holder touches the lock for a moment; that must not look like a run.
_TRIES = 5
_PAUSE_S = 0.01


class Holder(Struct, frozen=True):
    pid: int
    since: str
    command: str


_UNKNOWN = Holder(0, "", "")


class FileLock:
    """What the file says counts only while the lock on it is held: after a kill the words stay, the lock does not."""

    def __init__(self, path: Path, clock: Clock | None = None) -> None:
        self._path = path
        self._clock = clock or SystemClock()
        self._descriptor: int | None = None

    def take(self, command: str) -> None:
        """Hold the lock until ``release`` or the end of this process. UsageError names the holder."""
        assert self._descriptor is None, "this lock is held already by its own process"
        with translated(self._path):
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
            if not _try(descriptor, fcntl.LOCK_EX, _TRIES):
                holder = _read(descriptor)
                os.close(descriptor)
                raise _refusal(holder)
            holder = Holder(os.getpid(), self._clock.now().isoformat(timespec="seconds"), command)
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, msgspec.json.encode(holder), 0)
        self._descriptor = descriptor

    def release(self) -> None:
        if self._descriptor is None:
            return
        # The file stays: removing it would let a third process lock another file of the same name.
        os.ftruncate(self._descriptor, 0)
        # Said aloud: a child on its way through exec may hold a copy of the descriptor a moment longer.
        fcntl.flock(self._descriptor, fcntl.LOCK_UN)
        os.close(self._descriptor)
        self._descriptor = None

    def holder(self) -> Holder | None:
        """Who holds it now, or None."""
        with translated(self._path):
            try:
                descriptor = os.open(self._path, os.O_RDONLY)
            except FileNotFoundError:
                return None
            try:
                return None if _try(descriptor, fcntl.LOCK_SH, 1) else _read(descriptor)
            finally:
                os.close(descriptor)


def _try(descriptor: int, kind: int, tries: int) -> bool:
    for left in range(tries, 0, -1):
        try:
            fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if left > 1:
                time.sleep(_PAUSE_S)
    return False


def _read(descriptor: int) -> Holder:
    """Who the file says holds it. It may have taken the lock a moment ago and not have written yet."""
    for _ in range(_TRIES):
        try:
            return msgspec.json.decode(os.pread(descriptor, 65_536, 0), type=Holder)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            time.sleep(_PAUSE_S)
    return _UNKNOWN


def _refusal(holder: Holder) -> UsageError:
    known = f"process {holder.pid} since {holder.since} ({holder.command})"
    return UsageError(
        f"this repository is in use by {'another process' if holder == _UNKNOWN else known}",
        "`autopilot status` shows where that run stands; `autopilot cancel` ends it.",
    )
