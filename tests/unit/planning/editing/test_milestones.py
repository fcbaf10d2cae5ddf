"""Milestones: read, completed and begun, and which one a run stays within. covers: MILESTONE, CMD-MILESTONE"""

from __future__ import annotations

import pytest

from autopilot.model.errors import NothingOpen, UsageError
from autopilot.model.planning.edit import Edit
from autopilot.model.planning.milestone import Course
from autopilot.model.planning.roadmap import PhaseId, Roadmap
from autopilot.planning.choosing.selection import select_phases
from autopilot.planning.editing.milestones import Completion, complete_milestone, start_milestone
from autopilot.planning.editing.obstacles import Work
from autopilot.planning.editing.renumbering import next_integer
from autopilot.planning.roadmap.roadmap import parse_roadmap
from autopilot.planning.roadmap.standing.position import parse_position
from autopilot.planning.roadmap.standing.standing import Surroundings
from tests.unit.planning.editing.teahouse import FILES, PATH, ROADMAP, STATE, project_of, teahouse

TODAY = "2026-05-04"
TWO = """# Roadmap

## Milestones

- 🚧 **v1.0 Opening** — Phases 1-2 (in progress)
- 📋 **v2.0 Terrace** — Phase 3 (planned)
- 📋 **v3.0 Franchise** (planned)

## Phases

### 🚧 v1.0 Opening (In Progress)

### Phase 1: Kettle
**Goal**: Water boils

### Phase 2: Cups
**Goal**: Tea can be drunk
**Depends on**: Phase 1

### 📋 v2.0 Terrace (Planned)

### Phase 3: Chairs
**Goal**: Guests sit outside
**Depends on**: Phase 2

## Progress

| Phase | Milestone | Plans Complete | Status | Completed |
|-------|-----------|----------------|--------|-----------|
| 1. Kettle | v1.0 | 1/1 | Complete | 2026-03-01 |
| 2. Cups | v1.0 | 0/1 | Not started | - |
| 3. Chairs | v2.0 | 0/1 | Not started | - |
"""
DONE = TWO.replace("| 0/1 | Not started | - |\n| 3.", "| 1/1 | Complete | 2026-04-01 |\n| 3.")
PROVEN = Work({PhaseId("1"): "run-1", PhaseId("2"): "run-2"})
NO_STATE = "# Project State\n"


def text_of(edit: Edit, path: str = PATH) -> str:
    content = edit.files[path]
    assert content is not None
    return content.decode()


def read(text: str, state: str = "") -> Roadmap:
    return parse_roadmap(text, PATH, around=Surroundings(parse_position(state)))


def test_headings_of_the_same_level_as_phases_are_milestones() -> None:
    found = read(TWO).milestones
    assert [(each.title, each.phases, each.course) for each in found] == [
        ("v1.0 Opening", ("1", "2"), Course.CURRENT),
        ("v2.0 Terrace", ("3",), Course.PLANNED),
        ("v3.0 Franchise", (), Course.PLANNED),
    ]


def test_a_list_of_milestones_and_a_table_column_tell_where_headings_do_not() -> None:
    flat = "\n".join(line for line in TWO.split("\n") if not line.startswith(("### 🚧", "### 📋")))
    assert [(each.version, each.phases) for each in read(flat).milestones if each.phases] == [
        ("v1.0", ("1", "2")),
        ("v2.0", ("3",)),
    ]
    only_table = "\n".join(line for line in flat.split("\n") if not line.startswith("- "))
    assert [(each.version, each.phases) for each in read(only_table).milestones] == [
        ("v1.0", ("1", "2")),
        ("v2.0", ("3",)),
    ]


@pytest.mark.parametrize(
    ("text", "title", "course"),
    [
        ("## Milestone v1.1 — Coordination (in flight)", "v1.1 Coordination", Course.CURRENT),
        ("### Milestone 2: Production v1.0 (In Progress)", "Milestone 2 Production v1.0", Course.CURRENT),
        ("### 🎯 v1.5 Visualizer (Current Milestone)", "v1.5 Visualizer", Course.CURRENT),
        ("### 🚧 v1.4 Playground (paused)", "v1.4 Playground", Course.PLANNED),
        ("### v4.0 Integration — SHIPPED 2026-02-10", "v4.0 Integration", Course.SHIPPED),
    ],
)
def test_titles_are_read_in_the_forms_that_people_write(text: str, title: str, course: Course) -> None:
    (found,) = read(f"# Roadmap\n\n{text}\n\n### Phase 1: Kettle\n**Goal**: Water boils\n").milestones
    assert (found.title, found.course) == (title, course)


