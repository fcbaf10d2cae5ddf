"""P-LARGE: one scripted phase on a large repository over the same phase on a small one; records; time to stop.

python bench/large.py [FILES [MEGABYTES]]     60,000 files and 540 MB unless said otherwise

The files are lines of words, so that git packs them as it packs sources. The phase is the smallest whole one, by the
user's own command line; the records are what lies in the state home when the run is over. A second run on the same
repository is interrupted while an agent is at work: what is measured is the time from the signal to the end.
"""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from msgspec import Struct
from worlds.graph import make_project, make_script

SMALL = 100
GRAPH = {1: ()}
WORDS = [f"{first}{second}{third}" for first in "bdfgklmnprst" for second in "aeiou" for third in "bdlmnrst"]
STEP = re.compile(r"Step: (\w+)")


class World(Struct, frozen=True):
    folder: Path
    project: Path

    def command(self, agent_s: float) -> subprocess.Popen[str]:
        script = make_script(self.folder, GRAPH, agent_s, waiting=("executor",) if agent_s else ())
        own = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "AUTOPILOT_STATE_HOME": str(self.folder / "state")}
        words = (sys.executable, "-m", "autopilot", "run", "--fresh", "all", "--script", str(script))
        return subprocess.Popen(
            words, cwd=self.project, env=own, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )


def main() -> None:
    files = int(sys.argv[1]) if len(sys.argv) > 1 else 60_000
    megabytes = int(sys.argv[2]) if len(sys.argv) > 2 else files * 9 // 1000
    with tempfile.TemporaryDirectory() as name:
        small = make_world(Path(name, "small"), SMALL, max(1, megabytes * SMALL // files))
        small_s = measure_phase(small)
        large = make_world(Path(name, "large"), files, megabytes)
        before = size_of(large.project)
        stop_s = measure_stop(large)
        stopped = size_of(large.folder / "state")
        large_s = measure_phase(large)
        after = size_of(large.folder / "state")
    print(f"{files:,} files, {before / 1e6:.0f} MB with git's own: {large_s:.1f} s; {SMALL} files: {small_s:.1f} s")
    print(f"records: {after / 1e6:.0f} MB after the run, {stopped / 1e6:.0f} MB after one that was stopped")
    print(f"P-LARGE (phase): {large_s / small_s:.2f}x (goal <= 3x)")
    print(f"P-LARGE (records): {after / before:.2f}x (goal <= 1.2x)")
    print(f"P-LARGE (stop): {stop_s:.2f} s (goal <= 2 s)")


def make_world(folder: Path, files: int, megabytes: int) -> World:
    folder.mkdir()
    project = make_project(folder, GRAPH)
    chance = random.Random(files)
    size = megabytes * 1_000_000 // files
    for number in range(files):
        path = project / f"src/{number % 97:02}/{number % 13:02}/file_{number}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        line = " ".join(chance.choices(WORDS, k=size // 40)) + f" {number}\n"
        path.write_text((line * (size // len(line) + 1))[:size], encoding="utf-8")
    # Not by itself in the background: it would be in the way of the one below.
    git = ("git", "-C", str(project), "-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "gc.auto=0")
    subprocess.run((*git, "add", "-A"), check=True)
    subprocess.run((*git, "commit", "-qm", "much"), check=True)
    subprocess.run((*git, "-c", "pack.window=1", "gc", "-q"), check=True)
    return World(folder, project)


def measure_phase(world: World) -> float:
    began = time.monotonic()
    ended = world.command(0.0)
    said, _ = ended.communicate()
    assert ended.returncode == 0, said
    return time.monotonic() - began


def measure_stop(world: World) -> float:
    """Interrupted in the midst of the execute step, or of what comes before it where that takes very long."""
    running = world.command(600.0)
    assert running.stdout is not None
    for line in running.stdout:
        if (step := STEP.search(line)) and step[1] == "EXECUTE":
            break
    time.sleep(1.0)
    began = time.monotonic()
    running.send_signal(signal.SIGINT)
    running.communicate()
    return time.monotonic() - began


def size_of(folder: Path) -> int:
    """As `du` counts it: a file of several names once."""
    printed = subprocess.run(("du", "-s", "--block-size=1", str(folder)), check=True, capture_output=True, text=True)
    return int(printed.stdout.split()[0])


if __name__ == "__main__":
    main()
