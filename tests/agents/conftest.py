"""The stage on which real agents work."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.agents.kit import Stage
from tests.chaos.level import LEVEL

# A real agent takes seconds to start: what these show beyond the others is shown in `make chaos`.
collect_ignore_glob = [] if LEVEL.every_story else ["*_at_length.py"]


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    made = Stage(tmp_path)
    yield made
    made.close()
