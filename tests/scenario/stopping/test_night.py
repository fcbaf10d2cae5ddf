"""An unattended night ends by itself: what can land has landed, what failed says why. CB, LOOP-2"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from autopilot.events.happened import TaskCommitted
from tests.scenario.kit.aftermath import state_of
from tests.scenario.kit.world import Ran, World
from tests.scenario.stories.night import NOWHERE, night

# covers: CB, LOOP-2
PHASES = 30 if os.environ.get("AUTOPILOT_CHAOS") else 6


@pytest.fixture(scope="module")
def morning(tmp_path_factory: pytest.TempPathFactory) -> tuple[World, Ran]:
    """Killed in its first phase, taken up again; meanwhile the user begins to edit a file of his own."""
    world = night(tmp_path_factory.mktemp("night"), PHASES)
    world.drive_until(TaskCommitted)
    world.write("README.md", "# mine, not finished\n")
    return world, world.resume()


def test_it_ends_by_itself_with_two_failures_and_the_rest_done(morning: tuple[World, Ran]) -> None:
    world, ran = morning
    phases = state_of(world)["phases"]
    failed = [name for name, phase in phases.items() if phase["status"] == "failed"]
    assert failed == [str(phase) for phase in NOWHERE]
    assert all(phase["status"] == "completed" for name, phase in phases.items() if name not in failed)
    assert state_of(world)["circuit_breaker"]["state"] == "closed"
    assert ran.status == 1, "some phases failed"


def test_the_last_screen_tells_what_failed_and_what_waits_for_what(morning: tuple[World, Ran]) -> None:
    world, ran = morning
    assert len(ran.out.splitlines()) <= 40
    for phase in NOWHERE:
        assert f"phase {phase} failed in debug: no progress: 3 steps of work in a row changed nothing" in ran.out
    assert f"Phases: {PHASES - 2}/{PHASES} succeeded | 2 failed | 0 skipped" in ran.out
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
    done = [phase for phase in range(1, PHASES + 1) if phase not in NOWHERE]
    assert [phase for phase in done if not (world.project / f"part-{phase:02}-01.sh").exists()] == []
