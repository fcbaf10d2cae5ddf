"""P-CLI: how long the hot commands take over an interpreter that does nothing, in one run."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from msgspec.structs import replace

from autopilot.api.assembly import assemble, find_repository
from autopilot.api.demo import make_sample
from autopilot.api.running import run
from autopilot.model.run import RunRequest
from autopilot.settings.reading import read_settings

ROUNDS = 25
GOALS = {"--version": 3, "status --line": 3, "status": 4, "status --json": 5}


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        project = finished_run(folder)
        env = {**os.environ, "AUTOPILOT_STATE_HOME": str(folder / "state"), "HOME": name}
        commands = {words: [sys.executable, "-m", "autopilot", *words.split()] for words in GOALS}
        commands["floor"] = [sys.executable, "-c", "pass"]
        times: dict[str, list[float]] = {words: [] for words in commands}
        for _ in range(ROUNDS):
            for words, argv in commands.items():
                began = time.perf_counter()
                subprocess.run(argv, cwd=project, env=env, check=True, capture_output=True)
                times[words].append(time.perf_counter() - began)
    floor = statistics.median(times["floor"])
    print(f"floor: python -c pass {floor * 1000:.1f} ms")
    for words, goal in GOALS.items():
        took = statistics.median(times[words])
        print(f"P-CLI {words}: {took / floor:.2f}x (goal <= {goal}x)")


def finished_run(folder: Path) -> Path:
    project, script = make_sample(folder)
    settings = replace(read_settings(), state=folder / "state", agents={"default": "scripted"}, script=script)
    assembly = assemble(find_repository(project, settings), settings)
    for _ in run(RunRequest(phases=("1",)), settings.policy(), assembly, "bench"):
        pass
    return project


if __name__ == "__main__":
    main()
