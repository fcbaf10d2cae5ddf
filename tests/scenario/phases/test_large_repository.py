"""A phase on a repository with many files: agents work in layers over one checkout, and little is left behind."""

from __future__ import annotations

from pathlib import Path

from autopilot.adapters.git.workspaces import LARGE_FILES
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import base_config, make_world

# covers: CMD-GC


def test_a_phase_on_many_files_lands_and_leaves_no_checkout_behind(tmp_path: Path) -> None:
    config = base_config()
    config["project"] = {"commands": {"setup": "mkdir -p tools/made", "test": "sh check.sh && test -e many/7/7.txt"}}
    world = make_world(tmp_path, Plot(planned=True), config=config)
    for number in range(LARGE_FILES):
        world.write(f"many/{number % 9}/{number}.txt", f"{number}\n")
    before = world.commit("many")
    ran = world.run()
    assert ran.status == 0, ran.err
    changed = world.git("diff", "--name-only", before, "HEAD").split()
    assert [path for path in changed if not path.startswith(".planning/")] == ["part-01-01.sh"]
    assert world.git("status", "--porcelain", "--", ":!.autopilot") == ""
    (records,) = (world.state / "autopilot").glob("*/workspaces")
    assert [place for folder in records.iterdir() for place in folder.iterdir()] == []


def test_gc_removes_checkouts_and_is_refused_while_a_run_works(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(planned=True))
    (records,) = [world.repository.home.root]
    workspaces = world.assemble().ports.workspaces
    assembly = world.assemble()
    assembly.ports.vault.adopt(world.head)
    workspaces.export(world.head)
    assembly.lock.take("a run")
    busy = world.autopilot("gc")
    assembly.lock.release()
    assert busy.status == 2 and list((records / "workspaces/exports").iterdir())
    ran = world.autopilot("gc")
    assert ran.status == 0, ran.err
    assert ran.out.startswith("removed 0.") and f"MB of records are left in {records}" in ran.out
    assert list((records / "workspaces/exports").iterdir()) == []
