"""How long the crash tests go on: `make test`, `make chaos` (AUTOPILOT_CHAOS=chaos) or `make soak`."""

from __future__ import annotations

import os
from typing import NamedTuple


class Level(NamedTuple):
    kills: int  # those of issues among them
    kills_of_parts: int  # while they run side by side
    killed_bugs: int  # debug sessions, each killed twice
    kills_beside: int  # of each run taken up to its end while phases do
    every_append_beside: bool  # crashed there with three phases at work, ten in all; else a few times, three in all
    every_story: bool  # is crashed; else some of the quick ones
    quick_stories: int  # of those, chosen by the seed
    crashes: int | None  # of each story, chosen by the seed; None for all
    whole_resumes: int  # over all stories: copies that are resumed to the end; the others until their next two appends
    disk_fillings: int
    power_losses: int  # different states of the disk that are judged
    failing_calls: int | None  # of each piece and error; None for every one
    duels: int
    liars: int | None  # pairs of a lie and honest work, chosen by the seed; None for all
    families: int  # pairs more, of those that tests/liars/families combines
    mutated_texts: int  # read by everything that reads strangers
    long_texts: int
    history: bool  # fixes of public packages are played; they are downloaded

    @property
    def kills_of_issues(self) -> int:
        return self.kills // 8


LEVELS = {
    "": Level(
        kills=8,
        kills_of_parts=3,
        killed_bugs=1,
        kills_beside=1,
        every_append_beside=False,
        every_story=False,
        quick_stories=2,
        crashes=6,
        whole_resumes=6,
        disk_fillings=1,
        power_losses=160,
        failing_calls=4,
        duels=3,
        liars=3,
        families=1,
        mutated_texts=2_000,
        long_texts=400,
        history=False,
    ),
    "chaos": Level(
        kills=300,
        kills_of_parts=60,
        killed_bugs=6,
        kills_beside=4,
        every_append_beside=True,
        every_story=True,
        quick_stories=10,
        crashes=None,
        whole_resumes=100,
        disk_fillings=20,
        power_losses=5_000,
        failing_calls=40,
        duels=100,
        liars=80,
        families=15,
        mutated_texts=100_000,
        long_texts=61_000,
        history=True,
    ),
    "soak": Level(
        kills=1000,
        kills_of_parts=200,
        killed_bugs=6,
        kills_beside=10,
        every_append_beside=True,
        every_story=True,
        quick_stories=10,
        crashes=None,
        whole_resumes=1000,
        disk_fillings=60,
        power_losses=20_000,
        failing_calls=None,
        duels=1000,
        liars=None,
        families=40,
        mutated_texts=100_000,
        long_texts=61_000,
        history=False,
    ),
}
LEVEL = LEVELS[os.environ.get("AUTOPILOT_CHAOS", "")]


def share(total: int, shard: int, shards: int) -> int:
    """A shard's part of a total; the parts add up to it."""
    return total // shards + (shard < total % shards)
