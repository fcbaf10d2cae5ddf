"""What a run leaves behind: its record, its projections, and a copy of it all to go on from more than once."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from autopilot.events.entry import Stored
from tests.scenario.kit.world import World

Kind = TypeVar("Kind")


def state_of(world: World) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(world.read(".autopilot/state.json"))
    return document


def log_of(world: World, event: str = "") -> list[dict[str, Any]]:
    """Rows of the event log, of one kind or all."""
    return [row for row in state_of(world)["event_log"] if not event or row["event"] == event]


def stored(world: World) -> list[Stored]:
    """The journal itself, every run of it."""
    return list(world.assemble().ports.journal.read())


def happened(world: World, kind: type[Kind]) -> list[Kind]:
    return [entry.event for entry in stored(world) if isinstance(entry.event, kind)]


@dataclass(frozen=True)
class Kept:
    """A world as it was, to be put back at the very same place: the state home knows a repository by its path."""

    world: World
    copy: Path

    def put_back(self) -> World:
        shutil.rmtree(self.world.folder)
        shutil.copytree(self.copy, self.world.folder, symlinks=True)
        return self.world


def keep(world: World) -> Kept:
    copy = world.folder.with_name(f"{world.folder.name}-kept")
    shutil.copytree(world.folder, copy, symlinks=True)
    return Kept(world, copy)
