"""A small GSD project, in memory: its planning files, and what is read of them."""

from __future__ import annotations

from collections.abc import Mapping

from autopilot.planning.editing.project import Project
from autopilot.planning.editing.roadmap_text import RoadmapText
from autopilot.planning.roadmap.roadmap import parse_roadmap
from autopilot.planning.roadmap.standing.position import parse_position
from autopilot.planning.roadmap.standing.standing import Surroundings

PATH = ".planning/ROADMAP.md"
ROADMAP = """# Roadmap: Teahouse

## Milestones

- 🚧 **v1.0 Opening** - Phases 1-5 (in progress)

## Phases

- [x] **Phase 1: Kettle** - hot water (completed 2026-03-01)
- [ ] **Phase 2: Cups** - something to drink from
- [ ] **Phase 3: Saucers** - below the cups
- [ ] **Phase 4: Menu** - what there is
- [ ] **Phase 5: Till** - what it costs

## Phase Details

### Phase 1: Kettle
**Goal**: Water boils
**Depends on**: Nothing (first phase)
**Plans**: 1 plan

Plans:
- [x] 01-01: heat it

### Phase 2: Cups
**Goal**: Tea can be drunk
**Depends on**: Phase 1
**Requirements**: TEA-01
**Success Criteria** (what must be TRUE):
  1. A cup holds tea
  2. It does not leak
  3. It has a handle
**Plans**: TBD

### Phase 3: Saucers
**Goal**: No stains, as on 2026-03-05
**Depends on**: Phase 1
**Requirements**: TEA-02
**Plans**: TBD

### Phase 4: Menu
**Goal**: Guests of Phase 3 choose among 10-20 teas
**Depends on**: Phase 2
**Plans**: 1 plan

Plans:
- [ ] 04-01-PLAN.md — write it

### Phase 5: Till
**Goal**: It adds up what Phase 4 offers
**Depends on**: Phases 2 and 4
**Plans**: TBD

## Progress

Phases execute in numeric order: 1 → 2 → 3 → 4 → 5

| Phase | Plans Complete | Status | Completed |
|-------|----------------|--------|-----------|
| 1. Kettle | 1/1 | Complete | 2026-03-01 |
| 2. Cups | 0/0 | Not started | - |
| 3. Saucers | 0/0 | Not started | - |
| 4. Menu | 0/1 | Not started | - |
| 5. Till | 0/0 | Not started | - |
"""
STATE = """---
gsd_state_version: '1.0'
current_phase: 2
status: planning
progress:
  total_phases: 5
  completed_phases: 1
---
# Project State

Phase: 2 of 5 (Cups)
Status: Ready to plan

### Roadmap Evolution

- Phase 5 added: Till

## Session

Resume file: .planning/phases/04-menu/.continue-here.md
"""
REQUIREMENTS = """# Requirements

- [ ] **TEA-01**: Tea is served, see Phase 4

| Requirement | Phase | Status |
|-------------|-------|--------|
| TEA-01 | Phase 2 | Pending |
| TEA-02 | Phase 3 | Pending |
| TEA-03 | Phase 4 | Pending |
"""
PLAN = """---
phase: 04-menu
plan: 01
depends_on: ["02-01", "04-00"]
---
Phase 4 stays as it is here: prose of a plan is its author's.
"""
FILES = {
    PATH: ROADMAP,
    ".planning/STATE.md": STATE,
    ".planning/REQUIREMENTS.md": REQUIREMENTS,
    ".planning/phases/01-kettle/01-01-PLAN.md": "---\nphase: 01-kettle\n---\n",
    ".planning/phases/01-kettle/01-01-SUMMARY.md": "# Done\n",
    ".planning/phases/03-saucers/03-CONTEXT.md": "# Saucers\n",
    ".planning/phases/04-menu/04-01-PLAN.md": PLAN,
    ".planning/phases/04-menu/tests/task-1.sh": "true\n",
}


def teahouse(**changed: str) -> Project:
    """``roadmap``, ``state``: other texts of these files."""
    return project_of(
        {**FILES, PATH: changed.get("roadmap", ROADMAP), ".planning/STATE.md": changed.get("state", STATE)}
    )


def project_of(files: Mapping[str, str]) -> Project:
    def read(path: str) -> bytes | None:
        return files[path].encode() if path in files else None

    position = parse_position(files[".planning/STATE.md"])
    around = Surroundings(position, tuple(files), lambda path: files.get(path, ""))
    roadmap = parse_roadmap(files[PATH], PATH, around=around)
    return Project(roadmap, RoadmapText(files[PATH], PATH, position.phase), tuple(files), read)
