"""One run per repository, by a lock the kernel frees when its holder dies."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec import Struct

from autopilot.adapters.clock import SystemClock
from autopilot.adapters.files import translated
from autopilot.adapters.host import Host, this_host
from autopilot.model.errors import UsageError
from autopilot.ports.clock import Clock

# Whoever asks for the holder touches the lock for a moment; that must not look like a run.
_TRIES = 5
_PAUSE_S = 0.01
_HINT = "`autopilot status` shows where that run stands, `autopilot watch` follows it; `autopilot cancel` ends it."


class Holder(Struct, frozen=True):
    pid: int
    since: str
    command: str
    host: Host = Host()


_UNKNOWN = Holder(0, "", "")


class FileLock:
    """What the file says counts only while the lock on it is held: after a kill the words stay, the lock does not.

    What another host wrote always counts: on a network folder its lock may be invisible here, and whether its process
    is alive cannot be seen from here. Only a person can tell, so nothing is ever taken over from another host.
    """

    def __init__(
        self, path: Path, clock: Clock | None = None, host: Host | None = None, hint: str = _HINT, mode: int = 0o600
    ) -> None:
        self._path = path
        self._clock = clock or SystemClock()
        self._host = host or this_host()
        self._hint, self._mode = hint, mode
        self._descriptor: int | None = None

    def take(self, command: str) -> None:
        """Hold the lock until ``release`` or the end of this process. UsageError names the holder."""
        assert self._descriptor is None, "this lock is held already by its own process"
        with translated(self._path):
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, self._mode)
            _must_be_plain(descriptor)
            if not _try(descriptor, fcntl.LOCK_EX, _TRIES):
                holder = _read(descriptor)
                os.close(descriptor)
                raise self._refusal(holder)
            if (elsewhere := self._elsewhere(descriptor)) is not None:
                os.close(descriptor)
                raise self._refusal(elsewhere)
            holder = Holder(os.getpid(), self._clock.now().isoformat(timespec="seconds"), command, self._host)
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, msgspec.json.encode(holder), 0)
            os.fsync(descriptor)  # or another host would not see it on a network folder
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
        with self._opened() as descriptor:
            if descriptor is None:
                return None
            if not _try(descriptor, fcntl.LOCK_SH, 1):
                return _read(descriptor)
            return self._elsewhere(descriptor)

    def refuse_holder(self) -> None:
        """UsageError when another process holds it."""
        if (holder := self.holder()) is not None:
            raise self._refusal(holder)

    def refuse_other_host(self) -> None:
        """UsageError when another host holds it. The lock itself is not touched."""
        with self._opened() as descriptor:
            if descriptor is not None and (holder := self._elsewhere(descriptor)) is not None:
                raise self._refusal(holder)

    @contextmanager
    def _opened(self) -> Iterator[int | None]:
        with translated(self._path):
            try:
                descriptor = os.open(self._path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            except FileNotFoundError:
                yield None
                return
            try:
                yield descriptor
            finally:
                os.close(descriptor)

    def _elsewhere(self, descriptor: int) -> Holder | None:
        """The holder that the file names, when it is on another host."""
        written = _parse(descriptor)
        return written if written is not None and self._is_elsewhere(written) else None

    def _is_elsewhere(self, holder: Holder) -> bool:
        return not self._host.shares_locks_with(holder.host)

    def _refusal(self, holder: Holder) -> UsageError:
        known = f"process {holder.pid} since {_name_time(holder.since)} ({holder.command})"
        if not self._is_elsewhere(holder):
            return UsageError(
                f"this repository is in use by {'another process' if holder == _UNKNOWN else known}",
                self._hint,
            )
        return UsageError(
            f"this repository is in use on another host, {holder.host.name}, by {known}",
            f"`autopilot cancel` on {holder.host.name} ends it. If nothing runs there any more, remove {self._path}",
        )


class CheckoutLock:
    """Keeps out runs of the same checkout whose records lie elsewhere: those of another machine, or of another user.

    Where the git folder cannot be written, nothing can land either: then the lock is only looked at.
    """

    def __init__(self, git_directory: Path, clock: Clock | None = None, host: Host | None = None) -> None:
        self._path = git_directory / "autopilot-run"
        hint = "Its records are in another state home. Let it end, or use one AUTOPILOT_STATE_HOME for both."
        self._lock = FileLock(self._path, clock, host, hint, mode=0o644)

    def take(self, command: str) -> None:
        if os.access(self._path if self._path.exists() else self._path.parent, os.W_OK):
            self._lock.take(command)
        else:
            self._lock.refuse_holder()

    def release(self) -> None:
        self._lock.release()


def _name_time(since: str) -> str:
    """The time as a reader knows it; the file may hold any text."""
    try:
        return f"{datetime.fromisoformat(since).astimezone(UTC):%Y-%m-%d %H:%M} UTC"
    except (ValueError, OverflowError):
        return since


def _must_be_plain(descriptor: int) -> None:
    """The git folder came from anywhere: a link in the lock's place would let us write to another file."""
    facts = os.fstat(descriptor)
    if not stat.S_ISREG(facts.st_mode) or facts.st_nlink > 1:
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is not a plain file with one name")


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
        if (holder := _parse(descriptor)) is not None:
            return holder
        time.sleep(_PAUSE_S)
    return _UNKNOWN


def _parse(descriptor: int) -> Holder | None:
    try:
        return msgspec.json.decode(os.pread(descriptor, 65_536, 0), type=Holder)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
