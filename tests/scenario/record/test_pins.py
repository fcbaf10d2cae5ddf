"""What a run is about is read once, from the files as they stand, and pinned. T4.1, INV-4"""

from __future__ import annotations

import json
from pathlib import Path

from autopilot.events.happened import RunStarted
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import World, base_config, make_world

PINNED = "docs: planning files as they stood when the run began"


def test_uncommitted_planning_files_are_part_of_the_run_and_said_to_be(world: World) -> None:
    roadmap = world.read(".planning/ROADMAP.md").replace("Part 1 says its name", "Part 1 says its name aloud")
    world.write(".planning/ROADMAP.md", roadmap)
    world.write(".planning/config.json", json.dumps({**base_config(), "model_profile": "quality"}))
    head = world.head
    ran = world.run()
    assert ran.status == 3, "the checkout is not clean, so landing waits"
    warning = "warning: these files are not committed, and the run uses them as they are now: "
    assert f"{warning}.planning/ROADMAP.md, .planning/config.json" in ran.err
    assert "| Model profile: quality" in ran.err.splitlines()[0]
    branch = next(name for name in world.branches if name.startswith("autopilot/run-"))
    subjects = world.git("log", "--reverse", "--format=%s", f"{head}..{branch}").splitlines()
    assert subjects[0] == PINNED
    first = world.git("rev-list", "--reverse", f"{head}..{branch}").splitlines()[0]
    assert world.git("show", f"{first}:.planning/ROADMAP.md") == roadmap.strip()
    changed = world.git("diff-tree", "--no-commit-id", "--name-only", "-r", first).splitlines()
    assert changed == [".planning/ROADMAP.md", ".planning/config.json"]
    world.git("stash", "push", "-q")
    assert world.resume().status == 0
    assert "says its name aloud" in world.read(".planning/ROADMAP.md")


def test_what_is_edited_after_the_start_does_not_reach_the_run(world: World) -> None:
    world.drive_until(RunStarted)
    world.write(".planning/config.json", json.dumps({"project": {"commands": {"test": "false"}}}))
    ran = world.resume()
    assert "phase 1 passed" in ran.out, "the test command is the pinned one"


def test_a_roadmap_in_the_root_of_the_project_is_found_and_ticked(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(planned=True))
    world.git("mv", ".planning/ROADMAP.md", "ROADMAP.md")
    world.commit("the roadmap stands in the root")
    ran = world.run()
    assert ran.status == 0, ran.err
    assert "- [x] **Phase 1: Part 1**" in world.read("ROADMAP.md")
    assert world.git("status", "--porcelain") == ""
