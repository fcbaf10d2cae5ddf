"""The map of the code in a whole run: agents get what their work is about, and it follows every commit.

covers: REPOMAP, RES, EXEC, EXEC-06, LOOP-1
"""

from __future__ import annotations

from pathlib import Path

from autopilot.events.happened import PreflightDone, Warned
from tests.scenario.kit.aftermath import happened
from tests.scenario.kit.calls import work
from tests.scenario.kit.hearing import SHOW_PROMPT, heard
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import World, make_world

SECTION = "Files that this is probably about"
TWO = Plot(tasks=2)


def listening_world(folder: Path) -> World:
    world = make_world(folder, TWO)
    executors = [{**work(task), "do": [SHOW_PROMPT, *work(task)["do"]]} for task in ("01-01", "01-02")]
    world.play({"role": "researcher", "do": [SHOW_PROMPT]}, *executors)
    return world


def test_each_prompt_has_the_map_of_the_commit_before_it(tmp_path: Path) -> None:
    world = listening_world(tmp_path)
    ran = world.run("all")
    assert ran.status == 0, ran.err
    (research,) = heard(world, "researcher")
    first, second = heard(world, "executor")
    for told in (research, first, second):
        assert SECTION in told
    assert "part-01-01.sh" not in fence_of(first)
    assert "part-01-01.sh" in fence_of(second)
    assert ".planning" not in fence_of(second)


def test_a_map_that_cannot_be_made_is_one_warning_and_the_run_passes(tmp_path: Path) -> None:
    world = listening_world(tmp_path)
    world.autopilot("status")
    blocked = world.assemble().repository.home.repomap
    blocked.mkdir(parents=True)
    (blocked / "in the way").touch()
    ran = world.run("all")
    assert ran.status == 0, ran.err
    assert all(SECTION not in told for told in (*heard(world, "researcher"), *heard(world, "executor")))
    warnings = [text for event in happened(world, PreflightDone) for text in event.warnings]
    warnings += [event.text for event in happened(world, Warned)]
    assert len([text for text in warnings if "the map of the code could not be made" in text]) == 1


def test_a_budget_of_zero_in_the_settings_leaves_it_out(tmp_path: Path) -> None:
    world = listening_world(tmp_path)
    world.set_settings("map_tokens = 0\n")
    assert world.run("all").status == 0
    assert all(SECTION not in told for told in (*heard(world, "researcher"), *heard(world, "executor")))


def fence_of(told: str) -> str:
    return told.partition(SECTION)[2].split("```")[1]
