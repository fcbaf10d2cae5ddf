"""The fields of a phase and the lists below them. covers: INV-4"""

from __future__ import annotations

import pytest

from autopilot.planning.roadmap.fields import fields_of, read_fields
from autopilot.planning.roadmap.roadmap import parse_roadmap
from autopilot.text.lines import Line, scan_lines


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        ("**Goal**: Tea", [("goal", "Tea")]),
        ("- **Goal:** Tea", [("goal", "Tea")]),
        ("**Goal** (draft) : Tea", [("goal", "Tea")]),
        ("Goal: Tea", [("goal", "Tea")]),
        ("*Goal: Tea*", [("goal", "Tea")]),
        ("- Depends on: Phase 1", [("depends on", "Phase 1")]),
        ("**Requires:** Phase 1", [("requires", "Phase 1")]),
        ("**Goal**: Tea | **Depends on**: Phase 1", [("goal", "Tea"), ("depends on", "Phase 1")]),
        ("**Plans:** 2 · **Requirements:** T-1, T-2", [("plans", "2"), ("requirements", "T-1, T-2")]),
        ("**Goal**: Tea with **milk**: lots", [("goal", "Tea with **milk**: lots")]),
        ("**Success Criteria (what must be TRUE):**", [("success criteria", "")]),
        ("Note: Tea", []),
        ("The goal: Tea", []),
        ("1. Goal: Tea", []),
    ],
)
def test_a_line_opens_the_fields_it_names(line: str, fields: list[tuple[str, str]]) -> None:
    assert list(fields_of(Line(1, line))) == fields


def test_a_field_runs_on_over_lines_and_may_be_a_heading() -> None:
    text = "**Goal**: Tea\nand milk\n\n#### Dependencies\n\nPhase 1,\nPhase 2\n- not this\n"
    fields = read_fields(scan_lines(text))
    assert fields["goal"] == (1, "Tea and milk")
    assert fields["dependencies"] == (4, "Phase 1, Phase 2")


@pytest.mark.parametrize(
    ("lines", "criteria"),
    [
        ("**Success Criteria**:\n1. Hot\n   - over 90 degrees\n2. Brown", ["Hot over 90 degrees", "Brown"]),
        ("**Success Criteria**:\n1. Hot\n\n   even later\n2. Brown", ["Hot even later", "Brown"]),
        ("**Success Criteria**:\n- **Heat**: hot\n- **Colour**: brown", ["**Heat**: hot", "**Colour**: brown"]),
        ("- **Success Criteria**: hot\n- **Tasks**:\n  - [ ] boil", ["hot"]),
        ("**Success Criteria**:\n- hot\n\nPlans:\n- [ ] 01-01: Boil", ["hot"]),
        ("#### Success Criteria\n- hot\n\n**Plans:** 1 plan\n- [ ] 01-01-PLAN.md - Boil", ["hot"]),
        ("#### Success Criteria\n- hot\n- [ ] 01-02-PLAN.md - Pour\n- [x] `01-PLAN-03.md`", ["hot"]),
        ("Success criteria:\n- hot", ["hot"]),
        ("**Success Criteria**:\n- hot\n\n**Acceptance Criteria**:\n- brown", ["hot", "brown"]),
        ("**Success Criteria**:\n- ✅ hot\n- [✅] brown", ["hot", "brown"]),
        ("**Success Criteria**: hot\nand brown", ["hot and brown"]),
        ("**Success Criteria**:\n- 2-3 cups are full", ["2-3 cups are full"]),
    ],
)
def test_criteria_are_the_items_below_their_label_and_nothing_else(lines: str, criteria: list[str]) -> None:
    phase = parse_roadmap(f"### Phase 1: A\n**Goal**: a\n{lines}\n", "R").phases[0]
    assert [criterion.text for criterion in phase.criteria] == criteria


@pytest.mark.parametrize("place", ["1. [To be defined]", "1. TBD", "- To be determined during planning"])
def test_a_place_to_fill_in_is_no_criterion_and_is_said(place: str) -> None:
    roadmap = parse_roadmap(f"### Phase 1: A\n**Goal**: a\n**Success Criteria**:\n{place}\n", "R")
    assert roadmap.phases[0].criteria == ()
    assert [str(found) for found in roadmap.complaints] == [
        "R:3: the success criteria are still to be written: nothing is read here"
    ]


def test_a_run_shows_the_warnings_of_its_own_phases_and_of_the_file() -> None:
    text = (
        "- [ ] **Phase 1: A**\n- [ ] **Phase 2: B**\n\n### Phase 1: A\n**Goal**: a\n**Depends on**: the moon\n\n"
        "### Phase 2: B\n**Goal**: b\n**Depends on**: the sun\n\n### Phase 5 and more\n"
    )
    roadmap = parse_roadmap(text, "R")
    about_one = [complaint.line for complaint in roadmap.warnings_for(["1"])]
    assert about_one == [6, 12] and len(roadmap.complaints) == 3
