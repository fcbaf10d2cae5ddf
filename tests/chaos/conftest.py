"""Where crash tests take place, and how long they may go on."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.seed import chance, seed


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """An empty folder, in memory where there is room: a kill loses no page either way, and the copies are many."""
    return tmp_path


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    """Of the day, and of this test."""
    print(f"AUTOPILOT_SEED={seed()}")
    return chance(request.node.name)
