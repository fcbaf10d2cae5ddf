"""A project planned with other tools runs whole, as it is, and is left readable for them. LOOP-1, PLAN, CRIT, T4.2

The plans lie in tests/scenario/data/harbour: GSD's dialect, the sources' own, and headings without a tag.
"""

from __future__ import annotations

import re

import pytest

from autopilot.events.happened import Planned
from autopilot.model.evidence.observation import Seen
from autopilot.model.planning.criterion import Form, Strength
from tests.scenario.kit.aftermath import happened, state_of
from tests.scenario.kit.world import Ran, World
from tests.scenario.stories import dialects

Finished = tuple[World, Ran]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    world = dialects.harbour(tmp_path_factory.mktemp("harbour"))
    return world, world.run("all")


def test_every_phase_of_it_is_proven_and_landed(finished: Finished) -> None:
    world, ran = finished
    assert ran.status == 0, ran.err
    assert list(state_of(world)["phases"]) == ["1", "2", "2.1"]
    assert [phase["status"] for phase in state_of(world)["phases"].values()] == ["completed"] * 3
    assert [world.read(path) for path, _ in dialects.WORK.values()][1:] == [
        text for _, text in list(dialects.WORK.values())[1:]
    ]
    assert world.git("status", "--porcelain") == ""


def test_each_dialect_gives_its_tasks_with_ids_and_what_can_be_run(finished: Finished) -> None:
    world, _ = finished
    tasks = {task.id: task for planned in happened(world, Planned) for task in planned.tasks}
    assert list(tasks) == list(dialects.WORK)
    commands = {name: [c.command for c in task.criteria if c.form is Form.COMMAND] for name, task in tasks.items()}
    assert commands["01-01.1"] == [
        'test "$(sh tide.sh at 6)" = 410 && test "$(sh tide.sh at 12)" = 120',
        "grep -c 'tides.txt' tide.sh",
        "sh tide.sh at 0",
    ]
    assert commands["02-01"] == [
        "sh warn.sh 6",
        "sh warn.sh 12 2>&1 | grep -c flood",
        "grep -c 'tide.sh at' warn.sh 2>&1",
    ]
    assert tasks["02.1-01"].files == ("MANUAL.md",)
    assert not any("\r" in command for each in commands.values() for command in each)


def test_the_test_script_of_a_task_is_run_and_was_red_before(finished: Finished) -> None:
    world, _ = finished
    report = world.read(".planning/phases/02-warnings/VERIFICATION.md")
    assert "| 02-01 | tests/task-02-01.sh | 3 | 0 | 0 | ALL PASS |" in report
    assert "| An ordinary hour is not | new | script | PASS | red at the base, green after the change |" in report
    assert Strength.SCRIPT.value in report
    assert Seen.PASSED.value in report


def test_nothing_the_user_wrote_is_rewritten_but_its_ticks(finished: Finished) -> None:
    world, _ = finished
    changed = world.git("diff", "--name-only", "--diff-filter=MD", "HEAD~7", "HEAD", "--", ".planning").splitlines()
    assert changed == [".planning/ROADMAP.md"]
    before = (dialects.HARBOUR / ".planning/ROADMAP.md").read_text(encoding="utf-8")
    ticked = world.read(".planning/ROADMAP.md")
    back = re.sub(r" \(completed \d{4}-\d\d-\d\d\)", "", ticked.replace("- [x] **Phase ", "- [ ] **Phase "))
    back = re.sub(r"\| \d/\d \| Complete +\| \d{4}-\d\d-\d\d \|", "| n/n | Not started | - |", back)
    before = re.sub(r"\| \d/\d \| Not started \| - \|", "| n/n | Not started | - |", before)
    assert [line for line in back.splitlines() if "Phase 0" not in line and "-PLAN.md" not in line] == [
        line for line in before.splitlines() if "Phase 0" not in line and "-PLAN.md" not in line
    ]
    assert b"\r\n" in (world.project / dialects.OTHER_ENDS).read_bytes()


def test_documents_beside_the_plans_are_those_other_tools_read(finished: Finished) -> None:
    world, _ = finished
    for folder in ("01-tide-table", "02-warnings", "02.1-manual"):
        report = world.read(f".planning/phases/{folder}/VERIFICATION.md")
        assert re.search(r"^status: passed$", report, re.MULTILINE)
        assert re.search(r"^score: \d+/\d+ must-haves verified$", report, re.MULTILINE)
        score = "9.4" if folder == "02-warnings" else "9.6"  # one criterion is one example, which carries no more
        assert f"**Alignment Score: {score}/10**" in world.read(f".planning/phases/{folder}/SCORECARD.md")
