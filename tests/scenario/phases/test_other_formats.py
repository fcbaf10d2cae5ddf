"""Projects planned with other tools run whole and are marked in their own form. covers: FMT-01, FMT-02"""

from __future__ import annotations

from pathlib import Path

import pytest

from autopilot.events.happened import Planned
from tests.scenario.kit.aftermath import happened, state_of
from tests.scenario.kit.telling import Told, tell
from tests.scenario.stories import formats


@pytest.fixture(scope="module")
def speckit(tmp_path_factory: pytest.TempPathFactory) -> Told:
    return tell(formats.STORIES, "speckit", tmp_path_factory.mktemp("speckit"))


def test_a_feature_of_spec_kit_is_proven_by_its_open_tasks(speckit: Told) -> None:
    assert list(state_of(speckit.world)["phases"]) == ["1"]
    assert [phase["status"] for phase in state_of(speckit.world)["phases"].values()] == ["completed"]
    planned = happened(speckit.world, Planned)[-1]
    assert [task.id for task in planned.tasks] == ["T002", "T003"]
    assert not planned.ours


def test_its_boxes_are_ticked_and_every_other_byte_stays(speckit: Told) -> None:
    path = f"{formats.FEATURE}/tasks.md"
    text = formats.TASKS.replace("- [ ] T00", "- [x] T00").replace("\n", "\r\n")
    assert (speckit.world.project / path).read_bytes() == text.encode()
    changed = speckit.world.git("diff", "--name-only", "HEAD~4", "HEAD", "--", "specs", ".specify").splitlines()
    assert changed == [path]
    assert speckit.world.git("status", "--porcelain") == ""


@pytest.fixture(scope="module")
def taskmaster(tmp_path_factory: pytest.TempPathFactory) -> Told:
    return tell(formats.STORIES, "taskmaster", tmp_path_factory.mktemp("taskmaster"))


def test_a_task_of_task_master_is_proven_and_those_that_wait_for_a_person_are_not_run(taskmaster: Told) -> None:
    """covers: FMT-03"""
    assert {id: phase["status"] for id, phase in state_of(taskmaster.world)["phases"].items()} == {"7": "completed"}
    assert "it depends on phase 8: status `review`" in taskmaster.ran.out + taskmaster.ran.err


def test_its_status_is_set_and_every_other_byte_stays(taskmaster: Told) -> None:
    """covers: FMT-03"""
    text = formats.TASK_LIST.replace('"high", "status": "pending"', '"high", "status": "done"')
    text = text.replace('"in hello.sh", "status": "pending"', '"in hello.sh", "status": "done"')
    text = text.replace('"status": "in-progress"', '"status": "done"')
    assert taskmaster.world.read(formats.TASK_FILE) == text
    assert taskmaster.world.git("status", "--porcelain") == ""


def test_no_agent_ticks_its_own_box(speckit: Told) -> None:
    """covers: FMT-01"""
    assert f"refused: {formats.FEATURE}/tasks.md may not be changed by agents" in speckit.ran.out


def test_no_agent_has_the_next_run_planned_by_files_of_its_own(taskmaster: Told) -> None:
    """covers: FMT-03"""
    assert "refused: ROADMAP.md may not be changed by agents" in taskmaster.ran.out
    assert not (taskmaster.world.project / "ROADMAP.md").exists()


def test_what_is_read_is_told_before_a_run_and_edits_of_its_phases_are_refused(tmp_path: Path) -> None:
    """covers: FMT-01, CMD-INIT, CMD-PHASE"""
    world = formats.speckit(tmp_path)
    told = world.autopilot("init", "--no-try")
    assert "planned with spec-kit (specs/NNN-name/): 2 phases in specs" in told.out
    assert "1 open, 1 done, unproven; 4 tasks, 2 of them done by the files" in told.out
    assert not (world.project / ".planning/ROADMAP.md").exists()
    refused = world.autopilot("phase", "add", "More")
    assert refused.status == 2
    assert "planned with spec-kit, and this command is for a roadmap as GSD writes it" in refused.err
    world.write("ROADMAP.md", "# What we want\n\nMuch.\n")
    asked = world.autopilot("run", "--dry-run")
    assert asked.status == 2
    assert 'or run what spec-kit has here: "planning": "spec-kit" below "autopilot"' in asked.err
    world.write(".planning/config.json", '{"autopilot": {"planning": "spec-kit"}}\n')
    chosen = world.autopilot("run", "--dry-run")
    assert "build phase 1 (Greeting)" in chosen.out
    assert "planned with spec-kit, and also with gsd: spec-kit is used" in chosen.out + chosen.err
