"""kill -9 while the parts of a split phase are worked on side by side: whichever were under way, none is lost.

covers: R-KILL, SPLIT, T4, T7.journal, T7.resume
"""

from __future__ import annotations

import random
import shutil
import time
from pathlib import Path

from msgspec.structs import replace

from tests.chaos.ending import Ending, differences, read_ending
from tests.chaos.killing import crash_until_done, draw_kills, run_undisturbed
from tests.chaos.level import LEVEL
from tests.scenario.stories.parts import conflicting

WHOLE_AND_PARTS = ("20", "20a", "20b", "20c")


def test_parts_killed_side_by_side_come_together_as_if_nothing_had_happened(place: Path, rng: random.Random) -> None:
    began = time.monotonic()
    undisturbed = run_undisturbed(conflicting(place / "undisturbed"), *WHOLE_AND_PARTS)
    kills = draw_kills(rng, time.monotonic() - began)
    left, runs = LEVEL.kills_of_parts, 0
    while left:
        world = conflicting(place / f"world-{runs}")
        left, runs = left - crash_until_done(world, kills, left), runs + 1
        assert differences(in_any_order(read_ending(world)), in_any_order(undisturbed)) == {}
        shutil.rmtree(world.folder)
    print(f"kills {LEVEL.kills_of_parts}, whole runs {runs}")


def in_any_order(ending: Ending) -> Ending:
    """Which part was the quickest is chance; all that came of it is not."""
    return replace(ending, record=sorted(ending.record), completed=tuple(sorted(ending.completed)))
