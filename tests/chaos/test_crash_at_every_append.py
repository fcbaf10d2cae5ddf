"""A crash at every append of a run: the world as it was just before and just after, taken up again.

One undisturbed run copies its world at every append. Each copy is put back at the same path and resumed: its next two
appends must carry the same keys. A seeded sample is resumed to the end, which must be the undisturbed one.

covers: R-KILL, RES-1, T4, T7.resume, T7.chain
"""

from __future__ import annotations

import gc
import random
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from autopilot.api.running import run
from autopilot.model.run import RunRequest
from tests.chaos.ending import Ending, read_ending
from tests.chaos.level import LEVEL, share
from tests.chaos.record import Watch, WatchedJournal, is_finished, names
from tests.chaos.world import World, copy_folder, make_world

SHARDS = 4


class Crash(NamedTuple):
    """A copy of the world, made ``side`` the append number ``at``."""

    side: str
    at: int
    copy: Path

    @property
    def recorded(self) -> int:
        return self.at + (self.side == "after")


class Undisturbed(NamedTuple):
    batches: list[list[str]]
    crashes: list[Crash]
    ending: Ending


@pytest.mark.parametrize("shard", range(SHARDS))
def test_a_run_killed_at_any_append_goes_on_as_if_nothing_had_happened(
    shard: int, place: Path, rng: random.Random
) -> None:
    world = make_world(place / "world")
    undisturbed = run_undisturbed(world, place, shard)
    assert undisturbed.ending.completed == ("1", "2", "3")
    assert undisturbed.ending.checkout == ""
    assert undisturbed.ending.strays == ()
    assert any("debug" in name for name in undisturbed.ending.record), "the sample's lie was not caught"
    crashes = undisturbed.crashes
    wholes = set(rng.sample(crashes, min(len(crashes), share(LEVEL.whole_resumes, shard, SHARDS))))
    for crash in crashes:
        shutil.rmtree(world.root)
        crash.copy.rename(world.root)
        batches = resume(world, None if crash in wholes else 2)
        expected = undisturbed.batches[crash.recorded :]
        assert batches == (expected if crash in wholes else expected[:2]), crash
        if crash in wholes:
            assert read_ending(world) == undisturbed.ending, crash
    print(f"appends {len(undisturbed.batches)}, copies {len(crashes)}, resumed to the end {len(wholes)}")


def run_undisturbed(world: World, place: Path, shard: int) -> Undisturbed:
    crashes: list[Crash] = []

    def copy(side: str, at: int) -> None:
        if at % SHARDS == shard:
            crashes.append(Crash(side, at, place / f"{at:03}-{side}"))
            copy_folder(world.root, crashes[-1].copy)

    batches = drive(world, copy)
    return Undisturbed(batches, crashes, read_ending(world))


def resume(world: World, appends: int | None) -> list[list[str]]:
    return [] if is_finished(world) else drive(world, appends=appends)


def drive(world: World, watch: Watch = lambda side, at: None, appends: int | None = None) -> list[list[str]]:
    """Start a run or take it up, like a new process; stop after so many appends that bring something new."""
    assembly = world.assemble()
    watched = WatchedJournal(assembly.ports.journal, watch)
    assembly = replace(assembly, ports=replace(assembly.ports, journal=watched))
    batches: list[list[str]] = []
    for recorded in run(RunRequest(), world.settings.policy(), assembly, "test"):
        if batch := names(recorded.entries):
            batches.append(batch)
        if len(batches) == appends:
            break
    else:
        assert recorded.state.exit_status == 0, recorded.state.stop_reason
    # With the last reference the lock is freed and the vault's git reader ends, as they do with a process.
    del assembly, watched, recorded
    gc.collect()
    return batches
