"""Repositories whose last run rests and asks; nothing of it was ever carried out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from autopilot.adapters.journal.sqlite import SqliteJournal
from autopilot.events.entry import Entry
from autopilot.events.people import HumanAsked
from tests.scenario.kit.world import World, make_world
from tests.unit.asking import events_for


def at_rest(folder: Path, *asked: HumanAsked, deferred: bool = False) -> World:
    world = make_world(folder)
    write_run(world, *asked, deferred=deferred)
    return world


def write_run(world: World, *asked: HumanAsked, deferred: bool = False) -> None:
    write_events(world, events_for(*asked, deferred=deferred))


def write_events(world: World, events: Sequence[Any], run: str = "run-1") -> None:
    journal = open_journal(world)
    journal.append([Entry(run, f"{run}/{number}", event) for number, event in enumerate(events)])
    journal.close()


def open_journal(world: World) -> SqliteJournal:
    journal = world.assemble().ports.journal
    assert isinstance(journal, SqliteJournal)
    return journal
