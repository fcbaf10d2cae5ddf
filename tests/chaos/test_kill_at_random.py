"""kill -9 of the real command at random instants, again and again, until the roadmap is done.

Kills fall on a run like rain: the time to the next is drawn anew for every process, a fraction of an undisturbed run on
average. One in four waits for a landing, the one moment when the user's own files are touched.

covers: R-KILL, RES-1, T4, T6.registry, T7.journal, T7.resume, T7.lock
"""

from __future__ import annotations

import random
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from tests.chaos.ending import differences, read_ending
from tests.chaos.killing import crash_until_done, draw_kills, run_undisturbed
from tests.chaos.level import LEVEL, share
from tests.chaos.world import make_world
from tests.scenario.kit.world import World

SHARDS = 2
NOTES = "mine, and not committed\n"


@pytest.mark.parametrize("shard", range(SHARDS))
def test_a_run_killed_at_random_instants_loses_and_doubles_nothing(shard: int, place: Path, rng: random.Random) -> None:
    began = time.monotonic()
    undisturbed = run_undisturbed(make_world_with_notes(place / "undisturbed"))
    took_s = time.monotonic() - began
    assert undisturbed.checkout == "?? notes.txt"
    total = share(LEVEL.kills - LEVEL.kills_of_issues, shard, SHARDS)
    kills = draw_kills(rng, took_s)
    left, runs = total, 0
    while left:
        world = make_world_with_notes(place / f"world-{runs}")
        left, runs = left - crash_until_done(world, kills, left), runs + 1
        ending = read_ending(world)
        assert differences(ending, undisturbed) == {}
        assert (world.project / "notes.txt").read_text() == NOTES
        verified = subprocess.run(world.command("log", "verify"), cwd=world.project, env=world.environment, check=False)
        assert verified.returncode == 0
        shutil.rmtree(world.folder)
    print(f"kills {total}, whole runs {runs}, an undisturbed run took {took_s:.1f} s")


def make_world_with_notes(root: Path) -> World:
    world = make_world(root)
    (world.project / "notes.txt").write_text(NOTES)
    return world
