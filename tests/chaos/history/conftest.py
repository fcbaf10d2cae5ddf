"""Real history is long and needs downloads: it belongs to `make chaos`."""

from __future__ import annotations

from tests.chaos.level import LEVEL

collect_ignore = [] if LEVEL.history else ["test_history.py"]
