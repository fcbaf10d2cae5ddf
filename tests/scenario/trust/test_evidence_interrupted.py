"""Evidence that is interrupted in the middle of a probe, by a kill or by a sandbox that fails, is none; later it is.

covers: T8, T4, T6.registry, T7.resume, R-KILL
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from autopilot.adapters.home import Home
from autopilot.adapters.sandbox.registry import Record
from autopilot.api.running import run
from autopilot.events.fold import fold_all
from autopilot.events.state import PhaseState, RunState
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import PhaseStatus, RunRequest, RunStatus
from tests.chaos.ending import strays
from tests.chaos.killing import LOOK_EVERY_S, Run, check_record, start_run
from tests.chaos.level import LEVEL
from tests.chaos.record import names, read_record
from tests.scenario.kit.failing import FailsOnce, Name, by_command, by_kind, cramped
from tests.scenario.kit.probes import FACTS, facts_of, kind_of, trees_of
from tests.scenario.kit.world import World
from tests.scenario.stories.evidence import INITIALS, evidence
from tests.seed import chance

ONE = PhaseId("1")
LIE = FACTS["01-02"][-1:]
FULL = "scratch space was full"
FIRST, SECOND = "1/mini_verify/01-01", "1/mini_verify/01-02"
# Where the sandbox fails: the step, and what it looks at.
FAILED = [
    ("1/triage", "look"),
    *((FIRST, kind) for kind in ("look", "pinned", "replay", "mutant", "expectation", "canary")),
    *((SECOND, kind) for kind in ("look", "replay", "mutant", "expectation")),
    *(("1/verify", kind) for kind in ("look", "pinned", "expectation", "outside", "held out", "mutant", "replay")),
]
MOST_FAILURES = 400
CRAMPED = [(FIRST, "look"), (FIRST, "replay")]  # for want of room
OF_THE_DAY = {*chance("probes").sample(FAILED, 9), *CRAMPED[:1]}
# Where it is killed, in the order it comes there: the step, and the tree that is being looked at.
KILLS = (
    ("mini_verify/01-01", "canary"),
    ("mini_verify/01-02", "replay"),
    ("mini_verify/01-02", "mutant"),
)


def test_a_run_killed_while_a_probe_runs_ends_as_if_nothing_had_happened(tmp_path: Path) -> None:
    world = evidence(tmp_path / "world")
    home = world.repository.home
    for number, (step, kind) in enumerate(KILLS):
        killed = start_run(world, number=number)
        kill_while(home, killed, step, kind)
        check_record(world, killed)
        assert [kind_of(tree) for tree in trees_of(home)] == [kind]
    last = start_run(world, number=len(KILLS))
    assert last.finish() == 0, last.said()
    check_record(world, last)
    recorded = names(read_record(world))
    assert len(set(recorded)) == len(recorded), "something happened twice"
    assert facts_of(fold_all(read_record(world)).phases[ONE]) == FACTS
    assert world.git("show", "HEAD:words.py") == INITIALS.strip()
    assert [*strays(world), *trees_of(home)] == []


def kill_while(home: Home, run: Run, step: str, kind: str) -> None:
    while not (is_running(home, step) and any(kind_of(tree) == kind for tree in trees_of(home))):
        assert not run.has_ended(), f"there was no {kind} in {step}: {run.said()}"
        time.sleep(LOOK_EVERY_S)
    run.kill()


def is_running(home: Home, step: str) -> bool:
    for path in home.processes.glob("*.json"):
        try:
            record = msgspec.json.decode(path.read_bytes(), type=Record)
        except (OSError, msgspec.DecodeError):
            continue
        if record.label.endswith(f"/{step}"):
            return True
    return False


def test_a_sandbox_that_fails_at_any_kind_of_probe_pauses_the_run_and_is_held_against_nobody(tmp_path: Path) -> None:
    """First before any plan is read, last at the spec's examples; at half of the kinds, by the seed of the day.

    In `make chaos` at every single command.
    """
    world = evidence(tmp_path)
    home = world.repository.home
    spared: list[Name] = [] if LEVEL.every_story else [name for name in FAILED if name not in OF_THE_DAY]
    failed: list[Name] = []
    while (paused := hold_session(world, failed, spared)).failed is not None:
        state = paused.state
        assert (state.status, state.session.exit_status) == (RunStatus.PAUSED, 5), (
            f"{paused.failed}: {state.session.stop_reason}"
        )
        assert (FULL in state.session.stop_reason) is (paused.failed[:2] in CRAMPED), (
            f"{paused.failed}: {state.session.stop_reason}"
        )
        assert_nobody_is_blamed(state.phases[ONE])
        assert trees_of(home) == []
        failed.append(paused.failed)
        assert len(failed) < MOST_FAILURES, "a command has another name in every session, and fails for ever"
    assert paused.state.session.exit_status == 0, paused.state.session.stop_reason
    assert facts_of(paused.state.phases[ONE]) == FACTS
    assert world.git("show", "HEAD:words.py") == INITIALS.strip()
    assert list(dict.fromkeys(name[:2] for name in failed)) == [name for name in FAILED if name not in spared]


class Session(NamedTuple):
    failed: Name | None  # None when nothing was left to fail
    state: RunState


def hold_session(world: World, failed: list[Name], spared: list[Name]) -> Session:
    assembly = world.assemble()
    naming = by_command if LEVEL.every_story else by_kind
    sandbox = FailsOnce(assembly.ports.sandbox, [*failed, *spared], naming, cramped(world), CRAMPED)
    assembly = replace(assembly, ports=replace(assembly.ports, sandbox=sandbox))
    state = RunState()
    for recorded in run(RunRequest(resume_only=bool(failed)), world.settings.policy(), assembly, "a test"):
        state = recorded.state
    return Session(sandbox.failed, state)


def assert_nobody_is_blamed(phase: PhaseState) -> None:
    """Nothing is refused but the lie, once it was looked at, and nobody is asked to mend anything else."""
    assert phase.status is PhaseStatus.IN_PROGRESS
    for name, task in phase.tasks.items():
        assert task.status in ("pending", "committed", "verified"), f"{name} is {task.status}"
        assert task.caught in ((), LIE if name == "01-02" else ())
    mended = {step: times for step, times in phase.totals.attempts.items() if step.startswith("debug")}
    assert mended == ({"debug.01-02": 1} if any(task.caught for task in phase.tasks.values()) else {})
