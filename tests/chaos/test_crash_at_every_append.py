"""A crash at every append of a story: the world as it was just before and just after, taken up again.

Told once undisturbed, it copies its world at every append. Each copy is put back at the same path and goes on: its next
two appends must carry the same keys. A seeded sample goes on to the story's end, which must be the undisturbed one.

covers: R-KILL, RES-1, T4, T7.resume, T7.chain
"""

from __future__ import annotations

import random
import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.chaos.ending import Ending, differences, read_ending
from tests.chaos.level import LEVEL, LEVELS, share
from tests.chaos.session import Session, all_stories, brought, hold_session, sessions_of
from tests.chaos.world import copy_folder, fingerprint, make_world
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
    number = whole_resumes(story, TOLD, LEVEL.whole_resumes)
    undisturbed = tell(world, sessions_of(story), Copies(place, rng, LEVEL.crashes))
    assert undisturbed.ending.strays == ()
    crashes = undisturbed.crashes
    wholes = set(rng.sample(crashes, min(len(crashes), number)))
    for crash in crashes:
        shutil.rmtree(world.folder)
        crash.copy.rename(world.folder)
        go_on(world, sessions_of(story), undisturbed, crash, whole=crash in wholes)
    print(f"{story.name}: appends {len(undisturbed.batches)}, copies {len(crashes)}, to the end {len(wholes)}")


def whole_resumes(story: Story, told: Sequence[Story], total: int) -> int:
    """How many of its crashes are resumed to the end: by weight, for a story of 200 appends has more to lose."""
    shares = [each for each in told for _ in range(each.weight)]
    return sum(share(total, place, len(shares)) for place, each in enumerate(shares) if each is story)


def test_a_long_story_has_more_of_the_crashes_that_are_resumed_to_the_end_and_each_has_one() -> None:
    total = LEVELS["chaos"].whole_resumes
    numbers = {story.name: whole_resumes(story, STORIES, total) for story in STORIES}
    assert sum(numbers.values()) == total
    assert min(numbers.values()) >= 1
    assert numbers["night"] >= 3 * numbers["three_phases"]


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


class Copies:
    """Copies of a world at every moment, or at so many of them, each as likely as any other: which there will be is not
    known while they are made, so later ones take the place of earlier ones.

    A world that nothing has changed since the moment before is the same crash: one copy stands for both."""

    def __init__(self, place: Path, rng: random.Random, most: int | None) -> None:
        self.kept: list[Crash] = []
        self._place, self._rng, self._most = place, rng, most
        self._seen = 0
        self._last: dict[str, tuple[int, ...]] = {}

    def add(self, world: World, side: str, recorded: int, session: int) -> None:
        last, self._last = self._last, fingerprint(world.folder)
        if last == self._last:
            return
        self._seen += 1
        crash = Crash(side, recorded, session, self._place / f"{recorded:03}-{side}")
        if self._most is None or len(self.kept) < self._most:
            self.kept.append(crash)
        elif (chosen := self._rng.randrange(self._seen)) < self._most:
            shutil.rmtree(self.kept[chosen].copy)
            self.kept[chosen] = crash
        else:
            return
        copy_folder(world.folder, crash.copy)


def test_an_unchanged_world_is_copied_once_and_a_changed_one_again(place: Path, rng: random.Random) -> None:
    world = make_world(place / "world", phases=1)
    copies = Copies(place, rng, None)
    changes: list[Callable[[], object]] = [
        lambda: None,
        lambda: world.write("new.txt", "new"),
        lambda: world.write("new.txt", "now"),
        lambda: (world.project / "new.txt").chmod(0o600),
        lambda: (world.project / "empty").mkdir(),
        lambda: world.write("index.db-shm", "made anew"),
        lambda: (world.project / "new.txt").unlink(),
    ]
    for number, change in enumerate(changes):
        change()
        copies.add(world, "after", number, 0)
    assert [crash.recorded for crash in copies.kept] == [0, 1, 2, 3, 4, 6]


def tell(world: World, sessions: tuple[Session, ...], copies: Copies) -> Undisturbed:
    batches: list[list[str]] = []
    rests: list[int] = []
    moments = 0

    def copy(side: str) -> None:
        nonlocal moments
        copies.add(world, side, (moments + 1) // 2, len(rests))
        moments += 1

    for session in sessions:
        batches += hold_session(world, session, copy)
        rests.append(len(batches))
    # A copy of the story at its end is none: there is nothing left to crash.
    crashes = [crash for crash in copies.kept if (crash.side, crash.recorded) != ("after", len(batches))]
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
