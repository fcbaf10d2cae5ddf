"""Worlds for scenarios; each lies in its test's own folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.scenario.kit import Plot, World, make_world, processes_of


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """One phase, one task, its plan in the repository already: the quickest whole run there is."""
    yield make_world(tmp_path, Plot(planned=True))
    assert processes_of(tmp_path) == []
