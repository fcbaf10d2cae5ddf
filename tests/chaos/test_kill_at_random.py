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
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.chaos.ending import read_ending
from tests.chaos.killing import Kill, check_record, kill_run, run_undisturbed, start_run
from tests.chaos.level import LEVEL, share
from tests.chaos.record import is_finished
from tests.chaos.world import World, make_world

SHARDS = 2
KILLS_PER_RUN_TIME = 12
LANDING = b"/LandingStarted/"
LANDING_PART = 0.08  # of a run's time, about
NOTES = "mine, and not committed\n"


@pytest.mark.parametrize("shard", range(SHARDS))
def test_a_run_killed_at_random_instants_loses_and_doubles_nothing(shard: int, place: Path, rng: random.Random) -> None:
    began = time.monotonic()
    undisturbed = run_undisturbed(make_world_with_notes(place / "undisturbed"))
    took_s = time.monotonic() - began
    assert undisturbed.checkout == "?? notes.txt\n"
    total = share(LEVEL.kills, shard, SHARDS)
    kills = draw_kills(rng, took_s)
    left, runs = total, 0
    while left:
        world = make_world_with_notes(place / f"world-{runs}")
        left, runs = left - crash_until_done(world, kills, left), runs + 1
        ending = read_ending(world)
        assert ending == undisturbed
        assert (world.project / "notes.txt").read_text() == NOTES
        verified = subprocess.run(world.command("log", "verify"), cwd=world.project, env=world.environment, check=False)
        assert verified.returncode == 0
        shutil.rmtree(world.root)
    print(f"kills {total}, whole runs {runs}, an undisturbed run took {took_s:.1f} s")


def make_world_with_notes(root: Path) -> World:
    world = make_world(root)
    (world.project / "notes.txt").write_text(NOTES)
    return world


def draw_kills(rng: random.Random, took_s: float) -> Iterator[Kill]:
    while True:
        whole_group = rng.random() < 0.3
        if rng.random() < 0.25:
            yield Kill(rng.uniform(0, LANDING_PART * took_s), LANDING, whole_group)
        else:
            yield Kill(rng.expovariate(KILLS_PER_RUN_TIME / took_s), b"", whole_group)


def crash_until_done(world: World, kills: Iterator[Kill], most: int) -> int:
    """How many kills it took; one that comes too late does not count. After the last one the run is let go on."""
    for counted in range(most):
        run = start_run(world, number=counted)
        if not kill_run(run, next(kills)):
            break
        check_record(world, run)
        if is_finished(world):
            return counted + 1
    else:
        counted, run = most, start_run(world, number=most)
    assert run.finish() == 0, run.said()
    check_record(world, run)
    return counted
