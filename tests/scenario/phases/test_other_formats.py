"""Projects planned with other tools run whole and are marked in their own form. covers: FMT-01, FMT-02"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autopilot.events.happened import Planned
from autopilot.events.recovery import SplitAgreed
from tests.scenario.kit.aftermath import happened, state_of
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.telling import Told, tell
from tests.scenario.kit.world import World
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


PARTS = (("greet", "hello.sh", "hello"), ("part", "bye.sh", "goodbye"))


def planned_with(folder: Path, files: dict[str, str]) -> World:
    world = World(folder, Plot(phases=0))
    world.git("init", "-q", "-b", "main")
    for path, text in {"README.md": "# greeting\n", **files}.items():
        world.write(path, text)
    world.commit("A plan")
    return world


def test_features_of_spec_kit_run_side_by_side_and_each_is_ticked(tmp_path: Path) -> None:
    """covers: FMT-02, LOOP-4"""
    files: dict[str, str] = {}
    for number, (name, path, _) in enumerate(PARTS, start=1):
        asked = f"### Functional Requirements\n\n- **FR-001**: There MUST be {path}\n"
        files[f"specs/00{number}-{name}/spec.md"] = f"# Feature Specification: {name}\n\n{asked}"
        files[f"specs/00{number}-{name}/tasks.md"] = f"# Tasks\n\n- [ ] T001 [US1] Print it in {path}\n"
    world = planned_with(tmp_path, files)
    for_each = [
        (
            formats.supplement(f".planning/phases/0{n}-{name}", str(n), {"T001": said}),
            formats.work(str(n), "T001", *said),
        )
        for n, (name, *said) in enumerate(PARTS, start=1)
    ]
    world.play(*(call for calls in for_each for call in calls))
    ran = world.run("all", "--parallel", "2")
    assert ran.status == 0, ran.err
    for path, text in files.items():
        assert world.read(path) == text.replace("- [ ] T001", "- [X] T001")


def test_tasks_of_task_master_run_side_by_side_and_one_file_takes_the_marks_of_both(tmp_path: Path) -> None:
    """covers: FMT-03, LOOP-4"""
    waits: dict[str, object] = {"status": "pending", "dependencies": []}
    tasks = [
        {"id": n, "title": name, "description": word, **waits, "subtasks": [{"id": 1, "title": f"in {path}", **waits}]}
        for n, (name, path, word) in enumerate(PARTS, start=7)
    ]
    text = json.dumps({"master": {"tasks": tasks}}, indent=2) + "\n"
    world = planned_with(tmp_path, {formats.TASK_FILE: text})
    for_each = [
        (
            formats.supplement(f".planning/phases/0{n}-{name}", str(n), {f"{n}.1": said}),
            formats.work(str(n), f"{n}.1", *said),
        )
        for n, (name, *said) in enumerate(PARTS, start=7)
    ]
    world.play(*(call for calls in for_each for call in calls))
    ran = world.run("all", "--parallel", "2")
    assert ran.status == 0, ran.err
    assert world.read(formats.TASK_FILE) == text.replace('"pending"', '"done"')


def test_a_feature_that_is_there_already_is_only_verified_and_its_boxes_stay(tmp_path: Path) -> None:
    """covers: FMT-02"""
    asked = '- **FR-001**: It greets -- verified by: `sh hello.sh Ann` (contains "hello Ann")\n'
    spec = f"# Feature Specification: Greet\n\n### Functional Requirements\n\n{asked}"
    tasks = "# Tasks\n\n- [ ] T001 [US1] Print it in hello.sh\n"
    files = {"specs/001-greet/spec.md": spec, "specs/001-greet/tasks.md": tasks, "hello.sh": 'echo "hello $1"\n'}
    world = planned_with(tmp_path, files)
    world.play()
    ran = world.run("all")
    assert ran.status == 0 and "Routing: verify only" in ran.err, ran.err
    assert "specs/001-greet/spec.md:5: phase 1: its criterion holds already" in ran.err
    assert world.read("specs/001-greet/tasks.md") == tasks
    assert "T001 not marked in spec-kit: nothing was run for it alone" in ran.err


def test_a_large_feature_of_spec_kit_is_split_and_its_boxes_are_ticked_once_all_of_it_holds(tmp_path: Path) -> None:
    """covers: FMT-02, LOOP-3"""
    named = {f"T00{n}": [f"part{n}/{letter}.txt" for letter in "abcde"] for n in (1, 2, 3)}
    boxes = "".join(f"- [ ] {task} Write {' and '.join(paths)}\n" for task, paths in named.items())
    files = {
        "specs/001-parts/spec.md": "# Feature Specification: Parts\n",
        "specs/001-parts/tasks.md": f"# Tasks\n\n{boxes}",
    }
    world = planned_with(tmp_path, files)
    said = {task: (f"part{task[-1]}/a.txt", task) for task in named}
    supplied = formats.supplement(".planning/phases/01-parts", "1", said)
    works = [
        {key: value for key, value in formats.work("1", task, *said[task]).items() if key != "phase"} for task in said
    ]
    world.play(supplied, *works)
    ran = world.run("all")
    assert ran.status == 0, ran.err
    assert len(happened(world, SplitAgreed)) == 1
    assert world.read("specs/001-parts/tasks.md") == f"# Tasks\n\n{boxes}".replace("[ ]", "[X]")
