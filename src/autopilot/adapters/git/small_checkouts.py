"""Small checkouts that git wrote last, kept in memory: several reviewers in a row are shown the same commit.

To write the few files once more takes a fraction of what a process of git takes. Git's index says by inode and time
which files are unchanged, so it is written with those of the new files: the place is as clean as one that git wrote.
"""

from __future__ import annotations

import hashlib
import os
import stat
import struct
import threading
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from autopilot.adapters.files import translated

_MOST_KEPT = 4
_MOST_ENTRIES = 300
_LARGEST = 2 << 20  # bytes of all files together
_HEAD = struct.Struct(">4sII")  # of an index: its mark, its version, how many entries
_STATS = struct.Struct(">10I")  # of an entry: changed, modified, device, inode, mode, owner, group, size
_NAME_START = 62  # after the stats, an id and flags
_VERSIONS = (2, 3)
_ID_LENGTH = 40  # hexadecimal digits of SHA-1
_EXTENDED = 0x4000
_SUBMODULE = 0o160000


class Entry(Struct, frozen=True):
    name: str
    mode: int
    content: bytes = b""  # of a file; of a link, where it leads


class Kept(Struct, frozen=True):
    entries: tuple[Entry, ...]  # a folder before what is in it
    index: bytes


class SmallCheckouts:
    """What is kept was read before anybody else could touch it."""

    def __init__(self) -> None:
        self._kept: dict[str, Kept] = {}
        self._turn = threading.Lock()

    def put(self, commit: str, place: Path) -> bool:
        """Write its files and index into a place that has none; False where it is not kept."""
        with self._turn:
            kept = self._kept.get(commit)
        if kept is None:
            return False
        with translated(place):
            for entry in kept.entries:
                _write(place / entry.name, entry)
            index = place / ".git" / "index"
            index.write_bytes(renew_index(kept.index, place))
            index.chmod(0o644)
        return True

    def keep(self, commit: str, place: Path) -> None:
        if len(commit) != _ID_LENGTH:  # the longer ids of SHA-256 stand in an index of another shape
            return
        with translated(place):
            index = (place / ".git" / "index").read_bytes()
            entries = _read(place) if _HEAD.unpack_from(index)[1] in _VERSIONS else None
        if entries is None:
            return
        with self._turn:
            self._kept[commit] = Kept(entries, index)
            while len(self._kept) > _MOST_KEPT:
                del self._kept[next(iter(self._kept))]


def renew_index(index: bytes, place: Path) -> bytes:
    """The same entries, each with what the file of its name says of itself now."""
    renewed = bytearray(index[:-20])  # without the checksum at its end
    start, (_, _, count) = _HEAD.size, _HEAD.unpack_from(index)
    for _ in range(count):
        mode, flags = _STATS.unpack_from(index, start)[6], int.from_bytes(index[start + 60 : start + 62], "big")
        name_start = start + _NAME_START + (2 if flags & _EXTENDED else 0)
        end = index.index(b"\0", name_start)
        if mode != _SUBMODULE:
            found = (place / os.fsdecode(index[name_start:end])).lstat()
            _STATS.pack_into(renewed, start, *_describe(found, mode))
        start += (end - start) // 8 * 8 + 8
    return bytes(renewed) + hashlib.sha1(renewed, usedforsecurity=False).digest()


def _describe(found: os.stat_result, mode: int) -> Iterator[int]:
    changed, modified = divmod(found.st_ctime_ns, 10**9), divmod(found.st_mtime_ns, 10**9)
    facts = (*changed, *modified, found.st_dev, found.st_ino, mode, found.st_uid, found.st_gid, found.st_size)
    return (fact & 0xFFFFFFFF for fact in facts)


def _write(path: Path, entry: Entry) -> None:
    if stat.S_ISLNK(entry.mode):
        path.symlink_to(os.fsdecode(entry.content))
        return
    if stat.S_ISDIR(entry.mode):
        path.mkdir()
    else:
        path.write_bytes(entry.content)
    path.chmod(stat.S_IMODE(entry.mode))


def _read(place: Path) -> tuple[Entry, ...] | None:
    """All but git's own files; None where there are too many, or too much is in them."""
    found: list[Entry] = []
    size, pending = 0, [path for path in place.iterdir() if path.name != ".git"]
    while pending:
        path = pending.pop()
        facts = path.lstat()
        size += facts.st_size if stat.S_ISREG(facts.st_mode) else 0
        if size > _LARGEST or len(found) >= _MOST_ENTRIES:
            return None
        found.append(Entry(str(path.relative_to(place)), facts.st_mode, _content(path, facts.st_mode)))
        if stat.S_ISDIR(facts.st_mode):
            pending += path.iterdir()
    return tuple(found)


def _content(path: Path, mode: int) -> bytes:
    if stat.S_ISLNK(mode):
        return os.fsencode(os.readlink(path))  # noqa: PTH115 -- as it stands: a path drops "./" and a last slash
    return path.read_bytes() if stat.S_ISREG(mode) else b""
