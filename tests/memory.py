"""Where tests lie: in memory where there is room. What a journal and git flush to a disk takes half of a run's time."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

MEMORY = Path("/dev/shm")
ENOUGH_BYTES = 4 << 30


def choose_place() -> None:
    """Before pytest makes its first temporary folder. ``PYTEST_DEBUG_TEMPROOT`` is its own word for where."""
    if "PYTEST_DEBUG_TEMPROOT" not in os.environ and has_room():
        os.environ["PYTEST_DEBUG_TEMPROOT"] = str(MEMORY)


def has_room() -> bool:
    """Containers often have a small one, from which nothing may be executed."""
    if not (MEMORY.is_dir() and os.access(MEMORY, os.W_OK)):
        return False
    return not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC and shutil.disk_usage(MEMORY).free > ENOUGH_BYTES
