"""Phases added, inserted and removed by GSD's own tool and by ours: numbers agree, or the difference is named here."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from autopilot.model.planning.edit import Edit
from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.editing.obstacles import Work
from autopilot.planning.editing.operations import PhaseRequest, add_phase, insert_phase, remove_phase
from autopilot.planning.roadmap.phase_id import normalise
from tests.agents.second_opinion import TOOL
from tests.unit.planning.editing.teahouse import FILES, PATH, ROADMAP, teahouse

# covers: PHASE-EDIT


def by_gsd(tree: Path, *words: str, roadmap: str = ROADMAP) -> Path:
    for path, text in {**FILES, PATH: roadmap}.items():
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text(text, encoding="utf-8")
    assert TOOL.exists(), f"GSD is not installed at {TOOL}; run: scripts/setup.sh agents"
    subprocess.run(
        ["node", TOOL, "phase", *words, "--cwd", tree], capture_output=True, timeout=120, check=True, cwd=tree
    )
    return tree


def numbers(roadmap: str) -> dict[str, str]:
    found = re.findall(r"^### Phase ([\d.]+): (\w+)", roadmap, re.MULTILINE)
    return {name: normalise(number) for number, name in found}


def folders(tree: Path) -> set[str]:
    return {path.name for path in (tree / ".planning/phases").iterdir()}


def of_edit(edit: Edit) -> tuple[dict[str, str], set[str]]:
    """The numbers in the roadmap, and the folders, after an edit of ours."""
    left = {path for path in FILES if edit.files.get(path, b"") is not None}
    written = {path for path, content in edit.files.items() if content is not None}
    names = {path.split("/")[2] for path in left | written if path.startswith(".planning/phases/")}
    return numbers((edit.files[PATH] or b"").decode()), names


def test_a_phase_is_added_with_the_same_number_and_folder(tmp_path: Path) -> None:
    tree = by_gsd(tmp_path, "add", "Terrace")
    assert (numbers((tree / PATH).read_text()), folders(tree)) == of_edit(
        add_phase(teahouse(), PhaseRequest("Terrace"))
    )


def test_a_phase_is_inserted_with_the_same_number_and_folder(tmp_path: Path) -> None:
    tree = by_gsd(tmp_path, "insert", "2", "Handles")
    ours = of_edit(insert_phase(teahouse(), PhaseId("2"), PhaseRequest("Handles")))
    assert (numbers((tree / PATH).read_text()), folders(tree)) == ours


def test_a_removal_gives_the_same_numbers_and_folders(tmp_path: Path) -> None:
    alone = ROADMAP.replace("Phases 2 and 4", "Phase 2")
    tree = by_gsd(tmp_path, "remove", "4", roadmap=alone)
    edit = remove_phase(teahouse(roadmap=alone), Work(), PhaseId("4"), keep_numbers=False, force=False)
    assert (numbers((tree / PATH).read_text()), folders(tree)) == of_edit(edit)


def test_where_two_phases_follow_only_ours_keeps_them_apart_and_leaves_dates_alone(tmp_path: Path) -> None:
    """It replaces 5 by 4, and then every 4 by 3, in dates too."""
    dated = ROADMAP.replace("Water boils", "Water boils since 2026-04-01")
    tree = by_gsd(tmp_path, "remove", "3", roadmap=dated)
    theirs = (tree / PATH).read_text()
    assert numbers(theirs)["Menu"] == numbers(theirs)["Till"] == "3" and "since 2026-04-01" not in theirs
    edit = remove_phase(teahouse(roadmap=dated), Work(), PhaseId("3"), keep_numbers=False, force=False)
    found, names = of_edit(edit)
    assert (found["Menu"], found["Till"]) == ("3", "4") and names == folders(tree)
    assert "since 2026-04-01" in (edit.files[PATH] or b"").decode()
