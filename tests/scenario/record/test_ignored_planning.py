"""A planning folder that git ignores is written as plain files; the code lands. T4.6, INV-5"""

from __future__ import annotations

import re
import subprocess
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


def test_reports_that_another_program_left_in_an_ignored_folder_are_kept(tmp_path: Path) -> None:
    """No commit has them. covers: SWITCH-KEEP"""
    world = make_ignoring(tmp_path, Plot(planned=True))
    folder = world.plot.folder(1)
    for name in ("VERIFICATION.md", "TRIAGE.json"):
        world.write(f"{folder}/{name}", f"{name} of theirs, about an attempt that failed\n")
    ran = world.run()
    assert ran.status == 0, ran.err
    assert "of theirs" not in world.read(f"{folder}/VERIFICATION.md")
    kept = (world.project / ".autopilot/archive/replaced" / folder).iterdir()
    assert {file.read_text() for file in kept} == {
        f"{name} of theirs, about an attempt that failed\n" for name in ("VERIFICATION.md", "TRIAGE.json")
    }


def test_a_report_that_is_not_written_because_theirs_cannot_be_kept_is_named(tmp_path: Path) -> None:
    """covers: SWITCH-KEEP"""
    world = make_ignoring(tmp_path, Plot(planned=True))
    path = f"{world.plot.folder(1)}/VERIFICATION.md"
    world.write(path, "of theirs\n")
    world.write(".autopilot/archive/replaced", "a file where the folder should be\n")
    ran = world.run()
    assert ran.status == 0, ran.err
    assert world.read(path) == "of theirs\n"
    assert f"warning: phase 1: {path} not written: what stands there could not be kept in" in ran.out + ran.err


def test_phases_go_one_after_the_other_where_the_planning_folder_is_kept_out_of_commits(tmp_path: Path) -> None:
    # covers: LOOP-4
    world = make_ignoring(tmp_path, Plot(phases=2))
    forecast = world.autopilot("run", "--parallel", "2", "--dry-run")
    assert forecast.status == 0, forecast.err
    assert "--parallel has no effect" in forecast.out + forecast.err


def test_a_planning_folder_that_is_ignored_and_yet_tracked_gets_its_documents_by_landing(
    tmp_path: Path,
) -> None:
    world = make_world(tmp_path, Plot(planned=True))
    world.write(".gitignore", ".planning/\n")
    world.commit("ignored, and tracked all the same")
    ran = world.run()
    assert ran.status == 0, ran.err
    landed = world.git("ls-tree", "-r", "--name-only", "HEAD").splitlines()
    assert f"{world.plot.folder(1)}/VERIFICATION.md" in landed
    assert {".planning/ROADMAP.md", ".planning/REQUIREMENTS.md", "part-01-01.sh"} <= set(landed)
    assert "- [x] **Phase 1: Part 1**" in world.git("show", "HEAD:.planning/ROADMAP.md")
    assert world.git("status", "--porcelain") == ""


def test_the_commands_that_init_prints_work_where_the_planning_folder_is_ignored_and_tracked(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot())
    world.git("rm", "-q", ".planning/config.json")
    world.write(".gitignore", ".planning/\n")
    world.commit("ignored, and tracked all the same")
    ran = world.autopilot("init")
    assert ran.status == 0, ran.err
    (command,) = re.findall("`(git add [^`]*)`", ran.out)
    subprocess.run(command, shell=True, cwd=world.project, env=world.environment, check=True)
    assert ".planning/config.json" in world.git("ls-files").splitlines()
    assert world.git("status", "--porcelain") == ""
