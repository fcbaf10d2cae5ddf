"""P-STEP: what Autopilot adds to a durable step, over the floor of the same machine in the same run.

Floor: spawning `true` and two SQLite commits at synchronous=FULL. Ours: the engine's own path for a step that runs an
unsandboxed `true`, two appends, projection off. Rounds of both are interleaved so that a busy machine hits both alike.
"""

from __future__ import annotations

import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from autopilot.adapters.blobs import FileBlobs
from autopilot.adapters.clock import SystemClock
from autopilot.adapters.interruption import Interruption
from autopilot.adapters.journal.sqlite import SqliteJournal
from autopilot.adapters.redaction import make_redactor
from autopilot.adapters.sandbox.unconfined import Unconfined
from autopilot.engine.ledger import Ledger, Slot
from autopilot.engine.performing import perform_step
from autopilot.events.fold import fold_all
from autopilot.events.happened import PhaseStarted, RunStarted
from autopilot.events.state import RunState
from autopilot.flows.command import RunStep
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Policy
from autopilot.model.run import PhaseBrief, SpecLock, Step
from autopilot.ports.bundle import Ports
from autopilot.ports.sandbox import CommandSpec, Exited, Profile, run
from autopilot.steps.context import Result, StepContext, StepRun

PHASE = PhaseId("1")
BRIEF = PhaseBrief(PHASE, "bench", "", (), (), ".planning/phases/01-bench")


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        floor, step = make_floor(folder), make_step(folder)
        floors, steps = [], []
        for number in range(1, count + 1):
            if number <= 400 or number > count - 400:
                floors.append(timed(floor))
            steps.append(timed(lambda number=number: step(number)))  # type: ignore[misc]
    early, late = statistics.median(steps[50:400]), statistics.median(steps[-350:])
    base = statistics.median(floors)
    print(f"floor {base * 1000:.2f} ms, step {early * 1000:.2f} ms, step {count:,} {late * 1000:.2f} ms")
    print(f"step {count:,} over step 100: {late / early:.2f}x (goal <= 1.1x)")
    print(f"P-STEP: {early / base:.2f}x (goal <= 1.5x)")


def timed(action: Callable[[], None]) -> float:
    began = time.perf_counter()
    action()
    return time.perf_counter() - began


def make_floor(folder: Path) -> Callable[[], None]:
    connection = sqlite3.connect(folder / "floor.db", isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("CREATE TABLE rows (text)")

    def floor() -> None:
        connection.execute("INSERT INTO rows VALUES ('started')")
        subprocess.run(("true",), check=True, stdin=subprocess.DEVNULL)
        connection.execute("INSERT INTO rows VALUES ('ended')")

    return floor


def make_step(folder: Path) -> Callable[[int], None]:
    (folder / "empty").mkdir()
    state = folder / "state"
    state.mkdir()
    journal = SqliteJournal(state / "journal.db", bytes(32), SystemClock())
    Interruption(journal).install()  # as every run does
    sandbox = Unconfined(state)
    blobs = FileBlobs(state / "blobs", make_redactor({}))
    ports: Ports = _bench_ports(journal, sandbox, blobs)
    ledger = Ledger(_begun(journal), journal, ports.vault)
    spec = CommandSpec(("true",), Profile.AGENT, PurePosixPath(folder / "empty"), PurePosixPath(folder / "empty"))

    def perform(_: StepContext) -> StepRun:
        yield from ()
        outcome = run(sandbox, spec)
        assert isinstance(outcome.ended, Exited) and outcome.ended.code == 0, outcome
        return Result("pass")

    def step(number: int) -> None:
        for _ in perform_step(RunStep(PHASE, Step.PREFLIGHT, number), ledger, ports, {Step.PREFLIGHT: perform}):
            pass

    return step


def _begun(journal: SqliteJournal) -> RunState:
    spec = SpecLock("spec", "0" * 64)
    started = RunStarted(
        "bench", "0", (BRIEF,), (BRIEF,), "ROADMAP.md", spec, Policy(), "main", "h", "b", (), (), (), (), ""
    )
    slot = Slot("bench/start")
    ledger = Ledger(RunState(run="bench"), journal, _NoVault())  # type: ignore[arg-type]
    ledger.record(slot, (started, PhaseStarted(PHASE, 1, "b")))
    return fold_all(journal.read("bench"))


class _NoVault:
    """A step that runs `true` has no business with code."""

    def anchor(self, name: str, text: str) -> None: ...

    def set_ref(self, name: str, new: str) -> None: ...


def _bench_ports(journal: SqliteJournal, sandbox: Unconfined, blobs: FileBlobs) -> Ports:
    nothing = _NoVault()
    idle = dict.fromkeys(Ports.__struct_fields__, nothing)
    return Ports(**{**idle, "journal": journal, "sandbox": sandbox, "blobs": blobs, "clock": SystemClock()})  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
