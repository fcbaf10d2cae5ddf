"""The stage on which real agents work."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.agents.changed import MCP, agents_changed
from tests.agents.kit import Stage
from tests.agents.meeting import answers, meet
from tests.chaos.level import LEVEL

__all__ = ["answers", "meet"]  # fixtures, found here by pytest

# A real agent takes seconds to start. One whole run by each is played each time (test_smoke.py); the rest when their
# code changed, and what that does not show either in `make chaos`. A file that is named is always run.
AT_LENGTH = ["*_at_length.py"]
REST = ["test_acp.py", "test_claude.py", "test_codex.py", "test_ordinary_user.py", "test_whole_*.py"]
TOOLS = [] if agents_changed(MCP) else ["test_mcp.py"]
collect_ignore_glob = [] if LEVEL.every_story else [*AT_LENGTH, *TOOLS, *([] if agents_changed() else REST)]


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    made = Stage(tmp_path)
    yield made
    made.close()
