"""The real command line as a process of its own, and ways to kill it."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.chaos.ending import Ending, read_ending
from tests.chaos.record import is_finished, read_record
from tests.scenario.kit.world import World

PATIENCE_S = 300.0
LOOK_EVERY_S = 0.002
KILLS_PER_RUN_TIME = 12
LANDING = b"/LandingStarted/"
LANDING_PART = 0.08  # of a run's time, about


class Kill(NamedTuple):
    """``after_s`` counts from the start, or from the first line that holds ``word``."""

    after_s: float
    word: bytes = b""
    whole_group: bool = False


class Run(NamedTuple):
    process: subprocess.Popen[bytes]
    talk: Path  # its standard error

    def finish(self) -> int:
        return self.process.wait(timeout=PATIENCE_S)

    def said(self) -> str:
        return self.talk.read_text(encoding="utf-8", errors="replace")

    def has_ended(self) -> bool:
        return self.process.poll() is not None

    def kill(self, whole_group: bool = False) -> None:
        """Of the whole group only our own child and what it started: it leads a session of its own."""
        (os.killpg if whole_group else os.kill)(self.process.pid, signal.SIGKILL)
        self.process.wait(timeout=PATIENCE_S)


def start_run(world: World, *words: str, number: int = 0) -> Run:
    return start_command(world, "run", "all", "--script", str(world.script), "-v", *words, number=number)


def start_command(world: World, *words: str, number: int = 0) -> Run:
    talk = world.folder.with_name(f"{world.folder.name}-talk-{number}")
    with talk.open("wb") as file:
        process = subprocess.Popen(
            world.command(*words),
            cwd=world.project,
            env=world.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=file,
            start_new_session=True,
        )
    return Run(process, talk)


def run_undisturbed(world: World, *completed: str) -> Ending:
    """Started once and left alone: how it ends is how every other run of such a world must end."""
    run = start_run(world)
    assert run.finish() == 0, run.said()
    check_record(world, run)
    ending = read_ending(world)
    assert set(ending.completed) == set(completed or ("1", "2", "3"))
    assert ending.strays == ()
    return ending


def kill_run(run: Run, kill: Kill) -> bool:
    """Wait for the moment and kill; False when the run ended by itself before."""
    while kill.word and kill.word not in run.talk.read_bytes():
        if run.has_ended():
            return False
        time.sleep(LOOK_EVERY_S)
    try:
        run.process.wait(timeout=kill.after_s)
        return False
    except subprocess.TimeoutExpired:
        run.kill(kill.whole_group)
        return True


def check_record(world: World, run: Run) -> None:
    """The chain is whole, and whatever the process said was recorded is recorded."""
    recorded = {f"  #{stored.seq} {stored.key}" for stored in read_record(world)}
    # The last line may be cut off by the kill.
    lines, _, _ = run.said().rpartition("\n")
    lost = [line for line in lines.splitlines() if line.startswith("  #") and line not in recorded]
    assert lost == [], "acknowledged and not in the record"


def draw_kills(rng: random.Random, took_s: float) -> Iterator[Kill]:
    while True:
        whole_group = rng.random() < 0.3
        if rng.random() < 0.25:
            yield Kill(rng.uniform(0, LANDING_PART * took_s), LANDING, whole_group)
        else:
            yield Kill(rng.expovariate(KILLS_PER_RUN_TIME / took_s), b"", whole_group)


def crash_until_done(world: World, kills: Iterator[Kill], most: int, *words: str) -> int:
    """How many kills it took; one that comes too late does not count. After the last one the run is let go on."""
    for counted in range(most):
        run = start_run(world, *words, number=counted)
        if not kill_run(run, next(kills)):
            break
        check_record(world, run)
        if is_finished(world):
            # Killed when all was recorded and not yet all written for people: the next start brings that level.
            assert world.resume().status == 0
            return counted + 1
    else:
        counted, run = most, start_run(world, *words, number=most)
    assert run.finish() == 0, run.said()
    check_record(world, run)
    return counted
