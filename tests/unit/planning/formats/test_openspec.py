"""OpenSpec: changes under their own names, deltas as criteria, boxes written back. covers: FMT-OPENSPEC"""

from __future__ import annotations

import pytest

from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.formats.openspec.openspec import OPENSPEC
from tests.unit.planning.formats.kit import changed_lines, marked, outline, phase, said, stands

C = "openspec/changes"
DELTA = """## ADDED Requirements

### Requirement: Boil water
The kettle SHALL boil.

#### Scenario: Full kettle
- **WHEN** the kettle is full
- **THEN** it boils
  within a minute

#### Scenario: Empty kettle
- **WHEN** it is empty
- **THEN** it stays cold

```
#### Scenario: An example
```

## REMOVED Requirements
### Requirement: Microwave
**Reason**: it is loud

## RENAMED Requirements
- FROM: `### Requirement: Cup`
- TO: `### Requirement: Mug`
"""
TASKS = """# Tasks
## 1. Kettle
- [x] 1.1 Fill it
- [ ] 1.2 Boil it
  - [x] with the lid
  - [ ] without
    by hand
## 2. Proof
- [x] Taste it
"""
WORLD = {
    f"{C}/add-kettle/proposal.md": "# Change: Add a kettle\n## Why\nTea is cold.\n## What Changes\n- A kettle\n",
    f"{C}/add-kettle/tasks.md": TASKS,
    f"{C}/add-kettle/specs/kettle/spec.md": DELTA,
    f"{C}/add-kettle/design.md": "# Design\n",
    f"{C}/add-kettle/.openspec.yaml": "schema: spec-driven\ncreated: 2026-03-02\n",
    f"{C}/add-tray/proposal.md": "## Why\nCarry.\n## Impact\nDependencies: REQUIRES `add-kettle`, and add-cup\n"
    "- no dependency on old\n",
    f"{C}/add-tray/tasks.md": "## 1. Tray\r\n- [x] 1.1 Buy\r\n",
    f"{C}/add-spoon/proposal.md": "## Why\nStir.\n",
    f"{C}/add-spoon/.openspec.yaml": "created: 2026-03-01\n",
    f"{C}/archive/2026-01-02-add-cup/proposal.md": "## Why\nDrink.\n",
    f"{C}/archive/2026-01-02-add-cup/tasks.md": "- [ ] 1.1 Never ticked\n",
    f"{C}/archive/2025-12-01-old/tasks.md": "- [x] 1.1 a\n",
    "openspec/specs/cup/spec.md": "what holds today",
    "openspec/AGENTS.md": "- [ ] the tool's manual",
}


def test_a_change_keeps_its_name_and_archived_ones_are_done_and_come_first() -> None:
    made = outline(OPENSPEC, WORLD)
    assert [phase.id for phase in made.roadmap.phases] == ["old", "add-cup", "add-spoon", "add-kettle", "add-tray"]
    assert stands(made) == {
        "old": "done",
        "add-cup": "done",
        "add-spoon": "open",
        "add-kettle": "open",
        "add-tray": "done",
    }
    assert str(phase(made, "add-tray").standing).startswith("every box is ticked, and it is not archived")


def test_archiving_a_change_changes_no_id() -> None:
    moved = {path.replace(f"{C}/add-tray/", f"{C}/archive/2026-04-01-add-tray/"): text for path, text in WORLD.items()}
    assert set(stands(outline(OPENSPEC, moved))) == set(stands(outline(OPENSPEC, WORLD)))


def test_a_change_made_again_under_an_archived_name_is_another_phase() -> None:
    again = {**WORLD, f"{C}/old/tasks.md": "- [ ] 1.1 b\n"}
    assert {"old": "open", "2025-12-01-old": "done"}.items() <= stands(outline(OPENSPEC, again)).items()


