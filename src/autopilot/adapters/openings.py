"""Which files of a project a command opens and changes while it runs. The kernel tells, whatever the language."""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

DRAIN_EVERY_S = 0.05  # the kernel keeps some 16,000 openings, and drops what comes after
MOST_FOLDERS = 20_000
_EVENT = struct.Struct("iIII")
_OPENED, _ONLY_FOLDERS, _IS_FOLDER, _LOST = 0x20, 0x01000000, 0x40000000, 0x4000
_CHANGED = 0x2 | 0x80 | 0x200  # written to, put there under its name, deleted
_libc = ctypes.CDLL(None, use_errno=True)


class Project(NamedTuple):
    """A folder whose files are watched."""

    checkout: str  # where the names of its folders are read
    seen_at: str  # where the command has it, as the child's root shows that place


class Openings:
    """Names below a folder, as they are opened and changed, without help of the command, which sees nothing of it.

    Not seen: files that are only asked about (``stat``) or whose names are listed, what is written through a mapping,
    and what another folder shows of them by a mount of its own.
    """

    def __init__(self, project: Project, root: str) -> None:
        self._opened: set[str] = set()
        self._changed: set[str] = set()
        self._folders: dict[int, str] = {}
        self._fd = _libc.inotify_init1(os.O_CLOEXEC | os.O_NONBLOCK)
        if self._fd < 0:
            return
        for number, folder in enumerate(_folders(project.checkout)):
            place = os.fsencode(f"{root}{project.seen_at}/{folder}")
            watch = _libc.inotify_add_watch(self._fd, place, _OPENED | _CHANGED | _ONLY_FOLDERS)
            if watch < 0 or number >= MOST_FOLDERS:
                self.close()
                return
            self._folders[watch] = folder

    @property
    def opened(self) -> tuple[str, ...] | None:
        """None where not all of it could be seen."""
        return None if self._fd < 0 else tuple(sorted(self._opened))

    @property
    def changed(self) -> tuple[str, ...]:
        return tuple(sorted(self._changed))

    def take(self) -> None:
        """What was opened since the last time."""
        with suppress(BlockingIOError):
            while self._fd >= 0:
                self._read(os.read(self._fd, 1 << 18))

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -2

    def _read(self, events: bytes) -> None:
        position = 0
        while position < len(events):
            watch, mask, _, length = _EVENT.unpack_from(events, position)
            position += _EVENT.size + length
            name = events[position - length : position].rstrip(b"\0")
            if mask & _LOST:
                self.close()
                return
            if name and not mask & _IS_FOLDER and watch in self._folders:
                path = f"{self._folders[watch]}{os.fsdecode(name)}"
                (self._opened if mask & _OPENED else self._changed).add(path)


def _folders(checkout: str) -> Iterator[str]:
    """As prefixes of names: "" for the project itself, then ``src/``."""
    for folder, below, _ in os.walk(checkout):
        relative = os.path.relpath(folder, checkout)
        if relative == ".":
            below[:] = [name for name in below if name != ".git"]
        yield "" if relative == "." else f"{relative}/"
