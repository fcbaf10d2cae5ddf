"""Where crash tests take place, and how long they may go on."""

from __future__ import annotations

import os
import random
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

MEMORY = Path("/dev/shm")
ENOUGH_BYTES = 4 << 30


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    """An empty folder, in memory where there is room: a kill loses no page either way, and the copies are many."""
    if not (MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ENOUGH_BYTES):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(prefix="autopilot-chaos-", dir=MEMORY) as folder:
        yield Path(folder)


@pytest.fixture
def rng() -> random.Random:
    """Another seed each time; AUTOPILOT_SEED repeats one."""
    seed = int(os.environ.get("AUTOPILOT_SEED") or random.SystemRandom().randrange(1 << 32))
    print(f"AUTOPILOT_SEED={seed}")
    return random.Random(seed)
