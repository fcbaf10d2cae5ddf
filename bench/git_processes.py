"""P-GIT: git processes by subcommand, and processor seconds, of the smallest whole run: one phase of one task.

python bench/git_processes.py [REPEATS]

The run is the user's own command line. Processes are counted in one run, by a `git` first in PATH that notes its
arguments and becomes the real one; what agents call in their sandboxes is not ours and is not counted. Processor time
is taken from further runs, without that note-taking: of the program itself and of all its children, agents included.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from worlds.graph import make_project, make_script

REPEATS = 3
GRAPH = {1: ()}


def main() -> None:
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else REPEATS
    calls = count_processes()
    for name, count in calls.most_common():
        print(f"{count:5} git {name}")
    seconds = [measure_cpu_s() for _ in range(repeats)]
    floor_s = min(interpreter_cpu_s() for _ in range(repeats))
    print(f"{os.cpu_count()} cores; cpu of {repeats} runs: {', '.join(f'{each:.2f} s' for each in seconds)}")
    print(f"of which `autopilot --version` is {floor_s:.2f} s")
    print(f"P-GIT (processes): {calls.total()} (goal <= 40)")
    print(f"P-GIT (cpu): {min(seconds):.2f} s (goal <= 0.8 s)")


def count_processes() -> Counter[str]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        notes = folder / "notes"
        notes.touch()
        program = folder / "bin" / "git"
        program.parent.mkdir()
        noting = f'#!/bin/sh\necho "$1" >>{notes}\nexec {shutil.which("git")} "$@"\n'
        program.write_text(noting, encoding="utf-8")
        program.chmod(0o755)
        start_run(folder, f"{program.parent}:{os.environ['PATH']}")
        return Counter(notes.read_text(encoding="utf-8").split())


def measure_cpu_s() -> float:
    with tempfile.TemporaryDirectory() as name:
        before = children_cpu_s()
        start_run(Path(name), os.environ["PATH"])
        return children_cpu_s() - before


def start_run(folder: Path, path: str) -> None:
    project, script = make_project(folder, GRAPH), make_script(folder, GRAPH, 0.0, waiting=())
    (folder / "home").mkdir()
    own = {"PATH": path, "HOME": str(folder / "home"), "AUTOPILOT_STATE_HOME": str(folder / "state")}
    command = (sys.executable, "-m", "autopilot", "run", "all", "--script", str(script))
    ran = subprocess.run(command, cwd=project, env=own, check=False, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def interpreter_cpu_s() -> float:
    before = children_cpu_s()
    subprocess.run((sys.executable, "-m", "autopilot", "--version"), check=True, stdout=subprocess.DEVNULL)
    return children_cpu_s() - before


def children_cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
