"""Phases that are items of a list, and items that only mention phases."""

from __future__ import annotations

import pytest

from autopilot.model.errors import UsageError
from autopilot.planning.roadmap.roadmap import read_roadmap

_DRAFT = """## ROADMAP.md draft
- **Phase 1**: Storage (saving and loading).
  **Goal:** Build the storage layer.
  Plans:
  - [x] 01-01-PLAN.md — data model
  - [x] 01-02-PLAN.md — saving
- **Phase 2: Boxes**
  **Goal:** Show boxes.
  **Depends on:** Phase 1
- **Phase 3**: Export.
"""


def test_items_with_fields_below_them_are_phases() -> None:
    phases = read_roadmap(_DRAFT, "R").phases
    assert [(phase.id, phase.name, phase.goal, phase.depends_on, phase.ticked) for phase in phases] == [
        ("1", "Storage (saving and loading).", "Build the storage layer.", (), True),
        ("2", "Boxes", "Show boxes.", ("1",), False),
        ("3", "Export.", "", (), False),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "# Roadmap\n\n- **Phase 1**: core\n- **Phase 2**: export\n",
        "# Roadmap\n\n- **Phases 1-3**: core\n  **Goal:** g\n",
        "# Roadmap\n\n```\n- **Phase 1**: core\n  **Goal:** g\n```\n",
    ],
)
def test_items_without_fields_are_not(text: str) -> None:
    with pytest.raises(UsageError, match="the file contains no phase"):
        read_roadmap(text, "R")


def test_where_headings_open_phases_items_do_not() -> None:
    text = f"# R\n\n### Phase 7: Door\n**Goal:** g\n\n## Ideas\n\n{_DRAFT}"
    assert [phase.id for phase in read_roadmap(text, "R").phases] == ["7"]
    text = f"# R\n\n- [ ] **Phase 7: Door** - g\n\n## Ideas\n\n{_DRAFT}"
    assert [phase.id for phase in read_roadmap(text, "R").phases] == ["7"]
