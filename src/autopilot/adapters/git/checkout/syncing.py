"""The files that a landing has written, made durable: git syncs its own files, never those of the work tree."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from autopilot.adapters.files import sync_file, sync_folder
from autopilot.adapters.git.checkout.collisions import below, kind_at
from autopilot.adapters.git.differences import Difference

_AT_ONCE = 16  # a file system writes syncs that come together in one go


def sync_changes(top: Path, changes: tuple[Difference, ...]) -> None:
    """Otherwise a loss of power after the landing could leave empty files that git takes to be unchanged."""
    files = [below(top, change.path) for change in changes if kind_at(top, change.path) == stat.S_IFREG]
    above = {folder for change in changes for folder in _folders_above(change.path)}
    folders = [below(top, folder) for folder in above if kind_at(top, folder) == stat.S_IFDIR]
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        list(pool.map(sync_file, files))
        list(pool.map(sync_folder, [top, *folders]))


def _folders_above(path: bytes) -> list[bytes]:
    parts = path.split(b"/")
    return [b"/".join(parts[:depth]) for depth in range(1, len(parts))]
