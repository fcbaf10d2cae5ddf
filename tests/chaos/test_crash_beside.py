"""Crashes with three phases at work: at every append, and at random instants. None is lost, and none comes twice.

Who is the quickest is chance, so a run is compared phase by phase. Told once undisturbed, it stands still at its
appends and is copied as it is, the others in the middle of their steps. Each copy is put back at the same path and goes
on: what it records next is what comes next in its phase. Some go on to the end, which must be the undisturbed one.

covers: R-KILL, LOOP-4, RES-1, T4, T7.resume, T7.chain
"""

from __future__ import annotations

import random
import shutil
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.chaos.beside import AT_ONCE, FIVE, TEN, by_phase, in_any_order, is_on_its_way, make_graph
from tests.chaos.ending import Ending, differences, read_ending
from tests.chaos.killing import check_record, crash_until_done, draw_kills, start_run
from tests.chaos.level import LEVEL
from tests.chaos.record import STOP, names, read_record
from tests.chaos.stopping import run_and_stop
from tests.chaos.world import copy_folder
from tests.scenario.kit import World

PARALLEL = ("--parallel", str(AT_ONCE))
NEXT = 2  # appends that each copy has to bring
SHARDS = 4 if LEVEL.every_append_beside else 1
GRAPH = TEN if LEVEL.every_append_beside else FIVE
APPENDS = 45 * (len(GRAPH) + 1)  # at least
FEW = 4
WHOLE = 12 if LEVEL.every_append_beside else 1  # of each shard, taken up to the end


class Undisturbed(NamedTuple):
    record: Mapping[str, list[str]]
    ending: Ending
    copies: list[Path]


@pytest.mark.parametrize("shard", range(SHARDS))
def test_three_at_work_killed_at_any_append_go_on_as_if_nothing_had_happened(
    shard: int, place: Path, rng: random.Random
) -> None:
    every = list(range(1 + shard, 4 * APPENDS, SHARDS))
    numbers = every if LEVEL.every_append_beside else sorted(rng.sample(range(1, 2 * APPENDS), FEW))
    world = make_graph(place / "world", GRAPH)
    undisturbed = tell(world, numbers, place)
    wholes = rng.sample(undisturbed.copies, min(WHOLE, len(undisturbed.copies)))
    for copy in undisturbed.copies:
        shutil.rmtree(world.folder)
        copy.rename(world.folder)
        go_on(world, undisturbed, copy.name, whole=copy in wholes)
    print(f"copies {len(undisturbed.copies)}, to the end {len(wholes)}")


def tell(world: World, numbers: list[int], place: Path) -> Undisturbed:
    copies = []
    for number in run_and_stop(world, AT_ONCE, numbers):
        copies.append(place / f"{number:04}")
        copy_folder(world.folder, copies[-1])
    record = by_phase(read_record(world))
    ending = in_any_order(read_ending(world))
    assert ending.strays == ()
    assert ending.completed == tuple(sorted(record.keys() - {""}))
    return Undisturbed(record, ending, copies)


def go_on(world: World, undisturbed: Undisturbed, crash: str, *, whole: bool) -> None:
    before = names(read_record(world))
    if before[-1:] == [STOP]:
        return  # it had come to its end: there was nothing left to crash
    run = start_run(world, *PARALLEL)
    while not run.has_ended() and (whole or len(names(read_record(world))) < len(before) + NEXT):
        time.sleep(0.05)
    if run.has_ended():
        assert run.finish() == 0, f"{crash}: {run.said()}"
        assert differences(in_any_order(read_ending(world)), undisturbed.ending) == {}, crash
    else:
        run.kill()
    check_record(world, run)
    after = read_record(world)
    assert names(after)[: len(before)] == before, crash
    assert is_on_its_way(by_phase(after), undisturbed.record), f"{crash}: {names(after)[len(before) :]}"


def test_three_at_work_killed_at_random_instants_all_come_to_their_end_once(place: Path, rng: random.Random) -> None:
    began = time.monotonic()
    run = start_run(make_graph(place / "undisturbed", FIVE), *PARALLEL)
    assert run.finish() == 0, run.said()
    kills = draw_kills(rng, time.monotonic() - began)
    undisturbed = in_any_order(read_ending(World(place / "undisturbed")))
    left, runs = LEVEL.kills_beside, 0
    while left:
        world = make_graph(place / f"world-{runs}", FIVE)
        left, runs = left - crash_until_done(world, kills, left, *PARALLEL), runs + 1
        assert differences(in_any_order(read_ending(world)), undisturbed) == {}
        shutil.rmtree(world.folder)
    print(f"kills {LEVEL.kills_beside}, whole runs {runs}")
