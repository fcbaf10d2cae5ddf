"""A planning folder that git ignores is written as plain files; the code lands. T4.6, INV-5"""

from __future__ import annotations

from pathlib import Path

from autopilot.events.happened import PlanChecked
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import World, make_world


def make_ignoring(folder: Path, plot: Plot) -> World:
    world = make_world(folder, plot)
    world.write(".gitignore", ".planning/\n")
    world.git("rm", "-r", "-q", "--cached", ".planning")
    world.commit("planning is my own")
    return world


def test_an_ignored_planning_folder_gets_the_documents_as_files_and_no_commit_holds_any(tmp_path: Path) -> None:
    world = make_ignoring(tmp_path, Plot())
    start, mine = world.head, "\n## Ideas\n\nwritten while the run went on\n"
    state = world.drive_until(PlanChecked)
    world.write(".planning/ROADMAP.md", world.read(".planning/ROADMAP.md") + mine)
    ran = world.resume()
    assert ran.status == 0, ran.err
    assert state.run in ran.out
    assert world.read("part-01-01.sh") == "echo part 01-01\n"
    assert world.git("status", "--porcelain") == ""
    assert world.git("diff", "--name-only", start, "HEAD") == "part-01-01.sh"
    assert world.git("log", "--format=%s", f"{start}..HEAD") == "feat(01): 01-01 - Part 01-01 speaks"
    assert world.git("log", "--format=%H", f"{start}..HEAD", "--", ".planning") == ""
    folder = world.project / world.plot.folder(1)
    made = {path.name for path in folder.iterdir()}
    assert {"PLAN.md", "RESEARCH.md", "VERIFICATION.md", "SUMMARY.md", "SCORECARD.md", "TRIAGE.json"} <= made
    assert "- [x] **Phase 1: Part 1**" in world.read(".planning/ROADMAP.md")
    assert world.read(".planning/ROADMAP.md").endswith(mine), "what the user wrote meanwhile is kept"


def test_phases_go_one_after_the_other_where_the_planning_folder_is_kept_out_of_commits(tmp_path: Path) -> None:
    # covers: LOOP-4
    world = make_ignoring(tmp_path, Plot(phases=2))
    forecast = world.autopilot("run", "--parallel", "2", "--dry-run")
    assert forecast.status == 0, forecast.err
    assert "--parallel has no effect" in forecast.out + forecast.err
