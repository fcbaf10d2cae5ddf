"""Roadmaps as people write them. covers: INV-1, INV-4"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.model.errors import UsageError
from autopilot.model.planning.complaint import Severity
from autopilot.model.planning.criterion import Form
from autopilot.planning.roadmap.roadmap import parse_roadmap, read_roadmap, refusal

USUAL = """\
# Roadmap: Tea

## Phases

- [x] **Phase 1: Kettle** - boil water
- [ ] **Phase 2: Pot** - brew
- [ ] **Phase 2.1: Lid** (INSERTED)

## Phase Details

### Phase 1: Kettle
**Goal**: Water boils
**Depends on**: Nothing (first phase)
**Requirements**: [TEA-01, TEA-02]
**Success Criteria** (what must be TRUE):
  1. Water reaches 100 degrees
  2. The whistle sounds -- verified by: `python3 -m kettle --whistle` (contains "peep")
**Plans**: 1 plan

Plans:
- [x] 01-01: Heat

### Phase 2: Pot
**Goal:** Tea is brewed
and poured
**Depends on:** Phase 1 (needs 3 litres)
**Requirements:** TEA-03

**Success Criteria**:
- [ ] The tea is hot
- [ ] The tea is
  brown

### Phase 2.1: Lid (INSERTED)
- **Goal**: Keep it warm
- **Depends on**: Phase 2
- **Success Criteria**: It stays warm for an hour

## Progress

