"""The note of a landing that has begun, kept in the vault's folder; and the right to land, held by one process."""

from __future__ import annotations

import fcntl
import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from autopilot.adapters.files import sync_folder, translated, write_atomically
from autopilot.model.errors import RecordBroken, Unavailable

_WAIT_S = 60.0


class Note(msgspec.Struct, frozen=True):
    branch: str
    old: str
    new: str


class Notebook:
    """One per checkout: the worktrees of a repository share a vault."""

    def __init__(self, folder: Path, git_dir: Path) -> None:
        name = hashlib.sha256(os.fsencode(git_dir)).hexdigest()[:16]
        self._note = folder / f"landing-{name}.json"
        self._lock = folder / f"landing-{name}.lock"

    @contextmanager
    def alone(self) -> Iterator[int]:
        """Hold the right to land; yields the descriptor that holds it.

        A child that is given the descriptor keeps the right when we are killed. So the next holder knows that no
        git of an earlier try is still writing files.
        """
        with translated(self._lock):
            descriptor = os.open(self._lock, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _wait_for(descriptor)
            yield descriptor
        finally:
            os.close(descriptor)

    def read(self) -> Note | None:
        try:
            return msgspec.json.decode(self._note.read_bytes(), type=Note)
        except FileNotFoundError:
            return None
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            hint = "Look at `git status`, then remove the file."
            raise RecordBroken(f"{self._note} is not a note of a landing: {error}", hint) from error

    def write(self, note: Note) -> None:
        write_atomically(self._note, msgspec.json.encode(note))

    def erase(self) -> None:
        with translated(self._note):
            self._note.unlink(missing_ok=True)
            sync_folder(self._note.parent)


def _wait_for(descriptor: int) -> None:
    deadline = time.monotonic() + _WAIT_S
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise Unavailable("an earlier landing is still at work", "Wait for it to end, then resume.") from None
            time.sleep(0.05)
