"""P-MEM: memory of the orchestrator with 200 phases in flight, and the processor time it takes while all of them wait.

python bench/memory.py [PHASES]

Every phase is at its executor, a sandboxed program that says nothing any more. Memory is the highest this process had
from its start to the end of the run, its children not counted; the run ends by a cancel, as a user would end it.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import threading
import time
from pathlib import Path

from msgspec.structs import replace
from worlds.graph import make_project, make_script

from autopilot.api.assembly import Assembly, assemble, find_repository
from autopilot.api.cancellation import cancel
from autopilot.api.running import run
from autopilot.events.state import RunState
from autopilot.model.intent import Intent
from autopilot.model.run import RunRequest, Step
from autopilot.settings.reading import Settings, read_settings

PHASES = 200
SETTLE_S = 10.0  # the last one's program is still coming up
WATCHED_S = 10.0
LOOK_EVERY_S = 1.0
PATIENCE_S = 3600.0


class Onlooker:
    """Waits until everybody is at work, measures for a while, then asks the run to stop."""

    def __init__(self, phases: int, settings: Settings, project: Path) -> None:
        self.cpu_share: float | None = None
        self.all_after_s = 0.0
        self.memory_mb = 0.0
        self.state = RunState()
        self._phases = phases
        self._settings = settings
        self._project = project
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def _watch(self) -> None:
        began = time.monotonic()
        while self._at_work() < self._phases and time.monotonic() - began < PATIENCE_S:
            time.sleep(LOOK_EVERY_S)
        self.all_after_s = time.monotonic() - began
        time.sleep(SETTLE_S)
        used, since = time.process_time(), time.monotonic()
        time.sleep(WATCHED_S)
        self.cpu_share = (time.process_time() - used) / (time.monotonic() - since)
        self.memory_mb = resident_mb()
        cancel(assemble(find_repository(self._project, self._settings), self._settings), "bench")

    def _at_work(self) -> int:
        return sum(p.open is not None and p.open.step is Step.EXECUTE for p in self.state.phases.values())


def main() -> None:
    phases = int(sys.argv[1]) if len(sys.argv) > 1 else PHASES
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        graph: dict[int, tuple[int, ...]] = dict.fromkeys(range(1, phases + 1), ())
        project, script = make_project(folder, graph), make_script(folder, graph, PATIENCE_S, waiting=("executor",))
        settings = replace(read_settings(), state=folder / "state", agents={"default": "scripted"}, script=script)
        onlooker = Onlooker(phases, settings, project)
        state = drive(assemble(find_repository(project, settings), settings), settings, phases, onlooker)
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    assert onlooker.cpu_share is not None, f"not all of them came that far: {state.session.stop_reason}"
    print(
        f"{os.cpu_count()} cores; {phases} at work after {onlooker.all_after_s:.0f} s, then {onlooker.memory_mb:.0f} MB"
    )
    print(f"P-MEM ({phases} phases in flight): {peak_mb:.0f} MB (goal <= 150 MB)")
    print(f"P-MEM (all of them waiting): {onlooker.cpu_share:.2%} of a core (goal <= 1 %)")


def drive(assembly: Assembly, settings: Settings, phases: int, onlooker: Onlooker) -> RunState:
    request = RunRequest(intent=Intent(parallel=phases))
    onlooker.start()
    for recorded in run(request, settings.policy(), assembly, "bench"):
        onlooker.state = recorded.state
    return onlooker.state


def resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / (1 << 20)


if __name__ == "__main__":
    main()
