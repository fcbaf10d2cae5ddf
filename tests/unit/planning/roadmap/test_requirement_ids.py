"""Names of requirements in a roadmap: lists, ranges, short ones, remarks. covers: INV-4"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.planning.roadmap.requirement_ids import find_ids, leading_ids
from autopilot.planning.roadmap.roadmap import parse_roadmap

EIGHT = [f"REQ-WF-00{number}" for number in range(1, 9)]


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("TEA-01, TEA-02", ["TEA-01", "TEA-02"]),
        ("[TEA-01, TEA-02]", ["TEA-01", "TEA-02"]),
        ("`TEA-01` and **TEA-02**.", ["TEA-01", "TEA-02"]),
        ("REQ-WF-001 through REQ-WF-008", EIGHT),
        ("REQ-WF-001 - REQ-WF-008", EIGHT),
        ("REQ-WF-001-REQ-WF-008", EIGHT),
        ("REQ-1..4", ["REQ-1", "REQ-2", "REQ-3", "REQ-4"]),
        ("REQ-01–03, UI-1", ["REQ-01", "REQ-02", "REQ-03", "UI-1"]),
        ("D-09 〜 D-11", ["D-09", "D-10", "D-11"]),
        ("KIT-native-r1…r3", ["KIT-native-r1", "KIT-native-r2", "KIT-native-r3"]),
        ("TEA-01, 02, 03", ["TEA-01", "TEA-02", "TEA-03"]),
        ("TEA-08+09 perhaps", ["TEA-08", "TEA-09"]),
        ("POT-S02, S03", ["POT-S02", "POT-S03"]),
        ("REQ-TEA-01, TEA-02", ["REQ-TEA-01", "REQ-TEA-02"]),
        ("TEA-01, 3 plans", ["TEA-01"]),
        ("TEA-1 to 3 cups", ["TEA-1"]),
        ("R1, R2.1", ["R1", "R2.1"]),
        ("REQ-BATCH, REQ-UNDO", ["REQ-BATCH", "REQ-UNDO"]),
        ("Uses READ-ONLY mounts", []),
        ("FR1, FR2", ["FR1", "FR2"]),
        ("1.1, 1.2", ["1.1", "1.2"]),
        ("TEA-1.1, TEA-1.2", ["TEA-1.1", "TEA-1.2"]),
        ("req-01, req-02", ["req-01", "req-02"]),
        ("NO_STEAM-TEA-01", ["NO_STEAM-TEA-01"]),
        ("Findings of the tasting (HOT-1, COLD-1 through COLD-3)", ["HOT-1", "COLD-1", "COLD-2", "COLD-3"]),
        ("TEA-01 (partial, see TEA-09), pots", ["TEA-01"]),
        ("Uses SHA-256, UTF-8, HTTP-2, ISO-8601 and OAuth2", []),
        ("HTTP-01, HTTP-10, TLS-02", ["HTTP-01", "HTTP-10", "TLS-02"]),
        ("See `NOTES-2026-07.md`", []),
        ("TBD (to be defined)", []),
        ("REQ-1 through REQ-9999", ["REQ-1", "REQ-9999"]),
    ],
)
def test_ids_are_read_as_they_are_written(text: str, ids: list[str]) -> None:
    assert list(find_ids(text).ids) == ids


@pytest.mark.parametrize(
    ("text", "ids", "later"),
    [
        ("TEA-01, TEA-02 (deferred), TEA-03", ["TEA-01", "TEA-03"], ["TEA-02"]),
        ("TEA-01 (TEA-02 moved to phase 9)", ["TEA-01"], ["TEA-02"]),
        ("~~TEA-01~~, TEA-02", ["TEA-02"], ["TEA-01"]),
    ],
)
def test_what_is_put_off_is_not_asked_of_the_phase_and_not_lost(text: str, ids: list[str], later: list[str]) -> None:
    found = find_ids(text)
    assert (list(found.ids), list(found.later)) == (ids, later)


@pytest.mark.parametrize(
    ("item", "ids"),
    [
        ("✅ TEA-01: hot", ["TEA-01"]),
        ("[ ] **TEA-01**: hot", ["TEA-01"]),
        ("TEA-07, TEA-08: cold", ["TEA-07", "TEA-08"]),
        ("TEA-01 is about heat", ["TEA-01"]),
        ("R1: hot", ["R1"]),
        ("Boil TEA-01", []),
    ],
)
def test_an_item_is_known_by_the_ids_it_opens_with(item: str, ids: list[str]) -> None:
    assert list(leading_ids(item)) == ids


@given(st.text(alphabet="AR1290-_.,~()[]… –toand\n"))
def test_any_text_is_read_without_a_traceback_and_each_id_comes_once(text: str) -> None:
    ids = find_ids(text).ids
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize(
    "lines",
    [
        "**Requirements**: TEA-01, TEA-02,\nTEA-03",
        "**Requirements**: TEA-01, TEA-02, TEA-\n03",
        "**Requirements:**\n- TEA-01: a\n- TEA-02: b\n- TEA-03: c",
        "#### Requirements (3)\n\n- [ ] **TEA-01**: a\n- TEA-02, TEA-03: b",
        "**Requirements Covered:**\n\n| Id | What |\n|---|---|\n| TEA-01 | a |\n| TEA-02 | b |\n| TEA-03 | c |",
        "- Requirements: TEA-01 through TEA-03",
        "**Goal**: x **Requirements**: TEA-01..03 | **Status**: open",
        "- **TEA-01**: a\n- **TEA-02**: b\n- [ ] **TEA-03**: c",
        "| Task | Req |\n|---|---|\n| a | TEA-01 |\n| b | TEA-02, TEA-03 |",
    ],
)
def test_the_requirements_of_a_phase_are_found_wherever_they_stand(lines: str) -> None:
    phase = parse_roadmap(f"### Phase 1: A\n**Goal**: a\n{lines}\n", "R").phases[0]
    assert phase.requirements == ("TEA-01", "TEA-02", "TEA-03")


@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        ("TEA-01 (deferred)", "R:3: requirement TEA-01 is marked as deferred or dropped: not asked of this phase"),
        ("The pot is nice", "R:3: no requirement id was read in: The pot is nice"),
    ],
)
def test_a_requirement_that_is_passed_over_is_named_with_its_line(value: str, complaint: str) -> None:
    roadmap = parse_roadmap(f"### Phase 1: A\n**Goal**: a\n**Requirements**: {value}\n", "R")
    assert [str(found) for found in roadmap.complaints] == [complaint]
    assert roadmap.warnings_for(["1"]) == ()


def test_a_heading_about_requirements_of_the_whole_project_ends_the_last_phase() -> None:
    phase = parse_roadmap("## Phase 1: A\n**Goal**: a\n\n## Requirements\n- TEA-01: x\n", "R").phases[0]
    assert phase.requirements == ()


def test_without_a_label_brackets_that_hold_only_requirements_count() -> None:
    body = "- [ ] Boil (REQ-TEA-01, TEA-02)\n- [x] Pour (REQ-TEA-03–04), see (REQ-TEA-09 perhaps)\n- [ ] Sip (GH-12)\n"
    phase = parse_roadmap(f"## Phase 1: A\n**Goal**: a\n{body}", "R").phases[0]
    assert phase.requirements == ("REQ-TEA-01", "REQ-TEA-02", "REQ-TEA-03", "REQ-TEA-04")
