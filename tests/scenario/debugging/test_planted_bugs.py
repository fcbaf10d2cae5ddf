"""Six planted bugs, each session killed twice and resumed, each ending in a proven fix that landed.

covers: DEBUG, R-KILL
"""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from autopilot.model.debugging.repeats import greens_wanted
from autopilot.model.debugging.session import Candidate, Status
from tests.chaos.record import read_record
from tests.scenario.kit.debug_world import DebugWorld
from tests.scenario.kit.planted_bugs import BAD, PLANTED, Planted

pytestmark = pytest.mark.one_in(6)
PATIENCE_S = 300


def kill_after(world: DebugWorld, words: tuple[str, ...], events: int) -> None:
    """Kill the whole process group without warning once so many entries are recorded, or let it come to its end."""
    running = world.start("debug", *words, "--script", str(world.script), wrapper=("setsid", "--wait"))
    until = time.monotonic() + PATIENCE_S
    while running.poll() is None and recorded(world) < events and time.monotonic() < until:
        time.sleep(0.05)
    if running.poll() is None:
        os.killpg(os.getpgid(child_of(running.pid)), signal.SIGKILL)
    running.communicate()


def child_of(pid: int) -> int:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()
    return int(children[0]) if children else pid


def recorded(world: DebugWorld) -> int:
    return len(read_record(world)) if world.journal.exists() else 0


@pytest.mark.parametrize("bug", PLANTED, ids=lambda bug: bug.name)
def test_a_planted_bug_is_found_and_its_fix_proven_although_the_session_is_killed_twice(
    bug: Planted, tmp_path: Path
) -> None:
    world = bug.make(tmp_path)
    words = ("start", bug.text, *bug.options)
    kill_after(world, words, 6)
    kill_after(world, words, 18)
    ran = world.debug(*words)
    session = world.session
    assert session.status is Status.RESOLVED and session.is_proven, ran
    assert world.run_state.session.exit_status == 0 and world.git("status", "--short") == ""
    assert len(world.git("log", "--format=%H", "--grep=^fix: ").split()) == 1
    judged = session.judged
    assert judged is not None and judged.repeats.runs == judged.wanted == greens_wanted(session.repeats)
    if bug.name == "race":
        assert 0 < session.repeats.failures < session.repeats.runs >= 20
    if bug.name == "regression":
        assert session.bisection is not None
        bad = {i for i, tested in session.bisection.tested.items() if tested.result is Candidate.BAD}
        assert min(bad) == BAD - 1 and len(session.bisection.tested) <= 9
        assert f"step {BAD}" in world.read(session.brief.archived_path)
