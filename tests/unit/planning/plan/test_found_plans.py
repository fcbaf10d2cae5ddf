"""Plans and folders of phases as people name them. covers: PLAN"""

from __future__ import annotations

import pytest

from autopilot.model.planning.complaint import Severity
from autopilot.model.planning.roadmap import Phase, PhaseId
from autopilot.planning.plan.files import built_task_id, find_plans
from autopilot.planning.plan.folders import find_folder, folder_doubts

ROOT = ".planning/phases"
TWELVE = PhaseId("12")
POT = Phase(TWELVE, "Pot and lid", slug="pot-and-lid")


@pytest.mark.parametrize(
    ("name", "id"),
    [
        ("PLAN.md", "12-03"),
        ("12-PLAN.md", "12-03"),
        ("12-01-PLAN.md", "12-01.3"),
        ("12-01b-PLAN.md", "12-01b.3"),
        ("12-01-backend-PLAN.md", "12-01-backend.3"),
        ("12-PLAN-A.md", "12-A.3"),
        ("12-PLAN-02-lid.md", "12-02.3"),
        ("PLAN-02.md", "12-02.3"),
        ("plans/PLAN-02-lid.md", "12-02.3"),
        ("plans/12-02-PLAN.md", "12-02.3"),
        ("12-02-lid/PLAN.md", "12-02.3"),
        ("TEA-12-02-PLAN.md", "12-02.3"),
        ("backend-PLAN.md", "12-03"),
    ],
)
def test_a_plan_is_found_and_its_tasks_get_ids(name: str, id: str) -> None:
    folder = f"{ROOT}/12-pot"
    assert find_plans([f"{folder}/{name}"], folder) == (f"{folder}/{name}",)
    assert built_task_id(f"{folder}/{name}", TWELVE, 3) == id


@pytest.mark.parametrize(
    "name",
    [
        "12-PLAN-02-SUMMARY.md",
        "12-PLAN-CHECK.md",
        "12-01-PLAN-OUTLINE.md",
        "12-01-PLAN.pre-bounce.md",
        "12-SUMMARY.md",
        "PLAN.autopilot.md",
    ],
)
def test_what_is_written_about_a_plan_is_none(name: str) -> None:
    folder = f"{ROOT}/12-pot"
    assert find_plans([f"{folder}/{name}"], folder) == ()
    assert list(folder_doubts([f"{folder}/{name}"], POT)) == []


def test_beside_numbered_plans_a_name_without_a_number_is_a_note_that_is_said() -> None:
    folder = f"{ROOT}/12-pot"
    paths = [f"{folder}/12-01-PLAN.md", f"{folder}/HOT-FIX-PLAN.md"]
    assert find_plans(paths, folder) == (paths[0],)
    assert [(found.path, found.severity) for found in folder_doubts(paths, POT)] == [(paths[1], Severity.INFO)]


@pytest.mark.parametrize(
    ("paths", "folder"),
    [
        (["completed/12-pot/12-01-PLAN.md"], "completed/12-pot"),
        (["v1/done/12-pot/x.md"], "v1/done/12-pot"),
        (["12-lamp/PLAN.md", "12-pot/x.md"], "12-pot"),
        (["12-a/x.md", "12-b/12-01-PLAN.md"], "12-b"),
        (["12-lid/PLAN.md", "12-pot-lid/PLAN.md"], "12-pot-lid"),
        (["phase-12-x/PLAN.md"], "phase-12-x"),
        (["11-pot/12-lid/PLAN.md"], "12-pot-and-lid"),
        (["112-pot/PLAN.md"], "12-pot-and-lid"),
    ],
)
def test_the_folder_of_a_phase_is_the_one_named_like_it_or_the_one_with_plans(paths: list[str], folder: str) -> None:
    assert find_folder([f"{ROOT}/{path}" for path in paths], POT) == f"{ROOT}/{folder}"


@pytest.mark.parametrize(
    ("paths", "complaint", "severity"),
    [
        (
            ["12-lamp/PLAN.md", "12-pot/x.md"],
            "12-pot: phase 12 has 2 folders: this one is used (named like the",
            "warning",
        ),
        (["12-a/PLAN.md", "12-b/PLAN.md"], "12-a: phase 12 has 2 folders: this one is used (the first with", "warning"),
        (["12-a/x.md", "12-b/PLAN.md"], "12-b: phase 12 has 2 folders: this one is used (the one with plans)", "info"),
    ],
)
def test_two_folders_of_one_number_are_said(paths: list[str], complaint: str, severity: str) -> None:
    found = list(folder_doubts([f"{ROOT}/{path}" for path in paths], POT))
    assert [str(doubt)[len(ROOT) + 1 :][: len(complaint)] for doubt in found] == [complaint]
    assert found[0].severity == severity
