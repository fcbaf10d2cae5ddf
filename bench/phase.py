"""P-PHASE: wall time of whole scripted phases over the sum of their commands, git calls and agent time."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from autopilot.adapters.git.checkout.checkout import GitCheckout
from autopilot.adapters.git.vault import GitVault
from autopilot.adapters.git.workspaces import GitWorkspaces
from autopilot.adapters.sandbox.bubblewrap import Bubblewrap
from autopilot.api.assembly import assemble, find_repository
from autopilot.api.demo import make_sample
from autopilot.api.running import run
from autopilot.model.run import RunRequest
from autopilot.settings.reading import read_settings
from autopilot.simulation.scripted.agent import ScriptedAgent

OUTSIDE: dict[type, tuple[str, ...]] = {
    GitVault: ("adopt", "take", "commit", "edit_tree", "read", "list", "changes", "is_ancestor", "anchor", "anchored"),
    GitWorkspaces: ("clone", "review", "export", "folder", "remove"),
    GitCheckout: ("facts", "read", "list", "snapshot", "land", "offer"),
    ScriptedAgent: ("call", "version"),
    Bubblewrap: ("probe",),
}


class Stopwatch:
    """Time spent outside: nested calls are counted once."""

    def __init__(self) -> None:
        self.total_s = 0.0
        self._depth = 0

    def around(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def timed(*arguments: Any, **options: Any) -> Any:
            if self._depth:
                return function(*arguments, **options)
            self._depth += 1
            began = time.perf_counter()
            try:
                return function(*arguments, **options)
            finally:
                self._depth -= 1
                self.total_s += time.perf_counter() - began

        return timed


class TimedSandbox(Bubblewrap):
    """Counts the time from a command's start to its end."""

    watch: Stopwatch

    def start(self, spec: Any) -> Any:
        running = self.watch.around(super().start)(spec)
        running.wait = self.watch.around(running.wait)
        return running


def main() -> None:
    watch = Stopwatch()
    for kind, names in OUTSIDE.items():
        for name in names:
            setattr(kind, name, watch.around(getattr(kind, name)))
    TimedSandbox.watch = watch
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        project, script = make_sample(folder)
        settings = replace(read_settings(), state=folder / "state", agents={"default": "scripted"}, script=script)
        assembly = assemble(find_repository(project, settings), settings)
        sandbox = TimedSandbox(assembly.repository.home.root, hidden=(settings.state,))
        assembly = replace(assembly, ports=replace(assembly.ports, sandbox=sandbox))
        began = time.perf_counter()
        state = None
        for recorded in run(RunRequest(), settings.policy(), assembly, "bench"):
            state = recorded.state
        wall_s = time.perf_counter() - began
    assert state is not None and state.session.exit_status == 0, "the sample run did not pass"
    print(f"wall {wall_s:.2f} s, commands, git and agents {watch.total_s:.2f} s", file=sys.stdout)
    print(f"P-PHASE: {wall_s / watch.total_s:.2f}x (goal <= 1.25x)")


if __name__ == "__main__":
    main()
