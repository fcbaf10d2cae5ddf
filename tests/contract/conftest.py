"""Adapters keep their promises on a real disk; whole runs may lie in memory (tests/memory.py)."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="autopilot-test-", ignore_cleanup_errors=True) as folder:
        yield Path(folder).resolve()
