"""Stories of debug sessions: one that ends in a proven fix, one that bisects first."""

from __future__ import annotations

from pathlib import Path

from tests.scenario.kit.debugging.world import OFF_BY_ONE, TEXT, honest_calls, make_debug_world
from tests.scenario.kit.world import World
from tests.scenario.stories.story import Story


def _off_by_one(folder: Path) -> World:
    return make_debug_world(folder, OFF_BY_ONE, honest_calls())


STORIES = (Story("debug_session", _off_by_one, 0, first=("debug", "start", TEXT)),)
