"""A story told once, for many tests to look at."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.scenario.kit.aftermath import state_of
from tests.scenario.kit.world import Ran, World
from tests.scenario.stories.story import Story


@dataclass(frozen=True)
class Told:
    """The world after ``autopilot run all`` came to rest."""

    world: World
    ran: Ran
    state: dict[str, Any]
    status: str  # what `autopilot status` says

    def log(self, event: str = "") -> list[dict[str, Any]]:
        """Rows of the event log, of one kind or all."""
        return [row for row in self.state["event_log"] if not event or row["event"] == event]


def tell(stories: tuple[Story, ...], name: str, folder: Path) -> Told:
    (story,) = (story for story in stories if story.name == name)
    world = story.make(folder)
    ran = world.run("all")
    assert ran.status == story.exit_status, ran.err + ran.out
    return Told(world, ran, state_of(world), world.autopilot("status").out)
