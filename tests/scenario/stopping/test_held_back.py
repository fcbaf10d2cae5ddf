"""Trouble that one phase has and that is not its work's: it holds up nobody, and an agent that died is replaced.

covers: CB, GATE
"""

from __future__ import annotations

from pathlib import Path

import pytest

from autopilot.events.happened import AgentReplied, StepStarted
from autopilot.events.recovery import PhaseHeld
from autopilot.events.state import RunState
from autopilot.model.agent import Role
from autopilot.model.run import PhaseStatus, RunStatus, Step
from tests.scenario.kit.aftermath import happened
from tests.scenario.kit.calls import Call, work
from tests.scenario.kit.plot import Plot, part_text
from tests.scenario.kit.world import World, make_world

FILLING = "head -c 100000000 /dev/zero > /tmp/much\n"


def drive(world: World) -> RunState:
    state = RunState()
    for recorded in world.drive():
        state = recorded.state
    return state


def asked(world: World, role: Role, phase: str) -> int:
    replies = happened(world, AgentReplied)
    return sum(reply.role is role and reply.phase == phase for reply in replies)


def filling(task: str) -> Call:
    return work(task, text=part_text(task) + FILLING)


def test_a_check_that_fills_its_scratch_space_holds_back_its_phase_alone_and_nothing_is_built_twice(
    tmp_path: Path,
) -> None:
    world = make_world(tmp_path, Plot(phases=4, depends={3: (2,)}, planned=True))
    world.set_settings("sandbox_scratch_mb = 64\n")
    world.play(filling("02-01"))
    night = drive(world)
    done = [phase.status for phase in night.phases.values()]
    assert done == ["completed", "in_progress", "not_started", "completed"]
    assert (night.status, night.session.exit_status) == (RunStatus.PAUSED, 5)
    assert "sandbox_scratch_mb = 128" in (night.session.stop_reason or "")
    assert not world.git("ls-tree", "-r", "--name-only", "HEAD", "part-02-01.sh"), "nothing unproven landed"

    world.set_settings("sandbox_scratch_mb = 512\n")
    morning = drive(world)
    assert morning.session.exit_status == 0, morning.session.stop_reason
    assert {phase.status for phase in morning.phases.values()} == {PhaseStatus.COMPLETED}
    assert asked(world, Role.EXECUTOR, "2") == 1, "its work was kept"


def test_what_fills_the_scratch_space_of_two_phases_in_a_row_stops_the_run(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(phases=4, planned=True))
    world.set_settings("sandbox_scratch_mb = 64\n")
    world.play(*map(filling, ("01-01", "02-01", "03-01", "04-01")))
    night = drive(world)
    assert (night.status, night.session.exit_status) == (RunStatus.PAUSED, 5)
    assert [event.phase for event in happened(world, PhaseHeld)] == ["1"]
    assert {event.phase for event in happened(world, StepStarted)} == {"1", "2"}, "the trouble is everybody's"


@pytest.mark.parametrize("end", [{"crash": 139}, {"run": "kill -9 $PPID"}])
def test_an_executor_that_dies_without_a_commit_is_asked_again_and_no_debugger(tmp_path: Path, end: Call) -> None:
    world = make_world(tmp_path, Plot(planned=True))
    dying: Call = {"role": "executor", "task": "01-01", "do": [{"write": "half.txt", "text": "half"}, end]}
    world.play({**dying, "attempt": 1}, {**dying, "attempt": 2}, work("01-01"))
    state = drive(world)
    assert state.session.exit_status == 0, state.session.stop_reason
    assert asked(world, Role.EXECUTOR, "1") == 3
    assert not [event for event in happened(world, StepStarted) if event.step is Step.DEBUG]
