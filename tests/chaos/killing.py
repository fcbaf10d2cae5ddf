"""The real command line as a process of its own, and ways to kill it."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path
from typing import NamedTuple

from tests.chaos.ending import Ending, read_ending
from tests.chaos.record import read_record
from tests.chaos.world import World

PATIENCE_S = 300.0
LOOK_EVERY_S = 0.002


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
    talk = world.root.with_name(f"{world.root.name}-talk-{number}")
    with talk.open("wb") as file:
        process = subprocess.Popen(
            world.command("run", "all", "--script", str(world.script), "-v", *words),
            cwd=world.project,
            env=world.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=file,
            start_new_session=True,
        )
    return Run(process, talk)


def run_undisturbed(world: World) -> Ending:
    """Started once and left alone: how it ends is how every other run of such a world must end."""
    run = start_run(world)
    assert run.finish() == 0, run.said()
    check_record(world, run)
    ending = read_ending(world)
    assert ending.completed == ("1", "2", "3")
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
