"""GSD's own reader as a second opinion on planning files: what it and ours say of the same tree, cell by cell.

``python -m tests.agents.second_opinion FOLDER…`` prints where they differ on trees of your own, each a folder that has
a ``.planning``; nothing in them is changed.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from autopilot.model.policy import Commands
from autopilot.planning.plan.folders import find_folder
from autopilot.planning.plan.plan import find_plans, parse_plan
from autopilot.planning.roadmap.phase_id import normalise
from autopilot.planning.roadmap.roadmap import parse_roadmap
from tests.agents.installed import MODULES

TOOL = MODULES / "get-shit-done-cc" / "get-shit-done" / "bin" / "gsd-tools.cjs"


class Cell(Struct, frozen=True):
    """One figure about one phase."""

    phase: str
    figure: str
    value: int | bool

    def __str__(self) -> str:
        return f"phase {self.phase}: {self.figure} {self.value}"


def our_reading(tree: Path) -> set[Cell]:
    roadmap = parse_roadmap((tree / ".planning/ROADMAP.md").read_text(encoding="utf-8"), ".planning/ROADMAP.md")
    paths = sorted(str(path.relative_to(tree)) for path in (tree / ".planning").rglob("*") if path.is_file())
    cells = set()
    for phase in roadmap.phases:
        plans = find_plans(paths, find_folder(paths, phase))
        cells |= {
            Cell(phase.id, "goal", bool(phase.goal)),
            Cell(phase.id, "criteria", len(phase.criteria)),
            Cell(phase.id, "plans", len(plans)),
            Cell(phase.id, "tasks", sum(_count_tasks(tree / plan, phase.id) for plan in plans)),
        }
    return cells


def gsd_reading(tree: Path) -> set[Cell]:
    cells = set()
    for phase in ask_gsd(tree, "roadmap", "analyze").get("phases", ()):
        number = str(phase["number"])
        details = ask_gsd(tree, "roadmap", "get-phase", number)
        plans = ask_gsd(tree, "phase-plan-index", number).get("plans", ()) if phase["plan_count"] else ()
        cells |= {
            Cell(normalise(number), "goal", bool(phase["goal"])),
            Cell(normalise(number), "criteria", len(details.get("success_criteria") or ())),
            Cell(normalise(number), "plans", phase["plan_count"]),
            Cell(normalise(number), "tasks", sum(plan["task_count"] for plan in plans)),
        }
    return cells


def _count_tasks(plan: Path, phase: str) -> int:
    return len(parse_plan(plan.read_text(encoding="utf-8"), str(plan), normalise(phase), Commands()).tasks)


def ask_gsd(tree: Path, *words: str) -> dict[str, Any]:
    assert TOOL.exists(), f"GSD is not installed at {TOOL}; run: scripts/setup.sh agents"
    ran = subprocess.run(
        ["node", TOOL, *words, "--cwd", tree], capture_output=True, text=True, timeout=60, check=True, cwd=tree
    )
    long = ran.stdout.removeprefix("@file:").strip() if ran.stdout.startswith("@file:") else ""
    answer: dict[str, Any] = json.loads(Path(long).read_text(encoding="utf-8") if long else ran.stdout)
    return answer


def _differences(tree: Path) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / tree.name
        shutil.copytree(tree / ".planning", copy / ".planning")
        subprocess.run(["git", "init", "-q", copy], check=True)
        ours, theirs = our_reading(copy), gsd_reading(copy)
    yield f"{tree.name}: {len(ours & theirs)} cells agree"
    yield from (f"  only ours: {cell}" for cell in sorted(ours - theirs, key=str))
    yield from (f"  only GSD:  {cell}" for cell in sorted(theirs - ours, key=str))


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        print(*_differences(Path(argument)), sep="\n")
