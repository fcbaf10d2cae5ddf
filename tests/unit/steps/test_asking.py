"""How an agent's call ended, and what that says of its work: often nothing (CB, R-BUDGET, T7.redaction)."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from autopilot.engine.performing import STEPS
from autopilot.events.happened import AgentReplied, TaskRefused
from autopilot.events.state import OpenStep
from autopilot.model.agent import AgentReply, Ending
from autopilot.model.errors import Interrupted
from autopilot.model.run import Step
from autopilot.steps.context import Result, StepContext
from tests.unit.making import make_state
from tests.unit.steps.sample import sample_context, sample_state, sample_world
from tests.unit.steps.world import World

# covers: CB, T7.redaction, T7.resume
BLAMELESS = (Ending.BUDGET, Ending.RATE_LIMITED, Ending.OVERLOADED, Ending.AUTH, Ending.NOT_FOUND)
BLAMED = (Ending.CRASHED, Ending.TIMED_OUT, Ending.STALLED, Ending.SCHEMA_UNMET)


def perform(context: StepContext) -> tuple[list[AgentReplied], Result]:
    running, replies = STEPS[context.step](context), []
    try:
        while True:
            replies += [event for event in next(running) if isinstance(event, AgentReplied)]
    except StopIteration as end:
        return replies, end.value


def ending_as(world: World, ending: Ending) -> World:
    world.ear.reply = AgentReply(ending, detail="as it was told")
    return world


@pytest.mark.parametrize("step", [Step.RESEARCH, Step.PLAN_CHECK, Step.VERIFY, Step.JUDGE, Step.RATE])
@pytest.mark.parametrize(("ending", "status"), [*((e, "unproven") for e in BLAMELESS), *((e, "error") for e in BLAMED)])
def test_an_ending_that_says_nothing_of_the_work_pauses_and_any_other_is_a_breakdown(
    tmp_path: Path, step: Step, ending: Ending, status: str
) -> None:
    _, result = perform(sample_context(ending_as(sample_world(tmp_path), ending), step))
    assert (result.status, result.events) == (status, ())
    assert result.detail.endswith(f"ended as {ending.value}: as it was told")


@pytest.mark.parametrize("ending", BLAMELESS)
@pytest.mark.parametrize("step", [Step.EXECUTE, Step.DEBUG])
def test_a_task_whose_agent_was_cut_off_with_nothing_done_is_not_refused(
    tmp_path: Path, step: Step, ending: Ending
) -> None:
    world = ending_as(sample_world(tmp_path), ending)
    _, result = perform(at_its_tip(world, step))
    assert (result.status, result.events) == ("unproven", ())


@pytest.mark.parametrize("ending", BLAMED)
def test_a_task_whose_agent_broke_down_with_nothing_done_is_refused_as_unclaimed(
    tmp_path: Path, ending: Ending
) -> None:
    _, result = perform(at_its_tip(ending_as(sample_world(tmp_path), ending), Step.EXECUTE))
    [refused] = result.events
    assert isinstance(refused, TaskRefused)
    assert (result.status, refused.claimed) == ("refused", False)
    assert refused.reason.startswith("it committed nothing; the executor ended as ")


def at_its_tip(world: World, step: Step) -> StepContext:
    """The clone ends where it began: what `take` brings back is the tip."""
    context = sample_context(world, step, "01-01")
    return world.context(make_state(context.phase, tip="head", policy=context.policy), context.phase, step, "01-01")


def test_an_agent_that_stops_itself_crashed_and_one_that_we_stop_was_interrupted(tmp_path: Path) -> None:
    [reply], result = perform(
        sample_context(ending_as(sample_world(tmp_path / "own"), Ending.CANCELLED), Step.RESEARCH)
    )
    assert (reply.ending, result.status) == (Ending.CRASHED, "error")
    stopped = ending_as(World(tmp_path / "ours", interrupted="SIGTERM"), Ending.CANCELLED)
    with pytest.raises(Interrupted) as stop:
        perform(sample_context(stopped, Step.RESEARCH))
    assert stop.value.exit_status == 143


KEY = "-----BEGIN " + "RSA PRIVATE KEY-----"


def test_a_reply_with_half_a_private_key_in_it_is_kept_and_read_again_after_a_kill(tmp_path: Path) -> None:
    world = sample_world(tmp_path)
    said = {"key_findings": [f"{KEY} is its first line", "so it is"], "recommended_approach": f"{KEY}\nand on"}
    world.ear.reply = AgentReply(Ending.COMPLETED, text="x", value={**said, "risks": [], "open_questions": [KEY]})
    context = sample_context(world, Step.RESEARCH)
    [reply], first = perform(context)
    assert KEY.encode() not in world.blobs.get(reply.reply)
    opened = OpenStep(Step.RESEARCH, 1, 2, "", (reply,))
    phase = replace(context.phase, open=opened)
    _, again = perform(world.context(sample_state(phase), phase, Step.RESEARCH))
    assert again == first and first.status == "completed"
    assert len(world.ear.calls) == 1, "nobody is paid twice"
