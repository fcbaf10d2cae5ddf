"""A program: a disk fills up while a run is under way, with bytes or with files; later there is room again.

    python -m tests.chaos.filling FOLDER PLACE WHAT WORD LEAVE

To be started by small_disk with PLACE, "state" or "project" of the world in FOLDER, as its disk. When the run says
WORD, all but LEAVE bytes, or all but LEAVE inodes when WHAT is "inodes", are taken. Prints what happened as JSON.
"""

from __future__ import annotations

import itertools
import json
import os
import shutil
import sys
import time
from pathlib import Path

import msgspec

from tests.chaos.ending import read_ending
from tests.chaos.killing import LOOK_EVERY_S, check_record, start_run
from tests.scenario.kit.world import World

PAGE = 4096


def main(folder: str, place: str, what: str, word: str, leave: str) -> None:
    world = World(Path(folder))
    disk = world.folder / place
    if (original := world.folder / f"{place}-original").exists():
        shutil.copytree(original, disk, symlinks=True, dirs_exist_ok=True)
    ballast = (disk / ".git" if place == "project" else disk) / "ballast"  # where git status does not look
    first = start_run(world, number=1)
    while word.encode() not in first.talk.read_bytes() and not first.has_ended():
        time.sleep(LOOK_EVERY_S)
    (take_inodes if what == "inodes" else take_room)(ballast, int(leave))
    stopped = first.finish()
    check_record(world, first)
    shutil.rmtree(ballast, ignore_errors=True)
    ballast.unlink(missing_ok=True)
    again = start_run(world, number=2)
    resumed = again.finish()
    check_record(world, again)
    said = [run.said()[-3000:] for run in (first, again)]
    found = {"stopped": stopped, "resumed": resumed, "said": said, "ending": msgspec.to_builtins(read_ending(world))}
    sys.stdout.write(json.dumps(found))


def take_inodes(ballast: Path, leave: int) -> None:
    ballast.mkdir()
    for number in itertools.count():
        if os.statvfs(ballast).f_favail <= leave:
            return
        try:
            (ballast / str(number)).touch()
        except OSError:
            return


def take_room(ballast: Path, leave: int) -> None:
    """Piece by piece: the run goes on meanwhile, and what was free a moment ago may be gone."""
    taken, piece = 0, 16 << 20
    with ballast.open("wb") as file:
        while piece >= PAGE:
            if shutil.disk_usage(ballast.parent).free - leave < piece:
                piece //= 2
                continue
            try:
                os.posix_fallocate(file.fileno(), taken, piece)
                taken += piece
            except OSError:
                piece //= 2


if __name__ == "__main__":
    main(*sys.argv[1:])
