"""What stands in the user's folder where a landing would write. Ignored files count: git itself would replace them."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from autopilot.adapters.git.differences import ABSENT, Difference


def collisions(top: Path, changes: tuple[Difference, ...]) -> tuple[bytes, ...]:
    """Paths of untracked files in the way of a landing. Tracked files are taken to be clean."""
    leaving = {change.path for change in changes if change.new_mode == ABSENT}
    found: set[bytes] = set()
    for change in changes:
        if change.old_mode == ABSENT:
            found.update(_in_the_way(top, change.path, leaving))
    return tuple(sorted(found))


def below(top: Path, path: bytes) -> Path:
    return top / os.fsdecode(path)


def kind_at(top: Path, path: bytes) -> int | None:
    """The file type of a path below ``top``, or None; a path through a link or a file is not there."""
    parts = path.split(b"/")
    for depth in range(1, len(parts)):
        if _kind(below(top, b"/".join(parts[:depth]))) != stat.S_IFDIR:
            return None
    return _kind(below(top, path))


def _in_the_way(top: Path, path: bytes, leaving: set[bytes]) -> Iterator[bytes]:
    parts = path.split(b"/")
    for depth in range(1, len(parts)):
        above = b"/".join(parts[:depth])
        kind = _kind(below(top, above))
        if kind is None:
            return
        if kind != stat.S_IFDIR:
            if above not in leaving:
                yield above
            return
    kind = _kind(below(top, path))
    if kind == stat.S_IFDIR:
        yield from (inner for inner in _files_below(top, path) if inner not in leaving)
    elif kind is not None:
        yield path


def _files_below(top: Path, folder: bytes) -> Iterator[bytes]:
    for here, folders, files in os.walk(below(top, folder)):
        links = [name for name in folders if Path(here, name).is_symlink()]
        for name in [*files, *links]:
            yield os.fsencode(Path(here, name).relative_to(top))


def _kind(path: Path) -> int | None:
    try:
        return stat.S_IFMT(path.lstat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            return None  # a commit can hold names no folder can
        raise
