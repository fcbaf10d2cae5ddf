"""A run that stands still at chosen appends, with everything it started, so that its world can be copied as a crash
would leave it: whoever is at work beside the one that records is caught in the middle of it.

    python -m tests.chaos.stopping WORLD AT_ONCE NUMBER...

Every append counts twice, once before and once after it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec.structs import replace

from autopilot.adapters.sandbox.proctree import Process, descendants, send
from autopilot.api.running import run
from autopilot.model.intent import Intent
from autopilot.model.run import RunRequest
from tests.chaos.record import WatchedJournal
from tests.scenario.kit.world import World

ROOT = Path(__file__).resolve().parents[2]


def run_and_stop(world: World, at_once: int, numbers: Sequence[int]) -> Iterator[int]:
    """Yield each number while everything stands still; at the end the run must have passed."""
    words = [sys.executable, "-m", __name__, str(world.folder), str(at_once), *map(str, numbers)]
    environment = {**world.environment, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(words, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL)
    for number in numbers:
        _, status = os.waitpid(process.pid, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            process.returncode = os.waitstatus_to_exitcode(status)
            break
        with standing_still(process.pid):
            yield number
        os.kill(process.pid, signal.SIGCONT)
    assert process.wait() == 0, f"the run ended with {process.returncode}"


@contextmanager
def standing_still(pid: int) -> Iterator[None]:
    """What a stopped process has started stops too; who was started meanwhile is found the next time round."""
    stopped: dict[Process, None] = {}
    while new := [process for process in descendants(pid) if process not in stopped]:
        for process in new:
            send(process, signal.SIGSTOP)
            stopped[process] = None
    try:
        yield
    finally:
        for process in stopped:
            send(process, signal.SIGCONT)


def main(folder: str, at_once: str, *numbers: str) -> int:
    world, chosen, count = World(Path(folder)), set(map(int, numbers)), 0

    def watch(_: str) -> None:
        nonlocal count
        count += 1
        if count in chosen:
            os.kill(os.getpid(), signal.SIGSTOP)

    assembly = world.assemble()
    journal = WatchedJournal(assembly.ports.journal, watch)
    assembly = replace(assembly, ports=replace(assembly.ports, journal=journal))
    request = RunRequest(intent=Intent(parallel=int(at_once)))
    states = [recorded.state for recorded in run(request, world.settings.policy(), assembly, "a test")]
    return states[-1].session.exit_status if states[-1].session.exit_status is not None else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
