"""P-PAR: a graph of ten phases three at a time, over the bound that its critical path and the work set.

python bench/parallel.py [SECONDS a call]

The bound is the longer of two: the longest path of phases, and all phases divided among three, each times what one
phase took when they ran one at a time in the same set of runs. Agents wait rather than work, so that a machine with few
cores can say something about it.
"""

from __future__ import annotations

import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace
from worlds.graph import longest_path, make_project, make_script

from autopilot.api.assembly import assemble, find_repository
from autopilot.api.running import run
from autopilot.events.state import RunState
from autopilot.model.intent import Intent
from autopilot.model.run import RunRequest
from autopilot.settings.reading import read_settings

GRAPH = {1: (), 2: (1,), 3: (1,), 4: (1,), 5: (2, 3), 6: (3, 4), 7: (2, 4), 8: (5, 6), 9: (6, 7), 10: (8, 9)}
AT_ONCE = 3
CALL_S = 2.0


class Measured(Struct, frozen=True):
    wall_s: float
    phase_s: float  # the median of all phases, from start to completion
    tree: str


def main() -> None:
    call_s = float(sys.argv[1]) if len(sys.argv) > 1 else CALL_S
    alone, beside = measure(1, call_s), measure(AT_ONCE, call_s)
    rounds = max(longest_path(GRAPH), math.ceil(len(GRAPH) / AT_ONCE))
    print(f"{os.cpu_count()} cores; {len(GRAPH)} phases, {call_s:g} s a call")
    for name, took, least in (("one", alone, len(GRAPH)), ("three", beside, rounds)):
        bound_s = least * alone.phase_s
        print(f"{name} at a time: {took.wall_s:.2f} s, a phase {took.phase_s:.2f} s, bound {bound_s:.2f} s", end="")
        print(f", {took.wall_s / bound_s:.2f}x")
    print("the trees outside .planning/ agree" if alone.tree == beside.tree else "THE TREES DIFFER")
    print(f"P-PAR: {beside.wall_s / (rounds * alone.phase_s):.2f}x (goal <= 1.15x)")


def measure(at_once: int, call_s: float) -> Measured:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        project, script = make_project(folder, GRAPH), make_script(folder, GRAPH, call_s)
        settings = replace(read_settings(), state=folder / "state", agents={"default": "scripted"}, script=script)
        policy = replace(settings.policy(), self_audit=False, version_bump=False)
        assembly = assemble(find_repository(project, settings), settings)
        began, state = time.perf_counter(), RunState()
        for recorded in run(RunRequest(intent=Intent(parallel=at_once)), policy, assembly, "bench"):
            state = recorded.state
        wall_s = time.perf_counter() - began
        assert state.session.exit_status == 0, (
            f"it did not pass: {[phase.ending.failure for phase in state.phases.values()]}"
        )
        return Measured(wall_s, statistics.median(phase_times(state)), tree(project))


def phase_times(state: RunState) -> Iterator[float]:
    for phase in state.phases.values():
        assert phase.started_at and phase.ending.completed_at
        yield (phase.ending.completed_at - phase.started_at).total_seconds()


def tree(project: Path) -> str:
    listed = subprocess.run(("git", "ls-tree", "-r", "HEAD"), cwd=project, check=True, capture_output=True, text=True)
    return "\n".join(row for row in listed.stdout.splitlines() if "\t.planning/" not in row)


if __name__ == "__main__":
    main()