@pytest.mark.parametrize(
    "text", ["### Deferred polish (also v1.2)", "## Out of scope for v1.2", "## Phases", "# Tea v1.1"]
)
def test_a_version_inside_a_sentence_makes_no_milestone(text: str) -> None:
    assert not read(f"{text}\n\n### Phase 1: Kettle\n**Goal**: Water boils\n").milestones


def test_a_run_without_numbers_stays_within_the_current_milestone() -> None:
    chosen = select_phases((), read(TWO), set())
    assert chosen.phases == ("2",)
    assert [(id, "v2.0 Terrace" in why) for id, why in chosen.skipped] == [("1", False), ("3", True)]
    assert select_phases(("next",), read(TWO), set()).phases == ("2",)


@pytest.mark.parametrize(("words", "phases"), [(("all",), ("2", "3")), (("3",), ("3",)), (("2-3",), ("2", "3"))])
def test_numbers_and_all_reach_beyond_it(words: tuple[str, ...], phases: tuple[str, ...]) -> None:
    assert select_phases(words, read(TWO), set()).phases == phases


def test_what_is_planned_next_waits_for_the_user_to_start_it() -> None:
    with pytest.raises(NothingOpen) as caught:
        select_phases((), read(DONE), set())
    assert "v2.0 Terrace is planned next" in str(caught.value) and "milestone start v2.0" in caught.value.hint
    begun = start_milestone(teahouse(roadmap=DONE, state=NO_STATE), "v2.0", "", TODAY)
    assert select_phases((), read(text_of(begun)), set()).phases == ("3",)


def test_the_phase_that_state_is_at_decides_over_every_mark() -> None:
    state = "# State\n\nPhase: 3 of 3 (Chairs)\nStatus: Executing\n"
    assert select_phases((), read(TWO, state), set()).phases == ("3",)


def test_a_roadmap_whose_milestones_are_all_planned_begins_with_the_first() -> None:
    fresh = TWO.replace("🚧", "📋").replace("(In Progress)", "(Planned)").replace("(in progress)", "(planned)")
    fresh = fresh.replace("| 1/1 | Complete | 2026-03-01 |", "| 0/1 | Not started | - |")
    assert select_phases((), read(fresh), set()).phases == ("1", "2")


def test_a_complete_milestone_becomes_history_and_every_other_phase_stays_as_it_was() -> None:
    edit = complete_milestone(teahouse(roadmap=DONE, state=NO_STATE), PROVEN, Completion(), TODAY)
    text = text_of(edit)
    after = read(text)
    assert [phase.id for phase in after.phases] == ["3"] and after.archived == ("1", "2")
    assert "- ✅ **v1.0 Opening** — Phases 1-2 (shipped 2026-05-04)" in text
    assert "<summary>✅ v1.0 Opening (Phases 1-2) — SHIPPED 2026-05-04</summary>" in text
    kept = [line for line in DONE.split("\n") if "v1.0 Opening" not in line]
    assert [line for line in text.split("\n") if line in kept and line] == [line for line in kept if line]
    assert text_of(edit, ".planning/milestones/v1.0-ROADMAP.md") == DONE
    assert edit.moved[".planning/phases/01-kettle/01-01-PLAN.md"] == (
        ".planning/milestones/v1.0-phases/01-kettle/01-01-PLAN.md"
    )
    record = text_of(edit, ".planning/MILESTONES.md")
    assert "## v1.0 Opening (Shipped: 2026-05-04)" in record and "(proven in run-2)" in record


def test_windows_line_ends_are_kept() -> None:
    edit = complete_milestone(teahouse(roadmap=DONE.replace("\n", "\r\n"), state=NO_STATE), PROVEN, Completion(), TODAY)
    text = text_of(edit)
    assert text.count("\n") == text.count("\r\n")


def test_a_roadmap_without_milestones_is_one_as_a_whole() -> None:
    flat = "# Roadmap\n\n### Phase 1: Kettle\n**Goal**: Water boils\n"
    project = teahouse(roadmap=flat, state="---\nmilestone: v0.9\n---\n# State\n")
    edit = complete_milestone(project, Work({PhaseId("1"): "run-1"}), Completion(name="Trial"), TODAY)
    assert read(text_of(edit)).archived == ("1",) and "- ✅ **v0.9 Trial** — Phase 1" in text_of(edit)


