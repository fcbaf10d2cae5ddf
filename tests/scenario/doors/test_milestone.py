"""`autopilot milestone` as its user meets it. covers: CMD-MILESTONE, MILESTONE"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.scenario.kit.editing import POINTS, kill_at, make_teahouse, read_tree
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import World, make_world

ROADMAP, STATE = ".planning/ROADMAP.md", ".planning/STATE.md"
COMPLETE = ("milestone", "complete", "--accept-unproven")
DONE = "docs: complete milestone v1.0 Opening"


@pytest.fixture
def teahouse(tmp_path: Path) -> World:
    """Every phase is called done, and none is proven."""
    world = make_teahouse(tmp_path)
    text = world.read(ROADMAP).replace("- [ ] **Phase", "- [x] **Phase").replace("Not started", "Complete")
    world.write(ROADMAP, text)
    world.commit("Tick")
    return world


def test_a_milestone_is_completed_in_one_commit_and_the_next_one_started(teahouse: World) -> None:
    refused = teahouse.autopilot("milestone", "complete")
    assert refused.status == 2 and "phases 1, 2, 3, 4, 5: done, unproven" in refused.err
    assert "`autopilot run --force 1,2,3,4,5`" in refused.err and "--accept-unproven" in refused.err
    teahouse.write("app.py", "print('mine')\n")
    ran = teahouse.autopilot(*COMPLETE)
    assert ran.status == 0 and teahouse.subjects[-1] == DONE
    assert (teahouse.project / ".planning/milestones/v1.0-phases/04-menu/04-01-PLAN.md").is_file()
    assert not (teahouse.project / ".planning/phases").exists()
    assert teahouse.autopilot("milestone", "start", "v1.1", "Terrace").status == 0
    assert teahouse.autopilot("phase", "add", "Chairs").status == 0
    shipped, shown = json.loads(teahouse.autopilot("milestone", "list", "--json").out)
    assert (shipped["version"], shipped["marked"], shipped["phases"]) == ("v1.0", "shipped", [])
    assert (shown["version"], shown["current"], shown["phases"]) == ("v1.1", True, ["6"])
    assert teahouse.git("status", "--porcelain") == "M app.py"


def test_a_proven_milestone_needs_no_word_of_the_user_and_its_record_names_the_run(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(phases=1))
    assert world.run().status == 0
    shown = world.autopilot("milestone", "complete", "v1.0", "--name", "First", "--dry-run")
    assert shown.status == 0, shown.err
    assert "+## v1.0 First (Shipped: " in shown.out and "(proven in run-" in shown.out
    assert "nothing was written" in shown.err


def test_a_milestone_whose_phases_are_all_done_is_named_where_none_is_current(teahouse: World) -> None:
    done, left = (
        "### v1.0 Opening (In Progress)\n\n#### Phase 1: Kettle\n**Status:** Complete\n",
        "#### Phase 2: Cups\n",
    )
    teahouse.write(ROADMAP, f"# Roadmap: teahouse\n\n{done}\n### v1.1 Terrace (Planned)\n\n{left}")
    (teahouse.project / STATE).unlink(missing_ok=True)
    shown = teahouse.autopilot("milestone", "show")
    assert "every phase of v1.0 is done: `autopilot milestone complete v1.0` archives it" in shown.err + shown.out


def test_a_dry_run_is_the_diff_that_the_completion_would_be(teahouse: World) -> None:
    before = read_tree(teahouse)
    shown = teahouse.autopilot(*COMPLETE, "--dry-run")
    assert read_tree(teahouse) == before
    patch = teahouse.folder / "edit.patch"
    patch.write_text(shown.out, encoding="utf-8")
    teahouse.git("apply", "--index", str(patch))
    applied = read_tree(teahouse)
    teahouse.git("commit", "-q", "-m", "By hand")
    teahouse.git("revert", "--no-edit", "HEAD")
    assert teahouse.autopilot(*COMPLETE).status == 0
    assert read_tree(teahouse) == applied


def test_show_says_what_is_missing_and_how_to_go_on(teahouse: World) -> None:
    out = teahouse.autopilot("milestone", "show").out
    assert out.startswith("v1.0 Opening: in progress, 5 phases, 0 proven, none open (current)\n")
    assert "  phases 1, 2, 3, 4, 5: done, unproven: `autopilot run --force 1,2,3,4,5`\n" in out
    unknown = teahouse.autopilot("milestone", "show", "v7")
    assert unknown.status == 2 and "its milestones are v1.0" in unknown.err


def test_a_run_names_what_it_leaves_to_another_milestone(tmp_path: Path) -> None:
    world = make_teahouse(tmp_path)
    later = "Phases 1-3 (in progress)\n- 📋 **v2.0 Later** - Phases 4-5 (planned)"
    text = world.read(ROADMAP).replace("Phases 1-5 (in progress)", later)
    world.write(ROADMAP, text)
    world.commit("Plan two milestones")
    shown = world.autopilot("run", "--dry-run").out
    assert "skipped: phase 4: of milestone v2.0 Later; this run stays within milestone v1.0 Opening" in shown
    assert "build phase 5" not in shown and "build phase 5" in world.autopilot("run", "5", "--dry-run").out


@pytest.mark.one_in(5)
@pytest.mark.parametrize(("call", "path"), POINTS)
def test_killed_anywhere_a_completion_is_there_once_or_not_at_all(teahouse: World, call: str, path: str) -> None:
    """R-KILL"""
    teahouse.autopilot("milestone", "show")
    teahouse.autopilot("phase", "edit", "5", "--goal", "It adds up")  # the records are there from now on
    teahouse.write("app.py", "print('mine')\n")
    kill_at(teahouse, call, path, COMPLETE)
    subjects = teahouse.subjects
    assert subjects[3:] in ([], [DONE])
    again = teahouse.autopilot(*COMPLETE)
    assert again.status == 0, again.err
    assert teahouse.subjects == [*subjects[:3], DONE]
    assert teahouse.git("status", "--porcelain") == "M app.py"
    assert teahouse.read(".planning/MILESTONES.md").count("## v1.0 Opening") == 1
    assert not (teahouse.project / ".planning/phases").exists()


@pytest.mark.one_in(5)
@pytest.mark.parametrize(("call", "path"), POINTS)
def test_killed_anywhere_a_start_is_there_once_or_not_at_all(teahouse: World, call: str, path: str) -> None:
    """R-KILL"""
    assert teahouse.autopilot(*COMPLETE).status == 0
    start = ("milestone", "start", "v1.1", "Terrace")
    kill_at(teahouse, call, path, start)
    again = teahouse.autopilot(*start)
    assert again.status == 0, again.err
    assert teahouse.subjects[2:] == [DONE, "docs: start milestone v1.1 Terrace"]
    assert teahouse.git("status", "--porcelain") == ""
    assert teahouse.read(ROADMAP).count("### 🚧 v1.1 Terrace (In Progress)") == 1
