"""Worlds for scenarios; each lies in its test's own folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.scenario.kit.looking import processes_of, wait_until
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import World, make_world


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """One phase, one task, its plan in the repository already: the quickest whole run there is."""
    yield make_world(tmp_path, Plot(planned=True))
    wait_until(lambda: processes_of(tmp_path) == [], "no process is left")