@pytest.mark.parametrize(
    ("roadmap", "work", "asked", "why"),
    [
        (TWO, Work({PhaseId("1"): "run-1"}), Completion(), "phase 2: still open"),
        (
            DONE,
            Work({PhaseId("1"): "run-1"}),
            Completion(),
            "phase 2: done, unproven",
        ),
        (DONE, Work(PROVEN.proven, {PhaseId("2"): "run-3 is at it"}), Completion(), "phase 2: run-3 is at it"),
        (DONE, PROVEN, Completion("v9"), "has no milestone v9"),
        (DONE, PROVEN, Completion("v3.0"), "not said"),
    ],
)
def test_a_milestone_that_is_not_proven_is_not_completed(roadmap: str, work: Work, asked: Completion, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        complete_milestone(teahouse(roadmap=roadmap, state=NO_STATE), work, asked, TODAY)


def test_a_milestone_names_the_verdict_that_it_waits_for() -> None:
    work = Work(PROVEN.proven, {PhaseId("2"): "run-3 waits for it"}, (PhaseId("2"),))
    with pytest.raises(UsageError, match="phase 2: run-3 waits for it") as refused:
        complete_milestone(teahouse(roadmap=DONE, state=NO_STATE), work, Completion(), TODAY)
    assert refused.value.hint.startswith("`autopilot verdict 2 pass` first")


def test_unproven_phases_are_taken_on_demand_and_recorded_as_such() -> None:
    asked = Completion(accept_unproven=True)
    edit = complete_milestone(teahouse(roadmap=DONE, state=NO_STATE), Work(), asked, TODAY)
    assert "Phase 1: Kettle — Water boils (not proven)" in text_of(edit, ".planning/MILESTONES.md")


def test_a_new_milestone_gets_a_heading_an_entry_and_the_state() -> None:
    done = ROADMAP.replace("(in progress)", "(shipped 2026-03-09)").replace("🚧", "✅").replace("[ ]", "[x]")
    state = STATE.replace("status: planning", "milestone: v1.0\nstatus: planning")
    edit = start_milestone(teahouse(roadmap=done, state=state), "v1.1", "Terrace", TODAY)
    assert "- 🚧 **v1.1 Terrace** (in progress)" in text_of(edit)
    assert "### 🚧 v1.1 Terrace (In Progress)" in text_of(edit)
    assert "milestone: v1.1" in text_of(edit, ".planning/STATE.md")


def test_a_second_milestone_is_not_started_beside_an_open_one() -> None:
    with pytest.raises(UsageError, match=r"v1\.0 Opening is in progress"):
        start_milestone(teahouse(roadmap=TWO, state=NO_STATE), "v2.0", "", TODAY)
    with pytest.raises(UsageError, match="not the version"):
        start_milestone(teahouse(roadmap=DONE, state=NO_STATE), "soon", "Soon", TODAY)


def test_shipped_milestones_are_listed_by_their_entry_or_by_what_they_were_put_away_under() -> None:
    text = (
        "# Roadmap\n\n## Milestones\n\n- ✅ **v1.0 MVP** — Phases 1-3 (shipped 2026-01-02)\n- v3.1-beta, superseded\n\n"
        "<details>\n<summary>v0.9 Trial — SHIPPED 2025-12-01</summary>\n\n- [x] Phase 0: Leaf\n\n</details>\n\n"
        "### Phase 4: Kettle\n**Milestone**: v2.0 — Terrace\n**Goal**: v7 is planned\n- v8 planned\n"
    )
    assert [(each.version, each.course, each.date, each.phases) for each in read(text).milestones] == [
        ("v1.0", Course.SHIPPED, "2026-01-02", ()),
        ("v3.1-beta", Course.UNSAID, "", ()),
        ("v0.9", Course.SHIPPED, "2025-12-01", ()),
        ("v2.0", Course.UNSAID, "", ("4",)),
    ]


def test_a_field_above_all_phases_makes_the_roadmap_one_milestone_and_follows_the_next() -> None:
    text = "# Roadmap\n\n**Milestone:** v1.1 — Guests\n\n## Phase 1: Kettle\n**Goal**: Water boils\n"
    (whole,) = read(text).milestones
    assert (whole.title, whole.phases) == ("v1.1 Guests", ("1",))
    shipped = complete_milestone(
        teahouse(roadmap=text, state=NO_STATE), Work({PhaseId("1"): "run-1"}), Completion(), TODAY
    )
    begun = text_of(start_milestone(teahouse(roadmap=text_of(shipped), state=NO_STATE), "v1.2", "Terrace", TODAY))
    assert "**Milestone:** v1.2 Terrace\n" in begun and "\n## 🚧 v1.2 Terrace (In Progress)\n" in begun


@pytest.mark.parametrize(
    ("live", "archived", "following"),
    [
        (("3", "4"), ("1", "2"), "5"),
        ((), ("1", "9"), "10"),
        (("15", "19"), ("1", "15", "19", "23"), "24"),  # a later milestone was archived first
        (("1", "2"), ("1", "2", "3", "9"), "3"),  # each milestone counts from one
        ((), (), "1"),
    ],
)
def test_numbers_go_on_over_milestones(live: tuple[str, ...], archived: tuple[str, ...], following: str) -> None:
    assert next_integer(map(PhaseId, live), map(PhaseId, archived)) == following


def test_a_state_without_brackets_and_a_checklist_below_the_heading_are_shipped_whole() -> None:
    text = (
        "# Roadmap\n\n## Milestones\n\n- Milestone 2: Opening (Phases 1-1) -- in progress\n\n"
        "### Milestone 2: Opening (In Progress)\n\n- [ ] **Phase 1: Kettle** - hot\n\n### Phase 1: Kettle\n"
        "**Goal**: Water boils\n\n## Progress\n"
    )
    edit = complete_milestone(
        teahouse(roadmap=text, state="Phase: 1 of 1 (Kettle)\n"), Work({PhaseId("1"): "r"}), Completion(), TODAY
    )
    after = text_of(edit)
    assert "- ✅ Milestone 2: Opening (Phases 1-1) (shipped 2026-05-04)" in after
    assert after.count("<details>") == after.count("</details>") == 1 and "- [x] **Phase 1" in after
    assert ".planning/milestones/Milestone-2-ROADMAP.md" in edit.files


def test_where_state_is_at_another_milestone_its_position_stays() -> None:
    state = "---\nstatus: executing\n---\n# State\n\nPhase: 3 of 3 (Chairs)\nStatus: Executing\nLast activity: today\n"
    edit = complete_milestone(teahouse(roadmap=DONE, state=state), PROVEN, Completion("v1.0"), TODAY)
    assert text_of(edit, ".planning/STATE.md") == state.replace(
        "today", f"{TODAY} — v1.0 milestone completed and archived"
    )
    assert ".planning/milestones/v1.0-REQUIREMENTS.md" in edit.files


def test_what_is_done_already_is_said_and_nothing_is_written() -> None:
    shipped = text_of(complete_milestone(teahouse(roadmap=DONE, state=NO_STATE), PROVEN, Completion(), TODAY))
    with pytest.raises(UsageError, match=r"v1\.0 Opening is shipped already"):
        complete_milestone(teahouse(roadmap=shipped, state=NO_STATE), PROVEN, Completion("v1.0"), TODAY)
    begun = text_of(start_milestone(teahouse(roadmap=shipped, state=NO_STATE), "v2.0", "Evening", TODAY))
    with pytest.raises(UsageError, match="is the current one already"):
        start_milestone(teahouse(roadmap=begun, state=NO_STATE), "v2.0", "Evening", TODAY)


def test_the_record_says_what_each_phase_was_for_and_the_audit_what_is_proven_of_it() -> None:
    accepted = Completion(accept_unproven=True)
    edit = complete_milestone(teahouse(roadmap=DONE, state=NO_STATE), Work({PhaseId("1"): "run-1"}), accepted, TODAY)
    record = text_of(edit, ".planning/MILESTONES.md")
    assert "- Phase 1: Kettle — Water boils (proven in run-1)\n" in record
    assert "- Phase 2: Cups — Tea can be drunk (not proven)\n" in record
    audit = text_of(edit, ".planning/milestones/v1.0-MILESTONE-AUDIT.md")
    assert "status: tech_debt\n" in audit and "  phases: 1/2\n" in audit and "| 2 | Cups | not proven |\n" in audit


def test_an_audit_that_is_there_is_archived_as_it_is() -> None:
    written = {".planning/v1.0-MILESTONE-AUDIT.md": "mine\n"}
    project = project_of({**FILES, PATH: DONE, ".planning/STATE.md": NO_STATE, **written})
    edit = complete_milestone(project, PROVEN, Completion(), TODAY)
    assert text_of(edit, ".planning/milestones/v1.0-MILESTONE-AUDIT.md") == "mine\n"
    assert edit.files[".planning/v1.0-MILESTONE-AUDIT.md"] is None


@pytest.mark.parametrize("behind", ["Prose about it.", "---", "<details>\n<summary>old</summary>\n\nx\n</details>"])
def test_a_new_entry_joins_the_list_whatever_stands_behind_it(behind: str) -> None:
    listed = "- ✅ **v0.9 Trial** — shipped 2026-01-01\n  - in the yard\n"
    text = f"# R\n\n## Milestones\n\n{listed}\n{behind}\n\n## Phases\n\n### Phase 1: Kettle\n**Goal**: x\n"
    begun = text_of(start_milestone(teahouse(roadmap=text, state=NO_STATE), "v1.0", "Opening", TODAY))
    assert f"{listed}- 🚧 **v1.0 Opening** (in progress)\n\n{behind}" in begun
