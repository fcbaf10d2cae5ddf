"""A disk fills up at some step of a run, or runs out of inodes; with room again, the run goes on to the same end.

covers: R-IO, T7.disk, RES-1
"""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest
from msgspec.structs import replace

from tests.chaos.ending import Ending
from tests.chaos.killing import run_undisturbed
from tests.chaos.level import LEVEL
from tests.chaos.world import make_world
from tests.scenario.kit.world import World

ROOT = Path(__file__).parents[2]
DISK_BYTES = 400 << 20  # a phase begins only with 256 MB free
LEFT_BYTES = (0, 4_096, 40_000, 200_000, 1_000_000, 4_000_000)
DISK_INODES = 20_000
LEFT_INODES = (0, 1, 2, 5, 20, 60)
# Said by the run when it has recorded the event; the disk is full from then on.
MOMENTS = (
    "/start/RunStarted/1",
    "1/research/1/StepStarted/1",
    "1/plan/1/AgentReplied/1",
    "1/plan_check/1/StepStarted/1",
    "1/execute.01-01/1/StepStarted/1",
    "1/verify/1/PhaseObserved/1",
    "1/gate/1/StepStarted/1",
    "1/land/1/StepStarted/1",
    "1/land/1/LandingStarted/1",
    "2/triage/1/StepStarted/1",
    "2/debug.02-01/1/StepStarted/1",
)


# Nothing but landing writes to the checkout; what is written for people there may wait.
MOMENTS_OF_LANDING = (
    "/start/RunStarted/1",
    "1/gate/1/StepStarted/1",
    "1/land/1/StepStarted/1",
    "1/land/1/LandingStarted/1",
)


class Case(NamedTuple):
    place: str  # whose disk it is
    what: str
    moments: tuple[str, ...]
    left: tuple[int, ...]
    stopped: tuple[int, ...]  # exit statuses


CASES = {
    "no bytes for the records": Case("state", "bytes", MOMENTS, LEFT_BYTES, (4, 5)),
    "no inodes for the records": Case("state", "inodes", MOMENTS, LEFT_INODES, (4, 5)),
    "no inodes for the checkout": Case("project", "inodes", MOMENTS_OF_LANDING, LEFT_INODES[:4], (4,)),
}


class Filled(msgspec.Struct, frozen=True):
    stopped: int
    resumed: int
    said: tuple[str, str]
    ending: Ending


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Ending:
    return run_undisturbed(make_world(tmp_path_factory.mktemp("undisturbed")))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", CASES)
def test_a_full_disk_pauses_the_run_and_loses_nothing(
    name: str, place: Path, rng: random.Random, undisturbed: Ending
) -> None:
    """Clones lie on the disk of the state home, too. Without inodes there is room for every byte, and for no file."""
    case = CASES[name]
    for number in range(LEVEL.disk_fillings):
        moment, left = rng.choice(case.moments), rng.choice(case.left)
        print(f"full at {moment}, {left} {case.what} left")
        world = make_world(place / f"world-{number}")
        if case.place == "project":
            world.project.rename(world.folder / "project-original")
        filled = fill(world, case.place, case.what, moment, left)
        assert filled.stopped in case.stopped, filled.said[0]
        assert filled.resumed == 0, filled.said[1]
        assert without_attempts(filled.ending) == without_attempts(undisturbed)


def without_attempts(ending: Ending) -> Ending:
    """A step that could not do its work for want of room has a further attempt on record; nothing else differs."""
    documents = {path: text for path, text in ending.documents.items() if not path.lower().endswith("trace.jsonl")}
    return replace(ending, record=[], documents=documents)


def fill(world: World, place: str, what: str, moment: str, left: int) -> Filled:
    disk = world.folder / place
    disk.mkdir()
    python = sys.executable
    small_disk = (python, "-m", "tests.chaos.small_disk", str(disk), str(DISK_BYTES), str(DISK_INODES))
    filling = (python, "-m", "tests.chaos.filling", str(world.folder), place, what, moment, str(left))
    done = subprocess.run((*small_disk, *filling), cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return msgspec.json.decode(done.stdout, type=Filled)
