"""kill -9 of debug sessions about six planted bugs, twice each: every bug is found, fixed, proven and landed once.

The kills come at a random instant of a step on the way to the cause, and of one on the way from it.

covers: DEBUG, R-KILL, RES-1
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from autopilot.model.debugging.repeats import greens_wanted
from autopilot.model.debugging.session import Status
from tests.chaos.ending import strays
from tests.chaos.killing import Kill, check_record, kill_run, start_command
from tests.chaos.level import LEVEL
from tests.scenario.kit.debugging.planted_bugs import PLANTED, Planted
from tests.scenario.kit.debugging.world import DebugWorld
from tests.seed import chance

# A step, and how long after its beginning at most: what lands is over soon.
TO_THE_CAUSE = {
    b"/gather.symptoms/1/StepStarted": 0.6,
    b"/reproduce/1/StepStarted": 0.6,
    b"/hypothesize.hypothesis/1/StepStarted": 0.3,
}
FROM_IT = {
    b"/fix.fix/1/StepStarted": 0.3,
    b"/prove/1/StepStarted": 0.3,
    b"/archive/1/StepStarted": 0.0,
    b"/LandingStarted/": 0.0,
}
CHOSEN = chance("planted bugs").sample(PLANTED, LEVEL.killed_bugs)


@pytest.mark.parametrize("bug", CHOSEN, ids=lambda bug: bug.name)
def test_a_session_killed_twice_finds_the_bug_and_lands_one_proven_fix(
    bug: Planted, place: Path, rng: random.Random
) -> None:
    world = bug.make(place / "world")
    for number, steps in enumerate((TO_THE_CAUSE, FROM_IT)):
        kill_in(world, bug, rng, steps, number)
    run = start_command(world, *words_of(world, bug), number=2)
    status = run.finish()
    check_record(world, run)
    session = world.session
    assert status == 0, run.said()
    assert session.status is Status.RESOLVED and session.is_proven, session.trouble
    judged = session.judged
    assert judged is not None and judged.repeats.runs == judged.wanted == greens_wanted(session.repeats)
    assert len(world.git("log", "--format=%H", "--grep=^fix: ").split()) == 1 and world.git("status", "--short") == ""
    assert tuple(strays(world)) == ()


def kill_in(world: DebugWorld, bug: Planted, rng: random.Random, steps: dict[bytes, float], number: int) -> None:
    word, longest_s = rng.choice(list(steps.items()))
    kill = Kill(rng.uniform(0, longest_s), word, rng.random() < 0.3)
    run = start_command(world, *words_of(world, bug), number=number)
    assert kill_run(run, kill), f"it ended before {kill}: {run.said()}"
    check_record(world, run)
    assert not world.run_state.halted, "it was killed on its way"


def words_of(world: DebugWorld, bug: Planted) -> tuple[str, ...]:
    return ("debug", "start", bug.text, *bug.options, "--script", str(world.script), "-v")