| Phase | Plans Complete | Status | Completed |
|-------|----------------|--------|-----------|
| 1. Kettle | 1/1 | Complete | 2026-01-01 |
| 2. Pot | 0/1 | Not started | - |
"""


def test_a_usual_roadmap_is_read_whole_and_without_complaint() -> None:
    roadmap = parse_roadmap(USUAL, ".planning/ROADMAP.md")
    one, two, lid = roadmap.phases
    assert [phase.id for phase in roadmap.phases] == ["1", "2", "2.1"]
    assert (one.name, one.goal, one.ticked, one.requirements) == ("Kettle", "Water boils", True, ("TEA-01", "TEA-02"))
    assert (two.goal, two.depends_on, two.requirements) == ("Tea is brewed and poured", ("1",), ("TEA-03",))
    assert (lid.name, lid.goal, lid.depends_on, lid.slug) == ("Lid", "Keep it warm", ("2",), "lid")
    assert [criterion.text for criterion in two.criteria] == ["The tea is hot", "The tea is brown"]
    assert [criterion.text for criterion in lid.criteria] == ["It stays warm for an hour"]
    assert [(criterion.id, criterion.form) for criterion in one.criteria] == [
        ("phase.c1", Form.PROSE),
        ("phase.c2", Form.COMMAND),
    ]
    assert one.line == 11 and one.criteria[1].line == 17
    assert roadmap.complaints == ()


def test_carriage_returns_stay_out_of_every_value() -> None:
    assert parse_roadmap(USUAL.replace("\n", "\r\n"), "R").phases == parse_roadmap(USUAL, "R").phases


@pytest.mark.parametrize(
    ("heading", "id", "name"),
    [
        ("### Phase 1: Name", "1", "Name"),
        ("## Phase 02.1: Name (INSERTED)", "2.1", "Name"),
        ("#### Phase 20a: Name", "20A", "Name"),
        ("### ~~Phase 1: Name~~", "1", "Name"),
        ("## 🏁 Phase 2: Name", "2", "Name"),
        ("### Phase 3 — Name", "3", "Name"),
        ("### Phase 3 – Name ✅", "3", "Name"),
        ("### Phase 3 - Name", "3", "Name"),
        ("## Phase 1 (Wave 1): Name", "1", "Name"),
        ("### **Phase 4: Name**", "4", "Name"),
        ("### Phase 5: Name ✓ (completed 2026-01-01)", "5", "Name"),
        ("###Phase 6: Name", "6", "Name"),
        ("### Phase 7", "7", "Phase 7"),
        ("### Phase 0: Name (INSERTED — Gap Closure)", "0", "Name"),
    ],
)
def test_decorated_headings_are_phases(heading: str, id: str, name: str) -> None:
    (phase,) = parse_roadmap(f"{heading}\n**Goal**: g\n", "R").phases
    assert (phase.id, phase.name, phase.goal) == (id, name, "g")


@pytest.mark.parametrize(
    "line",
    [
        "## Phases",
        "## Phase Details",
        "### v3.0 Core - Phases 17-23",
        "### ✅ v9.3 Reliability (Phase 76)",
        "# Roadmap: Phase 2+3",
        "- Phase 20 (SELECT tool) completed outside",
        "- [x] **Phase 1-11** — all of it",
        "- [x] Phase 1-5: Platform",
        "```\n### Phase 1: in a fence\n```",
        "<!--\n### Phase 1: in a comment\n-->",
        "<!-- ### Phase 1: x -->",
    ],
)
def test_lines_that_only_mention_phases_are_none_and_draw_no_complaint(line: str) -> None:
    roadmap = parse_roadmap(f"# R\n\n{line}\n", "R")
    assert (roadmap.phases, roadmap.complaints) == ((), ())


@pytest.mark.parametrize(
    ("heading", "words"),
    [
        ("## Phase 7, 8, 10: Experiments", "looks like a phase"),
        ("## Phase 1-5: Everything", "looks like a phase"),
        ("# Phase 1: Too high", "looks like a phase"),
        ("### Фаза 2 — Тур", "not read as a phase"),
        ("### Objective 9: Sync", "not read as a phase"),
        ("## 第2阶段: 开始", "not read as a phase"),
        ("### Etappe 3: Reise", "not read as a phase"),
        ("### 페이즈 2: 시작", "not read as a phase"),
    ],
)
def test_headings_that_were_not_understood_are_said_with_their_line(heading: str, words: str) -> None:
    roadmap = parse_roadmap(f"### Phase 99: Known\n**Goal**: g\n\n{heading}\ntext\n", "R.md")
    (complaint,) = roadmap.complaints
    assert str(complaint).startswith("R.md:4: heading") and words in complaint.text
    assert [phase.id for phase in roadmap.phases] == ["99"]


def test_a_checklist_line_without_a_section_is_a_phase_with_a_warning_placed_by_number() -> None:
    text = "- [ ] **Phase 2: Pot** - brew tea\n- [x] Phase 1: Kettle (2/2 plans) — completed 2026-01-01\n\n"
    roadmap = parse_roadmap(text + "### Phase 3: Cup\n**Goal**: drink\n", "R")
    assert [(phase.id, phase.name, phase.ticked) for phase in roadmap.phases] == [
        ("1", "Kettle", True),
        ("2", "Pot", False),
        ("3", "Cup", False),
    ]
    assert roadmap.phases[1].goal == "brew tea"
    assert [(c.line, c.severity) for c in roadmap.complaints if "the roadmap is malformed: " in c.text] == [
        (1, Severity.WARNING),
        (2, Severity.WARNING),
    ]
    assert any("phase 3 has a section but no checklist line" in complaint.text for complaint in roadmap.complaints)


def test_boxes_inside_a_phase_section_are_its_tasks_not_phases() -> None:
    text = "## Phase 5: Band\n**Goal**: play\n- [x] **Phase 1**: drums\n- [ ] **Phase 2 – Bass**: walk\n"
    assert [phase.id for phase in parse_roadmap(text, "R").phases] == ["5"]


def test_details_are_archived_and_settle_dependencies() -> None:
    text = (
        "<details>\n<summary>v1</summary>\n\n- [x] Phase 1: Old\n- [ ] Phase 2: Odd\n### Phase 3: Older\n</details>\n\n"
        "- [ ] **Phase 4: New** - now\n\n### Phase 4: New\n**Goal**: g\n**Depends on**: Phase 1, Phase 3\n"
    )
    roadmap = parse_roadmap(text, "R")
    assert [phase.id for phase in roadmap.phases] == ["4"]
    assert (roadmap.phases[0].depends_on, set(roadmap.archived)) == ((), {"1", "2", "3"})
    assert [str(complaint) for complaint in roadmap.complaints] == [
        "R:5: phase 2 is open but stands inside <details>: taken as archived"
    ]


def test_phases_about_which_their_witnesses_disagree_are_said_in_one_line_each() -> None:
    text = (
        "- [x] **Phase 1: A**\n- [ ] **Phase 2: B**\n- [ ] **Phase 3: C**\n\n"
        "### Phase 1: A\n**Goal**: g\n- [x] 01-01: p\n- [ ] **01-02**: q\n"
        "### Phase 2: B\n**Goal**: g\n- [x] 02-01-PLAN.md — p\n### Phase 3: C\n**Goal**: g\n## Progress\n"
        "| Phase | Milestone | Plans Complete | Status | Completed |\n|---|---|---|---|---|\n"
        "| 1. A | v1 | 1/2 | In progress | - |\n| 2. B | v1 | 1/1 | Complete | 2026-01-01 |\n"
        "| 3. C | v1 | 0/1 | Planned | |\n"
    )
    roadmap = parse_roadmap(text, "R")
    assert [phase.ticked for phase in roadmap.phases] == [True, True, False]
    assert roadmap.complaints == ()
    assert [(phase, str(found)) for phase, found in roadmap.disagreements] == [
        (
            "1",
            "R:5: phase 1: ticked in the roadmap (done, unproven), though only 1 of its 2 plans are ticked; "
            "the progress table says In progress",
        ),
        ("2", "R:9: phase 2: complete in the progress table (done, unproven), though its box is open"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "### Phase 1: A ✅\n**Goal**: g\n",
        "### ✅ Phase 1: ~~A~~\n**Goal**: g\n",
        "### Phase 1: A\n**Goal**: g\n**Status**: ✅ Complete\n",
        "### Phase 1: A\n**Goal**: g\n\n## Progress\n| Phase | Status |\n|--|--|\n| Phase 1: A | Complete |\n",
    ],
)
def test_without_a_box_another_clear_mark_counts_as_ticked(text: str) -> None:
    assert parse_roadmap(text, "R").phases[0].ticked


def test_a_number_that_appears_twice_counts_once_and_is_said() -> None:
    roadmap = parse_roadmap("### Phase 1: A\n**Goal**: a\n### Phase 01: B\n**Goal**: b\n", "R")
    assert [phase.name for phase in roadmap.phases] == ["A"]
    assert [str(complaint) for complaint in roadmap.complaints] == [
        "R:3: phase 1 appears twice; the first section counts"
    ]


def test_an_unknown_dependency_is_ignored_and_said_with_its_line() -> None:
    roadmap = parse_roadmap("### Phase 2: A\n**Goal**: a\n**Depends on**: Phase 9\n", "R")
    assert roadmap.phases[0].depends_on == ()
    assert [str(complaint) for complaint in roadmap.complaints] == [
        "R:3: phase 2 depends on 9, which this roadmap does not have: ignored"
    ]


def test_criteria_under_a_heading_of_their_own_belong_to_the_phase() -> None:
    text = "## Phase 1: A\n**Goal**: a\n### Success Criteria\n- [ ] one\n- [ ] two\n\n### Notes\n- not one\n"
    assert [criterion.text for criterion in parse_roadmap(text, "R").phases[0].criteria] == ["one", "two"]


TABLE = "| # | {0} | Status |\n|---|:--|---|\n| 1 | one | ✅ |\n| 2 | two \\| three |  |\n| 3 |  | |\n"


@pytest.mark.parametrize(
    "body",
    [
        f"**Success Criteria** (what must be TRUE):\n\n{TABLE.format('Criterion')}",
        f"### Success Criteria\n{TABLE.format('**Criteria**')}\n### Notes\n- not one\n",
        f"**Success Criteria**: as in the table\n{TABLE.format('Success criterion')}**Plans**: 1\n- not one\n",
        f"{TABLE.format('Success Criterion')}\n| Criterion | SQLite |\n|---|---|\n| speed | good |\n",
        "**Success Criteria**:\n- one\n| Criterion |\n|---|\n| two \\| three |\n",
    ],
    ids=["label", "heading", "sentence", "alone", "list and table"],
)
def test_criteria_in_a_table_are_read_by_the_name_of_their_column(body: str) -> None:
    roadmap = parse_roadmap(f"## Phase 1: A\n**Goal**: a\n{body}", "R")
    assert [criterion.text for criterion in roadmap.phases[0].criteria] == ["one", "two | three"]
    assert roadmap.complaints == ()


def test_a_table_of_criteria_may_name_commands_in_a_column_of_their_own() -> None:
    table = "| Criterion | Verified by |\n|--|--|\n| it sums | `make sum \\| grep 3` |\n| it is kind | |\n"
    roadmap = parse_roadmap(f"## Phase 1: A\n**Success Criteria**:\n{table}", "R")
    assert [(c.text, c.command, c.line) for c in roadmap.phases[0].criteria] == [
        ("it sums", "make sum | grep 3", 5),
        ("it is kind", "", 6),
    ]


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ("| What | Who |\n|--|--|\n| a | b |\n", "R:3: a table of success criteria without a column `Criterion`"),
        ("It must simply work.\n", "R:3: no success criterion was read here"),
        ("| Criterion | Command |\n|--|--|\n| a | `make` |\n", "R:6: the column `command` of the success criteria"),
    ],
)
def test_criteria_that_cannot_be_read_are_said_with_their_line(body: str, complaint: str) -> None:
    roadmap = parse_roadmap(f"## Phase 1: A\n**Goal**: a\n**Success Criteria**:\n{body}", "R")
    assert [str(each)[: len(complaint)] for each in roadmap.complaints] == [complaint]


@pytest.mark.parametrize(
    ("text", "path", "reason"),
    [
        ("", "R", "the file contains no phase"),
        (
            "# Roadmap\n\n| Phase | Name | Status |\n|--|--|--|\n| 0010 | Setup | Complete |\n",
            "R",
            "the file contains no phase",
        ),
        (
            "# R\n## v0.1 scaffold-complete\n- [x] Built\n\n## v0.2\n- [ ] Harden it\n",
            "R",
            "the file contains no phase",
        ),
        ("# Roadmap\n### Phase X: foo\n", "R", 'no phase was understood; line 2: "Phase X" has no number'),
        ("# Roadmap\n### Phase: Foo\n", "R", 'no phase was understood; line 2: "Phase: Foo" has no number'),
        ('{"master": {"tasks": []}}', "R", "JSON"),
        ("## Phase 1: Setup\n- [ ] T001 [P] Create files\n", "R", "spec-kit"),
        ("## Phase 1: Setup\n**Purpose**: x\n", "specs/001-x/tasks.md", "spec-kit"),
        ("# Phase 1: Too high\n", "R", "line 1: heading `Phase 1: Too high`"),
    ],
)
def test_a_file_that_is_no_roadmap_is_refused_with_the_reason(text: str, path: str, reason: str) -> None:
    with pytest.raises(UsageError, match="(?s)" + reason.replace("(", r"\(")) as raised:
        read_roadmap(text, path)
    assert raised.value.hint


@pytest.mark.parametrize(
    "text",
    [
        "<details>\n- [x] Phase 1: A\n</details>\n",
        "# R\n\n## Milestones\n\n- ✅ **v1.0 First** — Phases 1-4\n",
        "# R\n\n- **v1.0 First** — Phases 1-4 (shipped 2026-01-01)\n\n## Next\nNothing yet.\n",
        "# R\n### v0.9 Second: SHIPPED 2026-01-01\nAll of it.\n",
        "# R\n## Completed Milestones\n### v1.0 -- First (4 phases)\nAll of it.\n## Backlog\n- A flag\n",
    ],
)
def test_a_roadmap_of_shipped_milestones_is_a_roadmap_without_phases(text: str) -> None:
    assert read_roadmap(text, "R").phases == ()


MARKDOWN = st.lists(
    st.sampled_from(
        [
            "### Phase 1: A",
            "## Phase 2.1 — B",
            "- [x] **Phase 1: A** - x",
            "- [ ] Phase 3: C",
            "**Goal**: g",
            "```",
            "~~~",
            "**Depends on**: Phase 1, 2-9",
            "**Success Criteria**:",
            "1. one",
            "  two",
            "<details>",
            "</details>",
            "<!--",
            "-->",
            "| Phase | Status |",
            "|---|---|",
            "| 1. A | Complete |",
            "## Progress",
            "",
            "\r",
            "- [ ] 01-01: p",
            "| |",
        ]
    )
    | st.text(max_size=30)
).map("\n".join)


@given(MARKDOWN)
def test_any_text_is_read_without_a_traceback_and_lines_exist(text: str) -> None:
    roadmap = parse_roadmap(text, "R")
    refusal(roadmap, text)
    count = text.count("\n") + 1
    assert all(1 <= phase.line <= count for phase in roadmap.phases)
    assert all(0 <= complaint.line <= count for complaint in roadmap.complaints)
    known = {phase.id for phase in roadmap.phases}
    assert len(known) == len(roadmap.phases) and not known & set(roadmap.archived)
    assert all(set(phase.depends_on) <= known - {phase.id} for phase in roadmap.phases)
