"""Removing a folder of ours and all that an agent may have left in it, never what its links point to."""

from __future__ import annotations

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
        _open_up(folder)
        shutil.rmtree(folder)


def _open_up(folder: Path) -> None:
    """Give ourselves the right to empty every folder below: an agent may have taken it away."""
    pending = [folder]
    while pending:
        path = pending.pop()
        if path.lstat().st_mode & 0o700 != 0o700:
            path.chmod(0o700)
        with os.scandir(path) as entries:
            pending += [Path(entry.path) for entry in entries if entry.is_dir(follow_symlinks=False)]