def test_scenarios_are_criteria_and_a_removed_requirement_is_one() -> None:
    kettle = phase(outline(OPENSPEC, WORLD), "add-kettle")
    assert [(criterion.line, criterion.text) for criterion in kettle.criteria] == [
        (6, "Boil water, Full kettle: WHEN the kettle is full THEN it boils within a minute"),
        (11, "Boil water, Empty kettle: WHEN it is empty THEN it stays cold"),
        (20, "Removed: Microwave: Reason: it is loud"),
    ]
    assert kettle.goal == "Tea is cold.\n\n- A kettle" and kettle.name == "Add a kettle"


def test_a_box_at_the_margin_is_a_task_with_what_stands_below_it() -> None:
    listed = outline(OPENSPEC, WORLD).listed[PhaseId("add-kettle")]
    assert [(task.id, task.title, task.line) for task in listed.plan.tasks] == [
        ("1.1", "Fill it", 3),
        ("1.2", "Boil it", 4),
        ("t3", "Taste it", 9),
    ]
    assert listed.done == {"1.1", "t3"}
    assert listed.plan.tasks[1].action == "Tasks / 1. Kettle: Boil it\n- with the lid\n- without\n    by hand"


def test_dependencies_are_known_changes_named_behind_a_word_for_waiting() -> None:
    made = outline(OPENSPEC, WORLD)
    assert phase(made, "add-tray").depends_on == ("add-kettle", "add-cup")
    assert all(not other.depends_on for other in made.roadmap.phases if other.id != "add-tray")


def test_a_change_without_tasks_is_planned_by_an_agent_and_frozen_files_are_named() -> None:
    made = outline(OPENSPEC, WORLD)
    assert PhaseId("add-spoon") not in made.listed
    assert made.specs[PhaseId("add-kettle")] == tuple(
        f"{C}/add-kettle/{name}" for name in ("proposal.md", "specs/kettle/spec.md", "design.md")
    )
    assert made.spec == f"{C}/add-spoon/proposal.md"


def test_what_is_not_understood_is_said_with_its_place() -> None:
    odd = {
        f"{C}/a/specs/x/spec.md": "### Requirement: Outside\nIt SHALL.\n",
        f"{C}/b/tasks.md": "no box\n",
        f"{C}/b/specs/x/spec.md": "## ADDED Requirements\n### Requirement: Bare\nIt SHALL be.\n",
    }
    made = outline(OPENSPEC, odd)
    assert said(made) == [
        f"{C}/a: has neither proposal.md nor tasks.md",
        f"{C}/a/specs/x/spec.md:1: 1 requirements stand below none of ADDED, MODIFIED, REMOVED Requirements: "
        "read as added",
        f"{C}/b/specs/x/spec.md:2: requirement `Bare` has no scenario: its sentence is the criterion",
        f"{C}/b/tasks.md:1: no box was found: an agent plans this change",
    ]
    assert phase(made, "b").criteria[0].text == "Bare: It SHALL be."


def test_a_proven_task_is_ticked_with_the_boxes_below_it_and_nothing_else() -> None:
    after = marked(OPENSPEC, WORLD, "add-kettle", "1.2")
    assert changed_lines(WORLD, after) == {f"{C}/add-kettle/tasks.md": {4: "- [x] 1.2 Boil it", 6: "  - [x] without"}}
    assert stands(outline(OPENSPEC, after))["add-kettle"] == "done"
    assert marked(OPENSPEC, WORLD, "add-kettle") == WORLD == marked(OPENSPEC, WORLD, "unknown", "1.2")


@pytest.mark.parametrize(
    "path", ["openspec/changes/tasks.md", "changes/a/tasks.md", "openspec/changes/archive/tasks.md"]
)
def test_the_place_decides(path: str) -> None:
    assert not stands(outline(OPENSPEC, {path: "- [ ] 1.1 a"}))
    assert OPENSPEC.find([f"{C}/a/tasks.md", f"{C}/a/notes.md", "openspec/project.md"]) == (f"{C}/a/tasks.md",)
