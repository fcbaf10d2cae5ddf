"""Dependencies said outside of the sections of phases, and phases that shipped before. covers: INV-4"""

from __future__ import annotations

import pytest

from autopilot.model.planning.complaint import Severity
from autopilot.planning.roadmap.roadmap import parse_roadmap

PHASES = "".join(f"### Phase {number}: Part {number}\n**Goal**: x\n\n" for number in range(1, 6))


def waits(tail: str, head: str = PHASES) -> dict[str, tuple[str, ...]]:
    return {phase.id: phase.depends_on for phase in parse_roadmap(f"{head}{tail}", "R").phases if phase.depends_on}


TABLE = """\
## Overview

| Phase | Name | Dependencies |
|---|---|---|
| 1 | a | None |
| 2 | b | Phase 1 |
| 3 | c | 1, 2 |
| 4. Part 4 | d | All prior phases |
"""
TREE = """\
## Dependency graph
```
Phase 1 (base)
  ├── Phase 2
  │     └── Phase 3
  └── Phase 4
```
"""
ROWS = """\
## Phase dependencies
```
Phase 1: base
    │
    ├──────────────┐
    ▼              ▼
Phase 2: left   Phase 3: right
    │              │
    └──────┬───────┘
           ▼
      Phase 4: both
```
"""
BOXES = """\
## Dependencies
```
+---------+
| Phase 1 |
+----+----+
     |
     v
+---------+
| Phase 2 |
+---------+
```
"""


@pytest.mark.parametrize(
    ("tail", "expected"),
    [
        (TABLE, {"2": ("1",), "3": ("1", "2"), "4": ("1", "2", "3")}),
        (
            "## Dependencies\n- Phase 2 depends on Phase 1; Phase 4 requires Phases 2 and 3\n",
            {"2": ("1",), "4": ("2", "3")},
        ),
        ("## Dependency Summary\n- Phase 1 → Phase 2, 3 (both pour)\n", {"2": ("1",), "3": ("1",)}),
        ("## Dependency order\nPhase 1 ──► Phase 2 ──► Phase 3\n", {"2": ("1",), "3": ("2",)}),
        (
            "## Dependencies\n```mermaid\n  A[Phase 1: x] --> B[Phase 2: y]\n  B --> C[Phase 3]\n  P3 --> P4\n```\n",
            {"2": ("1",), "3": ("2",), "4": ("3",)},
        ),
        (TREE, {"2": ("1",), "3": ("2",), "4": ("1",)}),
        (ROWS, {"2": ("1",), "3": ("1",), "4": ("2", "3")}),
        (BOXES, {"2": ("1",)}),
        ("## Dependencies\n- Phase 4 depends on all previous phases\n", {"4": ("1", "2", "3")}),
        ("## Dependencies\n- Phase 5 needs Phases 1-2\n- Phase 5 needs Phases 3-4\n", {"5": ("1", "2", "3", "4")}),
        ("## Order\nPhases run in numeric order: 1 → 2 → 3\n", {}),
        ("## Dependencies\n- Phase 2 can run in parallel with Phase 1\n", {}),
    ],
)
def test_tables_sentences_arrows_and_drawings_tell_what_waits(tail: str, expected: dict[str, tuple[str, ...]]) -> None:
    assert waits(tail) == expected


def test_the_field_of_a_phase_goes_before_what_is_said_elsewhere() -> None:
    head = "### Phase 1: A\n**Goal**: x\n\n### Phase 2: B\n**Goal**: x\n**Depends on**: Nothing\n\n"
    assert waits("## Dependencies\nPhase 1 → Phase 2\n", head) == {}


def test_a_drawing_never_closes_a_circle() -> None:
    head = "### Phase 1: A\n**Goal**: x\n\n### Phase 2: B\n**Goal**: x\n**Depends on**: Phase 1\n\n"
    roadmap = parse_roadmap(f"{head}## Dependencies\nPhase 2 → Phase 1\n", "R")
    assert [phase.depends_on for phase in roadmap.phases] == [(), ("1",)]
    assert [str(found) for found in roadmap.complaints] == ["R:1: phase 1 would wait for 2 in a circle: ignored"]


def test_a_part_of_a_drawing_that_is_not_understood_is_named_with_its_line() -> None:
    roadmap = parse_roadmap(f"{PHASES}## Dependency graph\n\nPhase 1 ◄── Phase 2 and more\n", "R")
    assert [(found.line, found.severity) for found in roadmap.complaints] == [(18, Severity.INFO)]


def test_a_dependency_may_name_a_phase_by_its_name() -> None:
    head = "### Phase 1: Kettle works\n**Goal**: x\n\n### Phase 2: B\n**Goal**: x\n**Depends on**: the kettle works\n"
    assert waits("", head) == {"2": ("1",)}


LATER = "### Phase 7: A\n**Goal**: x\n**Depends on**: {}\n"


@pytest.mark.parametrize(
    ("head", "depends"),
    [
        ("- ✅ **v1.0 Tea** - Phases 1-4 (shipped)\n- ✅ v1.1 (Phases 5, 6 and 6.1)\n\n", "Phase 6.1, Phases 2-3"),
        ("<details>\n<summary>✅ v1.0 (Phases 1-6) - SHIPPED</summary>\n</details>\n\n", "Phase 6 (v1.0)"),
        ("| Phase | Status |\n|---|---|\n| 1-6 | Complete |\n\n", "Phase 6"),
        ("- [x] **Phase 1-6** - all of it\n\n", "Phase 6"),
    ],
)
def test_a_dependency_on_a_shipped_phase_is_settled_without_a_word(head: str, depends: str) -> None:
    roadmap = parse_roadmap(head + LATER.format(depends), "R")
    assert [phase.depends_on for phase in roadmap.phases] == [()]
    assert roadmap.complaints == ()


@pytest.mark.parametrize("depends", ["Phase 6", "Phases 1-6", "v1.0 foundation", "the last milestone"])
def test_a_dependency_before_this_roadmap_is_a_note_and_no_warning(depends: str) -> None:
    roadmap = parse_roadmap(LATER.format(depends), "R")
    assert [found.severity for found in roadmap.complaints] == [Severity.INFO]


def test_a_dependency_on_a_milestone_in_progress_is_not_shipped() -> None:
    head = "- 🚧 **v2.0** - Phases 8-9 (in progress, 1 complete)\n\n"
    roadmap = parse_roadmap(head + LATER.format("Phase 9"), "R")
    assert [str(found) for found in roadmap.complaints] == [
        "R:5: phase 7 depends on 9, which this roadmap does not have: ignored"
    ]
