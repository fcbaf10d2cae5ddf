"""Two runs started together on one repository: one drives, the other is told who does.

covers: R-LOCK, LOCK, T7.lock
"""

from __future__ import annotations

import re
import shutil
import time
from pathlib import Path

from autopilot.events.happened import RunResumed, RunStarted
from tests.chaos.ending import REGISTERED, strays
from tests.chaos.killing import PATIENCE_S, Run, start_run
from tests.chaos.level import LEVEL
from tests.chaos.record import read_record
from tests.chaos.world import copy_folder, make_world
from tests.scenario.kit.world import World

ENDS_ITSELF_S = 5.0


def test_of_two_runs_started_together_only_one_ever_drives(place: Path) -> None:
    fresh = make_world(place / "fresh", phases=1)
    world = World(place / "world")
    for duel in range(LEVEL.duels):
        # Every third duel is about a repository without any record; the others resume what the last winner left.
        if duel % 3 == 0:
            shutil.rmtree(world.folder, ignore_errors=True)
            copy_folder(fresh.folder, world.folder)
        before = len(read_record(world))
        loser, winner = settle([start_run(world, number=number) for number in (1, 2)])
        winner.kill()
        assert loser.process.returncode == 2, loser.said()
        holder = re.search(r"error: this repository is in use by (?:process (\d+)|another process)", loser.said())
        assert holder is not None, loser.said()
        assert holder[1] in (None, str(winner.process.pid))
        openings = [stored.event for stored in read_record(world)[before:] if is_opening(stored.event)]
        assert len(openings) <= 1, "both opened the run"
        wait_for_strays(world)
    print(f"duels {LEVEL.duels}")


def wait_for_strays(world: World) -> None:
    """What the killed winner had started ends by itself, or, killed before it was tied to us, by the next start."""
    deadline = time.monotonic() + ENDS_ITSELF_S
    while living(world) and time.monotonic() < deadline:
        time.sleep(0.01)
    if living(world):
        world.assemble().ports.sandbox.end_orphans()
    assert living(world) == []


def living(world: World) -> list[str]:
    return [stray for stray in strays(world) if not stray.startswith(REGISTERED)]


def settle(rivals: list[Run]) -> tuple[Run, Run]:
    """The one that ended, then the one that goes on."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        ended = [run for run in rivals if run.has_ended()]
        if ended:
            return ended[0], next(run for run in rivals if run is not ended[0])
        time.sleep(0.005)
    raise AssertionError("both go on: " + "\n".join(run.said() for run in rivals))


def is_opening(event: object) -> bool:
    return isinstance(event, RunStarted | RunResumed)
