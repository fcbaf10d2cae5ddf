"""A phase carried from one milestone to another, and phases that are items of a list. covers: PHASE-EDIT"""

from __future__ import annotations

import pytest

from autopilot.model.errors import UsageError
from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.editing.obstacles import Work
from autopilot.planning.editing.operations import PhaseRequest, add_phase, move_phase
from autopilot.planning.roadmap.roadmap import parse_roadmap
from tests.unit.planning.editing.teahouse import PATH, project_of

STATE = "# Project State\n"
TWO = """# Roadmap

## Milestones

- 🚧 **v1.0 Opening** — Phases 1-2 (in progress)
- 📋 **v2.0 Terrace** — Phases 3-4 (planned)

## Phases

- [ ] **Phase 1: Kettle** - hot
- [ ] **Phase 2: Cups** - round
- [ ] **Phase 3: Chairs** - outside
- [ ] **Phase 4: Parasol** - red

### 🚧 v1.0 Opening (In Progress)

### Phase 1: Kettle
**Goal**: Water boils

### Phase 2: Cups
**Goal**: Tea can be drunk

### 📋 v2.0 Terrace (Planned)

### Phase 3: Chairs
**Goal**: Guests sit outside
**Depends on**: Phase 2

### Phase 4: Parasol
**Goal**: In the shade

## Progress

| Phase | Milestone | Plans | Status |
|-------|-----------|-------|--------|
| 1. Kettle | v1.0 | 0/1 | Not started |
| 2. Cups | v1.0 | 0/1 | Not started |
| 3. Chairs | v2.0 | 0/1 | Not started |
| 4. Parasol | v2.0 | 0/1 | Not started |
"""
ITEMS = """# Roadmap

### 🚧 v1.0 Opening (In Progress)

- [ ] Phase 1: Kettle (1 plan)
- [ ] Phase 2: Cups (1 plan)

## Notes
"""


def moved(text: str, phase: str, target: str, *, before: bool) -> str:
    project = project_of({PATH: text, ".planning/STATE.md": STATE})
    edit = move_phase(project, Work(), PhaseId(phase), PhaseId(target), before=before)
    content = edit.files[PATH]
    assert content is not None
    return content.decode()


def members(text: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(each.version, each.phases) for each in parse_roadmap(text, PATH).milestones]


def names(text: str) -> list[str]:
    return [phase.name for phase in parse_roadmap(text, PATH).phases]


@pytest.mark.parametrize(
    ("journey", "back", "order", "first"),
    [
        (("4", "2", True), ("2", "4", False), ["Kettle", "Parasol", "Cups", "Chairs"], ("1", "2", "3")),
        (("3", "2", False), ("3", "4", True), ["Kettle", "Cups", "Chairs", "Parasol"], ("1", "2", "3")),
        (("1", "3", True), ("2", "1", True), ["Cups", "Kettle", "Chairs", "Parasol"], ("1",)),
    ],
)
def test_a_phase_goes_to_the_milestone_of_its_target_and_no_other_does(
    journey: tuple[str, str, bool], back: tuple[str, str, bool], order: list[str], first: tuple[str, ...]
) -> None:
    phase, target, before = journey
    there = moved(TWO, phase, target, before=before)
    assert names(there) == order
    second = tuple(id for id in ("1", "2", "3", "4") if id not in first)
    assert members(there) == [("v1.0", first), ("v2.0", second)]
    assert f"**v1.0 Opening** — Phases 1-{first[-1]} " in there and f"— Phases {second[0]}-4 " in there
    assert there.count("| v1.0 |") == len(first)
    assert moved(there, back[0], back[1], before=back[2]) == TWO


def test_the_last_phase_of_a_milestone_is_not_carried_away() -> None:
    alone = moved(TWO.replace("**Depends on**: Phase 2\n", ""), "4", "2", before=True)
    with pytest.raises(UsageError, match="Terrace would have no phase left"):
        moved(alone, "4", "1", before=False)


def test_where_phases_are_items_of_a_list_a_new_one_is_an_item_too() -> None:
    content = add_phase(
        project_of({PATH: ITEMS, ".planning/STATE.md": STATE}), PhaseRequest("Saucers", "No stains")
    ).files[PATH]
    assert content is not None
    assert content.decode() == ITEMS.replace(
        "- [ ] Phase 2: Cups (1 plan)\n", "- [ ] Phase 2: Cups (1 plan)\n- [ ] Phase 3: Saucers - No stains\n"
    )


def test_a_table_inside_the_section_is_not_torn_apart() -> None:
    with pytest.raises(UsageError, match="inside one another"):
        moved(TWO.replace("## Progress\n\n", ""), "4", "2", before=True)
