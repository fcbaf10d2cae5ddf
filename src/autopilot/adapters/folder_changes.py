"""Which folders something changed in, as the kernel tells it: who waits for a change need not look again and again."""

from __future__ import annotations

import ctypes
import os
import struct
from contextlib import suppress
from pathlib import Path

_EVENT = struct.Struct("iIII")
_ONLY_FOLDERS, _GONE, _LOST = 0x01000000, 0x8000, 0x4000
_CHANGED = 0x2 | 0x80 | 0x40 | 0x100 | 0x200  # written to, moved there or away, made, deleted
_libc = ctypes.CDLL(None, use_errno=True)


class FolderChanges:
    """Not told: what another machine writes on a network folder, and what is written through a mapping."""

    def __init__(self) -> None:
        self._descriptor: int = _libc.inotify_init1(os.O_CLOEXEC | os.O_NONBLOCK)
        self._folders: dict[int, Path] = {}
        self._watched: set[Path] = set()

    def fileno(self) -> int:
        """Readable when something changed; negative where the kernel tells nothing."""
        return self._descriptor

    def watch(self, folder: Path) -> bool:
        """Whether its changes are told from now on."""
        if folder in self._watched:
            return True
        watch = -1
        if self._descriptor >= 0:
            watch = _libc.inotify_add_watch(self._descriptor, os.fsencode(folder), _CHANGED | _ONLY_FOLDERS)
        if watch < 0:
            return False
        self._folders[watch] = folder
        self._watched.add(folder)
        return True

    def take(self) -> set[Path]:
        """The folders that changed since the last time; all of them where the kernel lost count."""
        changed: set[Path] = set()
        with suppress(BlockingIOError):
            while self._descriptor >= 0:
                changed |= self._read(os.read(self._descriptor, 1 << 16))
        return changed

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _read(self, events: bytes) -> set[Path]:
        changed: set[Path] = set()
        position = 0
        while position < len(events):
            watch, mask, _, length = _EVENT.unpack_from(events, position)
            position += _EVENT.size + length
            if mask & _LOST:
                changed |= self._watched
            elif folder := self._folders.get(watch):
                changed.add(folder)
                if mask & _GONE:  # should it come back, it is watched anew
                    del self._folders[watch]
                    self._watched.discard(folder)
        return changed
