"""Roadmaps in other languages: GSD's template with its words translated."""

from __future__ import annotations

import pytest

from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.roadmap.edits import tick_phase
from autopilot.planning.roadmap.language import says_nothing
from autopilot.planning.roadmap.roadmap import parse_roadmap, read_roadmap

_RUSSIAN = """# Roadmap

- [x] **Фаза 1: Вход** - первая
- [ ] **Фаза 2: Тур** - вторая

### Фаза 1 — Вход
**Цель:** Войти.
**Зависит от:** Ничего (первая фаза)

### Фаза 2 — Тур
**Цель:** Показать тур.
**Зависит от:** Фазы 1
**Требования:** TOUR-01, TOUR-02
**Критерии успеха:**
1. Тур виден
2. `npm test` passes

#### Этап 7: внутри фазы
"""


def test_a_translated_roadmap_is_read_like_an_english_one() -> None:
    first, second = read_roadmap(_RUSSIAN, "R").phases
    assert (first.id, first.name, first.goal, first.depends_on, first.ticked) == ("1", "Вход", "Войти.", (), True)
    assert (second.id, second.name, second.goal, second.depends_on) == ("2", "Тур", "Показать тур.", ("1",))
    assert (second.requirements, len(second.criteria)) == (("TOUR-01", "TOUR-02"), 2)


def test_what_is_written_back_stays_in_its_language() -> None:
    ticked = tick_phase(_RUSSIAN, second_phase(), "2026-11-17")
    assert "- [x] **Фаза 2: Тур** - вторая (completed 2026-11-17)" in ticked
    assert ticked.replace("[x] **Фаза 2", "[ ] **Фаза 2").replace(" (completed 2026-11-17)", "") == _RUSSIAN


def test_a_table_row_that_is_written_back_stays_in_its_language() -> None:
    table = "\n| Phase | Plans | Status |\n|---|---|---|\n| Фаза 2: Тур | 0/2 | Planned |\n"
    ticked = tick_phase(_RUSSIAN + table, second_phase(), "2026-11-17")
    assert ticked.splitlines()[-1] == "| Фаза 2: Тур | 2/2 | Complete |"


@pytest.mark.parametrize("title", ["Зависимости между фазами", "Dependencies"])
def test_a_tree_of_translated_phases_tells_what_they_wait_for(title: str) -> None:
    """It is drawn in a code fence, below a heading in the same language."""
    phases = "".join(f"### Фаза {number} — Имя\n**Цель:** g\n" for number in (1, 2, 3))
    tree = "```\nФаза 1 (Вход)\n    └── Фаза 2 (Тур)\n            └── Фаза 3 (Конец)\n```\n"
    roadmap = read_roadmap(f"# R\n\n{phases}## {title}\n\n{tree}", "R")
    assert [phase.depends_on for phase in roadmap.phases] == [(), ("1",), ("2",)]


def second_phase() -> PhaseId:
    return read_roadmap(_RUSSIAN, "R").phases[1].id


@pytest.mark.parametrize(
    ("heading", "label", "name"),
    [
        ("### Fase 3: Busca", "**Objetivo**:", "Busca"),
        ("### Etapa 3 - Busca", "**Meta:**", "Busca"),
        ("### Étape 3 : Recherche", "**Objectif** :", "Recherche"),
        ("### 阶段 3：搜索", "**目标**：", "搜索"),
        ("### 第三阶段：搜索", "**目标：**", "搜索"),
        ("### フェーズ3: 検索", "**目標**:", "検索"),
        ("### 단계 3: 검색", "**목표**:", "검색"),
        ("### Phase 3: Suche", "**Ziel**:", "Suche"),
    ],
)
def test_headings_and_labels_of_many_languages_are_known(heading: str, label: str, name: str) -> None:
    (phase,) = parse_roadmap(f"# R\n\n{heading}\n{label} find things\n", "R").phases
    assert (phase.id, phase.name, phase.goal) == ("3", name, "find things")


def test_a_roadmap_with_phases_may_speak_of_stages_and_sprints() -> None:
    text = "### Phase 1: Search\n**Goal**: g\n\n#### Stage 2: inside\n\ntext about sprint 4\n"
    assert [phase.id for phase in parse_roadmap(text, "R").phases] == ["1"]


def test_nothing_in_another_language_is_no_dependency_and_a_name_is() -> None:
    assert says_nothing("Keine (erste Phase)")
    assert says_nothing("无")
    assert not says_nothing("Nadase Modul")


OBJECTIVES = """# Roadmap

### Objective 0: Table
**Goal:** A table.
**Success Criteria**:
1. It has rows.

TRDs:
- [x] 00-01-rows-TRD.md — rows
- [x] 00-02-heads-TRD.md — heads

### Objective 1: Layer
**Goal:** A layer.
**Depends on:** Objective 0
**TRDs:** 1 plan
- [ ] 01-01-layer-TRD.md — all of it
"""


def test_a_roadmap_that_plans_by_objectives_is_read_as_one_of_phases() -> None:
    roadmap = parse_roadmap(OBJECTIVES, "R")
    assert [(phase.id, phase.name, phase.depends_on) for phase in roadmap.phases] == [
        ("0", "Table", ()),
        ("1", "Layer", ("0",)),
    ]
    assert "2 plans" in str(roadmap.phases[0].standing) and roadmap.phases[0].criteria[0].text == "It has rows."


@pytest.mark.parametrize(
    "text",
    [
        "# Vision\n\n### Objective 1: Be fast\n\nEverybody wants that.\n",
        "# R\n\n- [ ] **Phase 1: Kettle** - water\n\n### Objective 1: Be fast\n**Goal:** fast\n",
    ],
)
def test_a_chapter_about_objectives_is_no_phase(text: str) -> None:
    assert "Be fast" not in [phase.name for phase in parse_roadmap(text, "R").phases]
