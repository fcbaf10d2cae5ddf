"""Removing a folder of ours and all that an agent may have left in it, never what its links point to."""

from __future__ import annotations

import errno
import os
import shutil
import stat
from pathlib import Path

from autopilot.adapters.files import translated


def remove_tree(folder: Path) -> None:
    with translated(folder):
        if not stat.S_ISDIR(folder.lstat().st_mode):
            folder.unlink()
            return
        try:
            _open_up(folder)
            shutil.rmtree(folder)
        except RecursionError:
            _remove_contents(folder)
        except OSError as error:
            if error.errno != errno.ENAMETOOLONG:
                raise
            _remove_contents(folder)


def _open_up(folder: Path) -> None:
    """Give ourselves the right to empty every folder below: an agent may have taken it away."""
    pending = [folder]
    while pending:
        path = pending.pop()
        _make_ours(path)
        with os.scandir(path) as entries:
            pending += [Path(entry.path) for entry in entries if entry.is_dir(follow_symlinks=False)]


def _make_ours(path: Path) -> None:
    if path.lstat().st_mode & 0o700 != 0o700:
        path.chmod(0o700)


def _remove_contents(folder: Path) -> None:
    """However deep it goes: what lies in a folder below is moved up first, so that no path grows."""
    _make_ours(folder)
    pending = [folder]
    while pending:
        path = pending.pop()
        with os.scandir(path) as entries:
            found = list(entries)
        for entry in found:
            if not entry.is_dir(follow_symlinks=False):
                Path(entry.path).unlink()
                continue
            _make_ours(Path(entry.path))
            pending.append(Path(entry.path).rename(folder / os.urandom(8).hex()))
        if path != folder:
            path.rmdir()
    folder.rmdir()
