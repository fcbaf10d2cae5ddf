"""A program: the disk of the state home fills up while a run is under way; later there is room again.

    python -m tests.chaos.filling FOLDER WORD LEAVE

To be started by small_disk with the state home as its disk. FOLDER holds the world. When the run says WORD, all but
LEAVE bytes are taken. Prints what happened as JSON.
"""

from __future__ import annotations

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


def main(folder: str, word: str, leave: str) -> None:
    world = World(Path(folder))
    ballast = world.folder / "state" / "ballast"
    first = start_run(world, number=1)
    while word.encode() not in first.talk.read_bytes() and not first.has_ended():
        time.sleep(LOOK_EVERY_S)
    take_room(ballast, int(leave))
    stopped = first.finish()
    check_record(world, first)
    ballast.unlink(missing_ok=True)
    again = start_run(world, number=2)
    resumed = again.finish()
    check_record(world, again)
    said = [run.said()[-3000:] for run in (first, again)]
    found = {"stopped": stopped, "resumed": resumed, "said": said, "ending": msgspec.to_builtins(read_ending(world))}
    sys.stdout.write(json.dumps(found))


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
