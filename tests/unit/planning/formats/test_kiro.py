"""Kiro: features with numbered tasks, some optional, and criteria in the form of EARS. covers: FMT-KIRO"""

from __future__ import annotations

import pytest

from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.formats.kiro.kiro import KIRO
from tests.unit.planning.formats.kit import changed_lines, marked, outline, phase, said, stands

S = ".kiro/specs"
REQUIREMENTS = """# Requirements Document

## Introduction

Tea for all.

## Requirements

### Requirement 1: Boil

**User Story:** As a guest, I want tea, so that I am warm.

#### Acceptance Criteria

1. WHEN the kettle is full THEN the system SHALL boil it
   within a minute
   - and not later
2. IF it is empty THEN the system SHALL NOT boil

### Requirement 2

#### Acceptance Criteria

1. WHEN asked THE SYSTEM SHALL pour

## Items to clarify

### 3. Which tea?
1. Green?
"""
TASKS = """# Implementation Plan

- [x] 1. Set up the kettle


  - Buy one
  - _Requirements: 1.1_

- [ ] 2. Brew
  - [x] 2.1 Boil
    - _Requirements: 1.1-1.2_
  - [ ]* 2.2 Write property test
    - **Property 1: Heat**
    - **Validates: Requirements 1.2**
  - [-] 2.3 Pour
    - _Requirements: 2_
- [ ]* 2.4 Write unit tests
"""
WORLD = {
    f"{S}/10-tea/requirements.md": REQUIREMENTS,
    f"{S}/10-tea/design.md": "# Design",
    f"{S}/10-tea/tasks.md": TASKS,
    f"{S}/2-cup/tasks.md": "- [x] 1. Buy\n- [ ]* 1.1 Test\n",
    f"{S}/idea/design.md": "# Design",
    f"{S}/plan/requirements.md": "# R\n",
    f"{S}/_archived/old/tasks.md": "- [ ] 1. a\n",
}


def test_a_feature_is_a_phase_under_its_own_name_and_optional_tasks_do_not_count() -> None:
    made = outline(KIRO, WORLD)
    assert list(stands(made).items()) == [("2-cup", "done"), ("10-tea", "open"), ("plan", "open")]
    assert phase(made, "10-tea").goal == "Tea for all."
    assert str(phase(made, "10-tea").standing) == "2 of 3 tasks are ticked (open)"


def test_criteria_are_those_below_the_requirements_numbered_as_they_are() -> None:
    criteria = phase(outline(KIRO, WORLD), "10-tea").criteria
    assert [(criterion.line, criterion.text) for criterion in criteria] == [
        (15, "WHEN the kettle is full THEN the system SHALL boil it within a minute - and not later"),
        (18, "IF it is empty THEN the system SHALL NOT boil"),
        (24, "WHEN asked THE SYSTEM SHALL pour"),
    ]


def test_tasks_are_the_boxes_that_hold_no_others_each_with_what_it_names() -> None:
    listed = outline(KIRO, WORLD).listed[PhaseId("10-tea")]
    assert [(task.id, task.title, task.action.count("SHALL")) for task in listed.plan.tasks] == [
        ("1", "Set up the kettle", 1),
        ("2.1", "Boil", 2),
        ("2.2", "Write property test", 1),
        ("2.3", "Pour", 1),
        ("2.4", "Write unit tests", 0),
    ]
    assert not any(task.criteria for task in listed.plan.tasks)
    assert listed.done == {"1", "2.1"} and set(listed.held) == {"2.2", "2.4"}
    assert listed.plan.tasks[1].action.startswith("Brew: Boil")


def test_the_box_that_holds_others_is_ticked_with_the_last_of_them() -> None:
    after = marked(KIRO, WORLD, "10-tea", "2.3")
    assert changed_lines(WORLD, after) == {f"{S}/10-tea/tasks.md": {9: "- [x] 2. Brew", 15: "  - [x] 2.3 Pour"}}
    assert stands(outline(KIRO, after))["10-tea"] == "done"
    assert marked(KIRO, WORLD, "10-tea", "2.2")[f"{S}/10-tea/tasks.md"].count("[x]") == 3


@pytest.mark.parametrize(
    ("heading", "label", "item"),
    [
        ("### 需求 1：泡茶", "#### 验收标准", "1. 当 (WHEN) 水开 THEN 系统 SHALL 泡茶"),
        ("### 要件 1: お茶", "#### 受け入れ基準", "1. WHEN 沸く THE SYSTEM SHALL 注ぐ"),
        ("### Requisito 1 — Té", "**Criterios de aceptación:**", "1.1. WHEN hierve THE SYSTEM SHALL servir"),
        ("### 1. Tea", "**Acceptance Criteria**", "- **1.1** WHEN it boils THE SYSTEM SHALL pour"),
        ("### Requirement 1", "", "1.1 WHEN it boils THE SYSTEM SHALL pour"),
    ],
)
def test_requirements_are_read_in_other_forms_and_languages(heading: str, label: str, item: str) -> None:
    texts = {
        f"{S}/a/requirements.md": f"# R\r\n\r\n## 需求\r\n\r\n{heading}\r\n\r\n{label}\r\n\r\n{item}\r\n",
        f"{S}/a/tasks.md": "- [ ] 1. Do\n  - _需求: 1.1_\n",
    }
    made = outline(KIRO, texts)
    assert [criterion.line for criterion in phase(made, "a").criteria] == [9]
    assert "It is done when:\n- " in made.listed[PhaseId("a")].plan.tasks[0].action


def test_of_a_bug_what_is_expected_is_new_and_what_is_unchanged_is_kept() -> None:
    text = (
        "# Bugfix\n## Bug Analysis\n### Current Behavior (Defect)\n1.1 WHEN a THEN the system breaks\n"
        "### Expected Behavior (Correct)\n2.1 WHEN a THEN the system SHALL work\n"
        "### Unchanged Behavior (Regression Prevention)\n3.1 WHEN b THEN the system SHALL CONTINUE TO work\n"
    )
    made = outline(KIRO, {f"{S}/fix/bugfix.md": text, f"{S}/fix/tasks.md": "- [ ] 1. Fix\n  - _Requirements: 2.1_\n"})
    assert [(c.kind.value, c.text) for c in phase(made, "fix").criteria] == [
        ("new", "WHEN a THEN the system SHALL work"),
        ("keep", "WHEN b THEN the system SHALL CONTINUE TO work"),
    ]
    assert made.listed[PhaseId("fix")].plan.tasks[0].action.endswith("done when:\n- WHEN a THEN the system SHALL work")


def test_what_is_missing_is_said_with_its_place() -> None:
    assert said(outline(KIRO, {**WORLD, f"{S}/plan/tasks.md": "none\n"})) == [
        f"{S}/plan/requirements.md:1: no acceptance criterion was found",
        f"{S}/plan/tasks.md:1: no box was found: an agent plans it",
    ]
    assert said(outline(KIRO, WORLD))[0] == f"{S}/plan: has no tasks.md yet: an agent plans it"
