"""P-RESUME: from opening the journal to the first decision: every entry checked, decoded, folded and logged.

python bench/resume.py [COUNT ...]

Long records carry snapshots, which the run took on its way; the same without them is printed first.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from autopilot import __version__
from autopilot.adapters.clock import SteppedClock
from autopilot.adapters.journal.sqlite import SqliteJournal
from autopilot.api.log_snapshot import load_log
from autopilot.engine.history import load_history
from autopilot.events.entry import Entry
from autopilot.events.happened import (
    AgentReplied,
    Event,
    PhaseStarted,
    Planned,
    RunStarted,
    RunStopped,
    StepEnded,
    StepStarted,
    TaskCommitted,
)
from autopilot.flows.roadmap import decide
from autopilot.model.agent import Ending, Role, Usage
from autopilot.model.planning.plan import Task
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Policy
from autopilot.model.run import PhaseBrief, RunStatus, SpecLock, Step

RUN = "bench"
KEY = bytes(range(32))
BATCH = 500
TASKS = ("01-01", "01-02", "01-03")
REPEATS = 5
PHASES = 100  # a phase alone asks agents some hundred times at most; its state holds every one
GOALS_S = {10_000: 1.0, 1_000_000: 3.0}


def main() -> None:
    counts = [int(word.replace(",", "")) for word in sys.argv[1:]] or [10_000]
    for count in counts:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "journal.db")
            build(path, count)
            repeats = REPEATS if count <= 100_000 else 1
            took_s = [measure(path, count) for _ in range(repeats + 1)]
            kept = sum(file.stat().st_size for file in Path(folder).glob("*.snapshot"))
            print(f"{path.stat().st_size / 1e6:.1f} MB, {took_s[0] / count * 1e6:.1f} µs an entry, {took_s[0]:.3f} s")
            print(f"snapshots: {kept / 1e6:.1f} MB")
        goal = f"(goal <= {GOALS_S[count]:g} s)" if count in GOALS_S else "(no goal)"
        print(f"P-RESUME ({count:,} events): {min(took_s[1:]):.3f} s {goal}")


def measure(path: Path, count: int) -> float:
    """The first time, it takes the snapshots that a run of that many entries would have left."""
    before = time.perf_counter()
    journal = SqliteJournal(path, KEY, SteppedClock())
    state = load_history(journal).runs[RUN]
    log = load_log(journal, RUN, count + 1)
    decide(state, state.policy, state.now)
    took_s = time.perf_counter() - before
    journal.close()
    assert state.seq == count and log, f"{state.seq} entries came back"
    return took_s


def build(path: Path, count: int) -> None:
    journal = SqliteJournal(path, KEY, SteppedClock())
    entries = [Entry(RUN, f"{RUN}/{number}", event) for number, event in enumerate(happenings(count))]
    for first in range(0, count, BATCH):
        journal.append(entries[first : first + BATCH])
    journal.close()


def happenings(count: int) -> Iterator[Event]:
    """A run of that many events: a start, phases of agents at work one after the other, a stop."""
    briefs = tuple(_brief(number) for number in range(1, PHASES + 1))
    spec = SpecLock(".planning/ROADMAP.md", "0" * 64)
    yield RunStarted(
        run=RUN,
        version=__version__,
        phases=briefs,
        outline=briefs,
        roadmap=".planning/ROADMAP.md",
        spec=spec,
        policy=Policy(),
        branch="main",
        head="a" * 40,
        base="a" * 40,
        pinned=(),
        proven=(),
        ticked=(),
        agents=(f"scripted {__version__}",),
        model="",
    )
    for brief in briefs:
        yield PhaseStarted(brief.id, 1, "a" * 40)
        yield Planned(brief.id, "a" * 40, tuple(Task(name, f"Task {name}") for name in TASKS), ())
    events = count - 2 - 2 * PHASES
    for number in range(events):
        yield work(briefs[number // 4 * PHASES // (events // 4 + 1)].id, number)  # four events are one step
    yield RunStopped(RunStatus.PAUSED, "the benchmark has enough", 4)


def _brief(number: int) -> PhaseBrief:
    folder = f".planning/phases/{number:02}-part"
    return PhaseBrief(PhaseId(str(number)), f"Part {number}", "Something works", (), (), folder)


def work(phase: PhaseId, number: int) -> Event:
    attempt, task = number // 4 + 1, TASKS[number // 4 % len(TASKS)]
    match number % 4:
        case 0:
            return StepStarted(phase, Step.EXECUTE, attempt, 1, task)
        case 1:
            usage = Usage(tokens_in=1200, tokens_out=300)
            return AgentReplied(
                phase, Step.EXECUTE, Role.EXECUTOR, "scripted", Ending.COMPLETED, usage, 1200, task, "b" * 64, "c" * 40
            )
        case 2:
            return TaskCommitted(phase, task, "c" * 40, ("src/one.py", "tests/test_one.py"), ())
        case _:
            return StepEnded(phase, Step.EXECUTE, attempt, "completed", task)


if __name__ == "__main__":
    main()
