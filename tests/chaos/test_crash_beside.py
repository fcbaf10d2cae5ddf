"""Crashes with three phases at work: at every append, and at random instants. None is lost, and none comes twice.

Who is the quickest is chance, so a run is compared phase by phase. Told once undisturbed, it stands still at its
appends and is copied as it is, the others in the middle of their steps. Each copy is put back at the same path and goes
on: what it records next is what comes next in its phase. Some go on to the end, killed again and again on the way; that
end must be the undisturbed one.

covers: R-KILL, LOOP-4, RES-1, T4, T7.resume, T7.chain
"""

from __future__ import annotations

import random
import shutil
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.chaos.beside import AT_ONCE, SMALL, TEN, by_phase, in_any_order, is_on_its_way, make_graph
from tests.chaos.ending import Ending, differences, read_ending
from tests.chaos.killing import Kill, check_record, crash_until_done, draw_kills, start_run
from tests.chaos.level import LEVEL
from tests.chaos.record import STOP, names, read_record
from tests.chaos.stopping import run_and_stop
from tests.chaos.world import copy_folder
from tests.scenario.kit.world import World

PARALLEL = ("--parallel", str(AT_ONCE))
NEXT = 2  # appends that each copy has to bring
SHARDS = 4 if LEVEL.every_append_beside else 1
GRAPH = TEN if LEVEL.every_append_beside else SMALL
APPENDS = 30 * len(GRAPH)  # at least
WHOLE = 5 if LEVEL.every_append_beside else 1  # of each shard, taken up to the end


class Undisturbed(NamedTuple):
    record: Mapping[str, list[str]]
    ending: Ending
    copies: list[Path]
    took_s: float


@pytest.mark.parametrize("shard", range(SHARDS))
def test_three_at_work_killed_at_any_append_go_on_as_if_nothing_had_happened(
    shard: int, place: Path, rng: random.Random
) -> None:
    world = make_graph(place / "world", GRAPH)
    undisturbed = tell(world, choose_appends(shard, rng), place)
    kills = draw_kills(rng, undisturbed.took_s)
    wholes = rng.sample(undisturbed.copies, min(WHOLE, len(undisturbed.copies)))
    for copy in undisturbed.copies:
        shutil.rmtree(world.folder)
        copy.rename(world.folder)
        if names(read_record(world))[-1:] == [STOP]:
            continue  # it had come to its end: there was nothing left to crash
        if copy in wholes:
            go_on_to_the_end(world, undisturbed, kills)
        else:
            go_on(world, undisturbed, copy.name)
    print(f"copies {len(undisturbed.copies)}, to the end {len(wholes)}")


def choose_appends(shard: int, rng: random.Random) -> list[int]:
    """Each counts twice, before and after; how many there are is known when there are no more."""
    if LEVEL.every_append_beside:
        return list(range(1 + shard, 8 * APPENDS, SHARDS))
    return sorted(rng.sample(range(1, 2 * APPENDS), 3))


def tell(world: World, numbers: list[int], place: Path) -> Undisturbed:
    began, copying_s, copies = time.monotonic(), 0.0, []
    for number in run_and_stop(world, AT_ONCE, numbers):
        stopped_at = time.monotonic()
        copies.append(place / f"{number:04}")
        copy_folder(world.folder, copies[-1])
        copying_s += time.monotonic() - stopped_at
    took_s = time.monotonic() - began - copying_s
    record = by_phase(read_record(world))
    ending = in_any_order(read_ending(world))
    assert ending.strays == ()
    assert ending.completed == tuple(sorted(record.keys() - {""}))
    return Undisturbed(record, ending, copies, took_s)


def go_on(world: World, undisturbed: Undisturbed, crash: str) -> None:
    """Until something new is recorded; then it is killed."""
    before = names(read_record(world))
    run = start_run(world, *PARALLEL)
    while not run.has_ended() and len(names(read_record(world))) < len(before) + NEXT:
        time.sleep(0.05)
    if run.has_ended():
        assert run.finish() == 0, f"{crash}: {run.said()}"
    else:
        run.kill()
    check_record(world, run)
    after = read_record(world)
    assert names(after)[: len(before)] == before, crash
    assert is_on_its_way(by_phase(after), undisturbed.record), f"{crash}: {names(after)[len(before) :]}"


def go_on_to_the_end(world: World, undisturbed: Undisturbed, kills: Iterator[Kill]) -> None:
    crash_until_done(world, kills, LEVEL.kills_beside, *PARALLEL)
    assert differences(in_any_order(read_ending(world)), undisturbed.ending) == {}
    assert by_phase(read_record(world)) == undisturbed.record
