"""How much room a file system has: bytes, and inodes, without which no file can be made however many bytes are free."""

from __future__ import annotations

import os
from pathlib import Path

FEWEST_FILES = 64  # the next commit alone makes a dozen


def usable_bytes(folder: Path) -> int:
    """Bytes that new files may have; 0 when hardly one more file can be made. Some file systems count no files."""
    facts = os.statvfs(folder)
    has_inodes = not facts.f_files or facts.f_favail >= FEWEST_FILES
    return facts.f_bavail * facts.f_frsize if has_inodes else 0
