"""Planning files read by GSD's own tool and by ours: they agree, or the difference is one of those listed here."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from autopilot.model.planning.edit import Edit
from autopilot.planning.editing.milestones import Completion, complete_milestone, start_milestone
from autopilot.planning.editing.obstacles import Work
from autopilot.planning.editing.operations import PhaseRequest, add_phase
from tests.agents.second_opinion import Cell, ask_gsd, gsd_reading, our_reading
from tests.unit.planning.editing.teahouse import FILES, PATH, project_of

# covers: INV-1, MILESTONE

TEMPLATE = """# Roadmap: Teahouse

## Phases

- [x] **Phase 1: Kettle** - hot water
- [ ] **Phase 2: Cups** - something to drink from
- [ ] **Phase 2.1: Saucers** - below the cups (INSERTED)

## Phase Details

### Phase 1: Kettle
**Goal**: Water boils
**Depends on**: Nothing (first phase)
**Requirements**: TEA-01, TEA-02
**Success Criteria** (what must be TRUE):
  1. The kettle whistles
  2. It switches itself off
**Plans**: 1 plan

Plans:
- [x] 01-01: heat it

### Phase 2: Cups
**Goal**: Tea can be drunk
**Depends on**: Phase 1
**Success Criteria** (what must be TRUE):
  1. A cup holds tea
**Plans**: 2 plans

### Phase 2.1: Saucers (INSERTED)
**Goal**: No stains
**Depends on**: Phase 2
"""
PLAN = """---
phase: {phase}
plan: {plan}
type: execute
---
<objective>Make it.</objective>
<tasks>
{tasks}</tasks>
"""
TASK = '<task type="auto">\n  <name>Task {0}</name>\n  <action>Do {0}</action>\n  <verify>true</verify>\n</task>\n'


def make_tree(tmp_path: Path, roadmap: str, plans: dict[str, int]) -> Path:
    files = {".planning/ROADMAP.md": roadmap}
    for path, count in plans.items():
        phase, number = Path(path).parent.name, Path(path).name.split("-")[1]
        tasks = "".join(TASK.format(task) for task in range(1, count + 1))
        files[f".planning/phases/{path}"] = PLAN.format(phase=phase, plan=number, tasks=tasks)
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    return tmp_path


def test_both_read_gsds_own_template_alike(tmp_path: Path) -> None:
    plans = {"01-kettle/01-01-PLAN.md": 2, "02-cups/02-01-PLAN.md": 1, "02-cups/02-02-PLAN.md": 3}
    tree = make_tree(tmp_path, TEMPLATE, plans)
    ours = our_reading(tree)
    assert ours == gsd_reading(tree)
    assert {Cell("1", "criteria", 2), Cell("2", "tasks", 4), Cell("2.1", "goal", True)} <= ours


@pytest.mark.parametrize(
    ("roadmap", "only_ours"),
    [
        # its pattern takes no sign before the word
        (
            "## 🏁 Phase 1: Kettle\n**Goal**: Water boils\n",
            {"goal True", "criteria 0", "plans 0", "tasks 0"},
        ),
        # it takes criteria with the colon outside of the bold letters only
        ("### Phase 1: Kettle\n**Goal**: Water boils\n**Success Criteria:**\n  1. It whistles\n", {"criteria 1"}),
        # it takes numbered lists only
        ("### Phase 1: Kettle\n**Goal**: Water boils\n**Success Criteria**:\n- It whistles\n", {"criteria 1"}),
    ],
)
def test_what_only_we_read_is_known(tmp_path: Path, roadmap: str, only_ours: set[str]) -> None:
    tree = make_tree(tmp_path, f"# Roadmap\n\n{roadmap}", {})
    found = our_reading(tree) - gsd_reading(tree)
    assert {f"{cell.figure} {cell.value}" for cell in found} == only_ours


def test_a_milestone_that_we_completed_is_history_to_gsd_and_the_next_one_is_current(tmp_path: Path) -> None:
    done = FILES[PATH].replace("- [ ] **Phase", "- [x] **Phase").replace("Not started", "Complete")
    files = {**FILES, PATH: done}
    files = written(
        files, complete_milestone(project_of(files), Work(), Completion(accept_unproven=True), "2026-05-04")
    )
    files = written(files, start_milestone(project_of(files), "v1.1", "Terrace", "2026-05-05"))
    files = written(files, add_phase(project_of(files), PhaseRequest("Chairs", "Guests sit")))
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    assert [phase["number"] for phase in ask_gsd(tmp_path, "roadmap", "analyze")["phases"]] == ["6"]
    told = ask_gsd(tmp_path, "init", "new-milestone")
    assert (told["current_milestone"], told["current_milestone_name"]) == ("v1.1", "Terrace")


def written(files: dict[str, str], edit: Edit) -> dict[str, str]:
    kept = {path: text for path, text in files.items() if path not in edit.files}
    return kept | {path: content.decode() for path, content in edit.files.items() if content is not None}
