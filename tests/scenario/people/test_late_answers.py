"""A decision that comes when its question is settled, or its run is over, says so and changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from autopilot.events.people import HumanAnswered
from autopilot.events.recovery import VerdictGiven
from tests.scenario.kit.aftermath import happened, stored
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import World, make_world
from tests.scenario.stories import people

# covers: CKPT, STAT-05, CMD-ANSWERS
FIRST = "checkpoint-1 has already been answered by you on "


def refused(world: World, words: tuple[str, ...], *said: str) -> None:
    """Its message, and nothing else: the record, the branch and what waits are as they were."""
    before = len(stored(world)), world.head, world.autopilot("gates", "--json").out
    late = world.autopilot(*words)
    assert (late.status, late.out) == (2, ""), late.err
    assert all(text in late.err for text in said), late.err
    assert (len(stored(world)), world.head, world.autopilot("gates", "--json").out) == before


def test_a_late_answer_to_a_checkpoint_neither_decides_the_next_one_nor_a_run_that_is_over(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(phases=3, planned=True))
    assert world.run("all", "--checkpoint-every", "1").status == 3
    assert world.autopilot("approve", "checkpoint-1").status == 0
    assert world.resume().status == 3, "it moved on, to the next checkpoint"
    refused(world, ("reject", "checkpoint-1", "too fast"), FIRST, ": approved\n", "open: checkpoint-2")
    assert world.autopilot("approve", "checkpoint-2").status == 0
    assert world.resume().status == 0
    over = "is over, and nothing in this repository is waiting for your decision"
    refused(world, ("reject", "checkpoint-1", "too fast"), FIRST, ": approved; run-", over)
    refused(world, ("approve", "checkpoint-1"), FIRST, over)
    refused(world, ("answer", "checkpoint-1", "1=yes"), FIRST, over)
    refused(world, ("approve",), "nothing in this repository is waiting for your decision")
    assert [answer.gate for answer in happened(world, HumanAnswered)] == ["checkpoint-1", "checkpoint-2"]


@pytest.mark.parametrize(("given", "ends"), [(("pass",), 0), (("fail",), 1)], ids=["pass", "fail"])
def test_a_late_verdict_changes_nothing_about_the_phase(tmp_path: Path, given: tuple[str, ...], ends: int) -> None:
    world = people.deferred(tmp_path)
    assert world.run("all").status == 3
    (waiting,) = (name for name, phase in world.status["phases"].items() if phase["status"].startswith("needs"))
    assert world.autopilot("verdict", waiting, *given).status == 0
    assert world.resume().status == ends
    before = f"phase {waiting} already has a verdict: {given[0]}, given on "
    for late in (("verdict", waiting, "pass"), ("verdict", waiting, "fail"), ("approve", waiting), ("reject", waiting)):
        refused(world, late, before)
    assert [verdict.verdict for verdict in happened(world, VerdictGiven)] == list(given)
