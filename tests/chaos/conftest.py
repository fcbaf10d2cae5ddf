"""Where crash tests take place, and how long they may go on."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """An empty folder, in memory where there is room: a kill loses no page either way, and the copies are many."""
    return tmp_path


@pytest.fixture
def rng() -> random.Random:
    """Another seed each time; AUTOPILOT_SEED repeats one."""
    seed = int(os.environ.get("AUTOPILOT_SEED") or random.SystemRandom().randrange(1 << 32))
    print(f"AUTOPILOT_SEED={seed}")
    return random.Random(seed)
