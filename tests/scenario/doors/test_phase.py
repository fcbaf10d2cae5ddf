"""`autopilot phase`, `progress` and `help` as their user meets them. covers: CMD-PHASE, CMD-PROGRESS, CMD-HELP"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from autopilot.events.happened import StepStarted
from tests.scenario.kit.editing import POINTS, kill_at, make_teahouse, read_tree
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import World, make_world
from tests.unit.planning.editing.teahouse import FILES

ROADMAP, STATE = ".planning/ROADMAP.md", ".planning/STATE.md"


@pytest.fixture
def teahouse(tmp_path: Path) -> World:
    return make_teahouse(tmp_path)


def test_an_edit_is_one_commit_and_leaves_uncommitted_work_as_it_is(teahouse: World) -> None:
    """PHASE-COMMIT"""
    teahouse.write("app.py", "print('green tea')\n")
    teahouse.write("notes.txt", "mine\n")
    teahouse.write("staged.txt", "mine too\n")
    teahouse.git("add", "staged.txt")
    ran = teahouse.autopilot("phase", "remove", "3")
    assert ran.status == 0 and "renumbered: 4 → 3, 5 → 4" in ran.out and "git revert" in ran.out
    assert teahouse.subjects == ["Plan", "docs: remove phase 3 (Saucers)"]
    assert teahouse.git("status", "--porcelain").splitlines() == ["M app.py", "A  staged.txt", "?? notes.txt"]
    assert (teahouse.project / ".planning/phases/03-menu/03-01-PLAN.md").is_file()
    assert not (teahouse.project / ".planning/phases/03-saucers").exists()


def test_a_dry_run_prints_the_diff_that_the_edit_would_be(teahouse: World) -> None:
    before = read_tree(teahouse)
    shown = teahouse.autopilot("phase", "remove", "3", "--dry-run")
    assert read_tree(teahouse) == before and teahouse.subjects == ["Plan"]
    patch = teahouse.folder / "edit.patch"
    patch.write_text(shown.out, encoding="utf-8")
    teahouse.git("apply", "--index", str(patch))
    applied = read_tree(teahouse)
    teahouse.git("stash")
    assert teahouse.autopilot("phase", "remove", "3").status == 0
    assert read_tree(teahouse) == applied


def test_what_is_added_and_removed_leaves_the_tree_as_it_was(teahouse: World) -> None:
    before = read_tree(teahouse)
    added = teahouse.autopilot("phase", "add", "Serve", "outside", "--goal", "Guests sit outside", "--json")
    document = json.loads(added.out)
    assert document["phase"] == "6" and document["commit"] == teahouse.head
    shown = json.loads(teahouse.autopilot("phase", "show", "6", "--json").out)
    assert shown["name"] == "Serve outside" and shown["depends_on"] == ["5"] and not shown["obstacles_to_removal"]
    assert teahouse.autopilot("phase", "remove", "6").status == 0
    assert read_tree(teahouse) == before


@pytest.mark.parametrize(
    ("prepare", "why", "way"),
    [
        ({ROADMAP: FILES[ROADMAP] + "\nBy hand.\n"}, "has changes that are not committed", "--no-commit"),
        ({STATE: FILES[STATE] + "\nBy hand.\n"}, "not committed: .planning/STATE.md", "--no-commit"),
        ({".planning/phases/04-menu/notes.md": "mine\n"}, "notes.md is not committed", "git add -f"),
    ],
)
def test_what_would_take_uncommitted_work_along_is_refused(
    teahouse: World, prepare: dict[str, str], why: str, way: str
) -> None:
    for path, text in prepare.items():
        teahouse.write(path, text)
    ran = teahouse.autopilot("phase", "remove", "3")
    assert ran.status == 2 and why in ran.err and way in ran.err
    assert teahouse.subjects == ["Plan"]
    assert {path: teahouse.read(path) for path in prepare} == prepare


def test_without_a_commit_files_are_written_over_changes_of_the_user(teahouse: World) -> None:
    teahouse.write(ROADMAP, FILES[ROADMAP] + "\nBy hand.\n")
    ran = teahouse.autopilot("phase", "move", "3", "--after", "5", "--no-commit")
    assert ran.status == 0 and "not committed" in ran.out
    assert teahouse.subjects == ["Plan"]
    assert "### Phase 5: Saucers" in teahouse.read(ROADMAP) and teahouse.read(ROADMAP).endswith("By hand.\n")
    assert teahouse.read(".planning/phases/03-menu/03-01-PLAN.md").startswith("---\nphase: 03-menu")
    assert not (teahouse.project / ".planning/phases/04-menu").exists()


def test_where_git_ignores_the_planning_folder_nothing_is_committed_and_nothing_is_lost(teahouse: World) -> None:
    teahouse.git("rm", "-r", "-q", "--cached", ".planning")
    teahouse.write(".gitignore", ".planning\n.autopilot\n")
    teahouse.commit("Keep plans out")
    assert teahouse.autopilot("phase", "remove", "3").status == 0
    assert teahouse.subjects == ["Plan", "Keep plans out"]
    assert "### Phase 3: Menu" in teahouse.read(ROADMAP)
    kept = list((teahouse.project / ".autopilot/archive/replaced").rglob("03-CONTEXT.*.md"))
    assert [path.read_text() for path in kept] == [FILES[".planning/phases/03-saucers/03-CONTEXT.md"]]


def test_work_in_progress_and_proven_work_keep_their_phases(tmp_path: Path) -> None:
    """PHASE-REFUSE"""
    world = make_world(tmp_path, Plot(phases=2))
    world.drive_until(StepStarted)
    ran = world.autopilot("phase", "remove", "1", "--force")
    assert ran.status == 2 and "is at it" in ran.err and "autopilot resume" in ran.err
    assert world.resume().status == 0
    ran = world.autopilot("phase", "remove", "2", "--force")
    assert ran.status == 2 and "it was proven in run-" in ran.err
    assert "proven in run-" in world.autopilot("phase", "show", "1").out


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("call", "path"), POINTS)
def test_killed_anywhere_the_same_command_brings_everything_and_once(teahouse: World, call: str, path: str) -> None:
    """PHASE-COMMIT, R-KILL"""
    teahouse.autopilot("phase", "add", "Terrace")  # the records are there from now on
    teahouse.write("app.py", "print('mine')\n")
    wanted = ("phase", "insert", "2", "Handles")
    kill_at(teahouse, call, path, wanted)
    subjects = teahouse.subjects
    assert subjects[2:] in ([], ["docs: insert phase 2.1 (Handles) after phase 2"])
    again = teahouse.autopilot(*wanted)
    assert again.status == 0, again.err
    assert teahouse.subjects == [*subjects[:2], "docs: insert phase 2.1 (Handles) after phase 2"]
    assert teahouse.git("status", "--porcelain") == "M app.py"
    assert teahouse.read(ROADMAP).count("### Phase 2.1: Handles") == 1


@pytest.mark.parametrize(("call", "path"), [POINTS[0], POINTS[2]])
def test_another_command_after_a_kill_finds_nothing_or_everything(teahouse: World, call: str, path: str) -> None:
    teahouse.autopilot("phase", "add", "Terrace")
    kill_at(teahouse, call, path, ("phase", "insert", "2", "Handles"))
    ran = teahouse.autopilot("phase", "remove", "6")
    assert ran.status == 0, ran.err
    is_done = "docs: insert phase 2.1 (Handles) after phase 2" in teahouse.subjects
    assert is_done == ("finished first" in ran.err) == ("### Phase 2.1: Handles" in teahouse.read(ROADMAP))
    assert teahouse.git("status", "--porcelain") == ""


def test_progress_has_the_form_that_users_of_gsd_know(teahouse: World) -> None:
    out = teahouse.autopilot("progress").out
    assert out.startswith("# Teahouse\n\n**Progress:** [")
    for line in (
        "## Current Position", "Phase 2 of 5: Cups", "CONTEXT: -", "| 1 | Kettle | 1/1 | Complete |",
        "| 4 | Menu | 0/1 | Planned |", "## What's Next", "**Phase 2: Cups** — Tea can be drunk", "`autopilot run 2`",
    ):  # fmt: skip
        assert line in out.splitlines()
    document = json.loads(teahouse.autopilot("progress", "--json").out)
    assert (document["total_summaries"], document["total_plans"], document["percent"]) == (1, 2, 50)
    assert teahouse.autopilot("progress", "--bar").out == "[██████████░░░░░░░░░░] 1/2 plans (50%), 1 of 5 phases done\n"
    assert not teahouse.state.exists()


def test_help_explains_commands_and_topics(teahouse: World) -> None:
    assert "autopilot phase insert 3" in teahouse.autopilot("help", "phases").out
    assert teahouse.autopilot("help", "phase", "insert").out == teahouse.autopilot("phase", "insert", "--help").out
    assert "topics: " in teahouse.autopilot("help").out
    unknown = teahouse.autopilot("help", "tea")
    assert unknown.status == 2 and "no command and no topic" in unknown.err


def test_a_list_of_phases_shows_what_waits_for_what(teahouse: World) -> None:
    assert teahouse.autopilot("phase").out.splitlines()[:2] == ["[x] 1  Kettle", "[ ] 2  Cups   (after 1)"]
    assert subprocess.run(("git", "diff", "--quiet"), cwd=teahouse.project, check=False).returncode == 0
