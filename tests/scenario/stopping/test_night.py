"""An unattended night ends by itself: what can land has landed, what failed says why. CB, LOOP-2

A third of its phases are mended by one debug round each, two get nowhere, one brings a flaky test, a provider's limit
lasts an hour on the clock of the simulation, the process is killed, and the user begins to edit a file of his own.
"""

from __future__ import annotations

import json
import os
import signal
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from autopilot.adapters.clock import SteppedClock
from autopilot.events.happened import TaskVerified
from autopilot.events.provision import WaitStarted, Woken
from autopilot.model.evidence.verdict import Outcome
from tests.scenario.kit.aftermath import happened, state_of, stored
from tests.scenario.kit.looking import PATIENCE_S, end, wait_for_line
from tests.scenario.kit.world import Ran, World
from tests.scenario.stories.night import AN_HOUR_S, FLAKY, LIMITED, NOWHERE, night

# covers: CB, LOOP-2, T7.resume, T8.R
PHASES = 30 if os.environ.get("AUTOPILOT_CHAOS") else 6


@pytest.fixture(scope="module")
def morning(tmp_path_factory: pytest.TempPathFactory) -> tuple[World, Ran]:
    world = night(tmp_path_factory.mktemp("night"), PHASES)
    killed(world, "[Phase 1] Task 01-01: ")
    world.drive_until(Woken, clock=SteppedClock(datetime.now(UTC), timedelta(milliseconds=1)))
    world.write("README.md", "# mine, not finished\n")
    return world, rest_of(world)


def rest_of(world: World) -> Ran:
    """To its end, which is far away: a phase may take as long as any other command."""
    process = world.start("resume", "--script", str(world.script))
    try:
        out, err = process.communicate(timeout=PATIENCE_S * PHASES)
    finally:
        end(process)
    return Ran(process.returncode, out, err)


def killed(world: World, line: str) -> None:
    process = world.start("run", "all", "--script", str(world.script))
    try:
        wait_for_line(process, line)
        process.send_signal(signal.SIGKILL)
    finally:
        end(process)


def test_it_ends_by_itself_with_two_failures_and_the_rest_done(morning: tuple[World, Ran]) -> None:
    world, ran = morning
    phases = state_of(world)["phases"]
    assert len(phases) == PHASES
    failed = [name for name, phase in phases.items() if phase["status"] == "failed"]
    assert failed == [str(phase) for phase in NOWHERE]
    assert all(phase["status"] == "completed" for name, phase in phases.items() if name not in failed)
    assert state_of(world)["circuit_breaker"]["state"] == "closed"
    assert ran.status == 1, "some phases failed"


def test_a_third_was_mended_by_one_debug_round_each(morning: tuple[World, Ran]) -> None:
    phases = state_of(morning[0])["phases"]
    mended = [int(name) for name, phase in phases.items() if phase["debug_attempts"] and int(name) not in NOWHERE]
    assert mended == [phase for phase in range(1, PHASES + 1) if phase % 3 == 1 or phase == FLAKY]
    assert {phases[str(phase)]["debug_attempts"] for phase in mended} == {1}


def test_the_flaky_test_was_refused_and_made_steady(morning: tuple[World, Ran]) -> None:
    judged = [event.outcome for event in happened(morning[0], TaskVerified) if event.task == f"{FLAKY:02}-01"]
    assert judged == [Outcome.FAIL, Outcome.PASS]


def test_the_limit_of_an_hour_was_waited_out_and_cost_no_attempt(morning: tuple[World, Ran]) -> None:
    world, _ = morning
    waits = happened(world, WaitStarted)
    began = next(entry.time for entry in stored(world) if isinstance(entry.event, WaitStarted))
    woke = next(entry.time for entry in stored(world) if isinstance(entry.event, Woken))
    assert len(waits) == 1 and (woke - began).total_seconds() >= AN_HOUR_S
    assert state_of(world)["phases"][str(LIMITED)]["attempt"] == 1


def test_the_last_screen_tells_what_failed_and_what_waits_for_what(morning: tuple[World, Ran]) -> None:
    world, ran = morning
    assert len(ran.out.splitlines()) <= 40
    for phase in NOWHERE:
        assert f"phase {phase} failed in debug: no progress: 3 steps of work in a row changed nothing" in ran.out
    assert f"Phases: {PHASES - 2} of {PHASES} succeeded | 2 failed\n" in ran.out
    assert "README.md" in ran.out, "why the work waits on its branch"
    assert world.read("README.md") == "# mine, not finished\n"


@pytest.mark.parametrize("phase", NOWHERE)
def test_each_failure_has_its_post_mortem(morning: tuple[World, Ran], phase: int) -> None:
    path = Path(".autopilot/diagnostics") / f"phase-{phase}-postmortem.json"
    told = json.loads(morning[0].read(str(path)))
    assert "no progress" in json.dumps(told)


def test_the_work_of_the_night_lands_once_the_users_own_is_out_of_the_way(morning: tuple[World, Ran]) -> None:
    world, _ = morning
    world.git("stash")
    assert world.resume().status == 1
    done = [phase for phase in range(1, PHASES + 1) if phase not in (*NOWHERE, FLAKY)]
    assert [phase for phase in done if not (world.project / f"part-{phase:02}-01.sh").exists()] == []
    assert "random" not in world.read("part.py")
