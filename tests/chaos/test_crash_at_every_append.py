"""A crash at every append of a story: the world as it was just before and just after, taken up again.

Told once undisturbed, it copies its world at every append. Each copy is put back at the same path and goes on: its next
two appends must carry the same keys. A seeded sample goes on to the story's end, which must be the undisturbed one.

covers: R-KILL, RES-1, T4, T7.resume, T7.chain
"""

from __future__ import annotations

import random
import shutil
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.chaos.ending import Ending, differences, read_ending
from tests.chaos.level import LEVEL, share
from tests.chaos.session import Session, all_stories, brought, hold_session, sessions_of
from tests.chaos.world import copy_folder, make_world
from tests.scenario.kit.world import World
from tests.scenario.stories.evidence import evidence
from tests.scenario.stories.story import Story
from tests.seed import chance

NEXT = 2  # appends that each copy has to bring
STORIES = (*all_stories(), Story("three_phases", make_world, 0))
PROBED = range(14, 31)  # from the first task's mini-verification to the observation of its phase
QUICK = [story for story in STORIES if story.quick]
TOLD = STORIES if LEVEL.every_story else tuple(chance("stories").sample(QUICK, LEVEL.quick_stories))


class Crash(NamedTuple):
    """A copy of the world: so much was recorded, and this session was under way."""

    side: str
    recorded: int
    session: int
    copy: Path


class Undisturbed(NamedTuple):
    batches: list[list[str]]
    rests: list[int]  # how much was recorded when each session came to rest
    crashes: list[Crash]
    ending: Ending

    def is_at_rest(self, crash: Crash) -> bool:
        return crash.recorded == self.rests[crash.session]


def test_there_are_ten_quick_stories_to_choose_from_each_day() -> None:
    assert len(QUICK) == 10


@pytest.mark.parametrize("story", TOLD, ids=lambda story: story.name)
def test_a_story_killed_at_any_append_goes_on_as_if_nothing_had_happened(
    story: Story, place: Path, rng: random.Random
) -> None:
    world = story.make(place / "world")
    undisturbed = tell(world, sessions_of(story), place)
    assert undisturbed.ending.strays == ()
    crashes = undisturbed.crashes
    number = share(LEVEL.whole_resumes, TOLD.index(story), len(TOLD))
    wholes = set(rng.sample(crashes, min(len(crashes), number)))
    tried = crashes if LEVEL.crashes is None else rng.sample(crashes, min(len(crashes), LEVEL.crashes))
    for crash in dict.fromkeys((*tried, *wholes)):
        shutil.rmtree(world.folder)
        crash.copy.rename(world.folder)
        go_on(world, sessions_of(story), undisturbed, crash, whole=crash in wholes)
    print(f"{story.name}: appends {len(undisturbed.batches)}, copies {len(crashes)}, to the end {len(wholes)}")


def test_work_killed_amid_its_probes_goes_on_as_if_nothing_had_happened(place: Path, rng: random.Random) -> None:
    """One append of the story of evidence, which is too long to be told to its end each time."""
    story, number, side = evidence(place / "world"), rng.choice(PROBED), rng.choice(("before", "after"))
    counted: Counter[str] = Counter()

    def copy(now: str) -> None:
        counted[now] += 1
        if now == side and counted[now] == number:
            copy_folder(story.folder, place / "copy")

    recorded = number if side == "after" else number - 1
    told = brought(hold_session(story, Session(("run", "all"), 0), copy, most=recorded + NEXT))
    shutil.rmtree(story.folder)
    (place / "copy").rename(story.folder)
    assert brought(hold_session(story, Session(("run", "all"), 0), most=NEXT)) == told[recorded:], (number, side)


def tell(world: World, sessions: tuple[Session, ...], place: Path) -> Undisturbed:
    crashes: list[Crash] = []
    batches: list[list[str]] = []
    rests: list[int] = []

    def copy(side: str) -> None:
        recorded = (len(crashes) + 1) // 2
        crashes.append(Crash(side, recorded, len(rests), place / f"{recorded:03}-{side}"))
        copy_folder(world.folder, crashes[-1].copy)

    for session in sessions:
        batches += hold_session(world, session, copy)
        rests.append(len(batches))
    # The last copy is of a story at its end: there is nothing left to crash.
    shutil.rmtree(crashes.pop().copy)
    return Undisturbed(batches, rests, crashes, read_ending(world))


def go_on(world: World, sessions: tuple[Session, ...], undisturbed: Undisturbed, crash: Crash, *, whole: bool) -> None:
    """The session that was killed once more; the one after it when nothing of it was left to do."""
    first = crash.session + undisturbed.is_at_rest(crash)
    if not whole:
        to_come = brought(undisturbed.batches[crash.recorded : undisturbed.rests[first]])
        assert brought(hold_session(world, sessions[first], most=NEXT)) == to_come[:NEXT], crash
        return
    batches = [batch for session in sessions[first:] for batch in brought(hold_session(world, session))]
    assert batches == brought(undisturbed.batches[crash.recorded :]), crash
    assert differences(read_ending(world), undisturbed.ending) == {}, crash
