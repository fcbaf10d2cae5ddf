"""What an edit of the phases changes, file by file, and what it refuses. covers: PHASE-EDIT, PHASE-REFUSE, CMD-PHASE"""

from __future__ import annotations

from difflib import ndiff

import pytest

from autopilot.model.errors import UsageError
from autopilot.model.planning.edit import Edit
from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.editing.obstacles import Work
from autopilot.planning.editing.operations import (
    PhaseRequest,
    add_phase,
    edit_phase,
    insert_phase,
    move_phase,
    remove_phase,
    split_phase,
)
from autopilot.planning.editing.phase_text import PhaseChange
from autopilot.planning.editing.project import Project
from tests.unit.planning.editing.teahouse import FILES, PATH, REQUIREMENTS, ROADMAP, STATE, teahouse

NOTHING = Work()


def changed(edit: Edit, path: str, before: str) -> list[str]:
    """The lines that are gone, then those that are new, as a diff marks them; empty ones left out."""
    content = edit.files[path]
    assert content is not None
    marked = [line for line in ndiff(before.split("\n"), content.decode().split("\n")) if line[2:].strip()]
    return [line for mark in "-+" for line in marked if line[0] == mark]


def remove(project: Project, phase: str, work: Work = NOTHING, *, keep: bool = False, force: bool = False) -> Edit:
    return remove_phase(project, work, PhaseId(phase), keep_numbers=keep, force=force)


def test_a_phase_is_added_at_the_end_wherever_the_one_before_it_stands() -> None:
    edit = add_phase(teahouse(), PhaseRequest("Terrace", "Guests sit outside", None, ("TEA-04",), ("It has chairs",)))
    assert changed(edit, PATH, ROADMAP) == [
        "+ - [ ] **Phase 6: Terrace** - Guests sit outside",
        "+ ### Phase 6: Terrace",
        "+ **Goal**: Guests sit outside",
        "+ **Depends on**: Phase 5",
        "+ **Requirements**: TEA-04",
        "+ **Success Criteria** (what must be TRUE):",
        "+   1. It has chairs",
        "+ **Plans**: TBD",
        "+ | 6. Terrace | 0/TBD | Not started | - |",
    ]
    assert changed(edit, ".planning/STATE.md", STATE) == [
        "-   total_phases: 5",
        "- Phase: 2 of 5 (Cups)",
        "+   total_phases: 6",
        "+ Phase: 2 of 6 (Cups)",
        "+ - Phase 6 added: Terrace",
    ]  # fmt: skip
    assert edit.files[".planning/phases/06-terrace/.gitkeep"] == b""


def test_a_phase_is_inserted_as_a_decimal_and_no_number_changes() -> None:
    edit = insert_phase(teahouse(), PhaseId("2"), PhaseRequest("Handles"))
    assert edit.phase == "2.1" and not edit.renumbered
    assert "+ ### Phase 2.1: Handles (INSERTED)" in changed(edit, PATH, ROADMAP)
    assert "+ - Phase 2.1 inserted after Phase 2: Handles (URGENT)" in changed(edit, ".planning/STATE.md", STATE)
    assert edit.notes == (
        "phases 4, 5 still depend on 2 alone; to wait for 2.1 too: `autopilot phase edit PHASE --depends-on 2,2.1`",
    )


def test_a_removal_renumbers_every_reference_and_folder_and_nothing_else() -> None:
    edit = remove(teahouse(), "3")
    assert edit.renumbered == {"4": "3", "5": "4"}
    assert changed(edit, PATH, ROADMAP) == [
        "- - 🚧 **v1.0 Opening** - Phases 1-5 (in progress)",
        "- - [ ] **Phase 3: Saucers** - below the cups",
        "- - [ ] **Phase 4: Menu** - what there is",
        "- - [ ] **Phase 5: Till** - what it costs",
        "- ### Phase 3: Saucers",
        "- **Goal**: No stains, as on 2026-03-05",
        "- **Depends on**: Phase 1",
        "- **Requirements**: TEA-02",
        "- **Plans**: TBD",
        "- ### Phase 4: Menu",
        "- - [ ] 04-01-PLAN.md — write it",
        "- ### Phase 5: Till",
        "- **Goal**: It adds up what Phase 4 offers",
        "- **Depends on**: Phases 2 and 4",
        "- Phases execute in numeric order: 1 → 2 → 3 → 4 → 5",
        "- | 3. Saucers | 0/0 | Not started | - |",
        "- | 4. Menu | 0/1 | Not started | - |",
        "- | 5. Till | 0/0 | Not started | - |",
        "+ - 🚧 **v1.0 Opening** - Phases 1-4 (in progress)",
        "+ - [ ] **Phase 3: Menu** - what there is",
        "+ - [ ] **Phase 4: Till** - what it costs",
        "+ ### Phase 3: Menu",
        "+ - [ ] 03-01-PLAN.md — write it",
        "+ ### Phase 4: Till",
        "+ **Goal**: It adds up what Phase 3 offers",
        "+ **Depends on**: Phases 2 and 3",
        "+ Phases execute in numeric order: 1 → 2 → 3 → 4",
        "+ | 3. Menu | 0/1 | Not started | - |",
        "+ | 4. Till | 0/0 | Not started | - |",
    ]  # fmt: skip
    assert changed(edit, ".planning/STATE.md", STATE) == [
        "-   total_phases: 5",
        "- Phase: 2 of 5 (Cups)",
        "- - Phase 5 added: Till",
        "- Resume file: .planning/phases/04-menu/.continue-here.md",
        "+   total_phases: 4",
        "+ Phase: 2 of 4 (Cups)",
        "+ - Phase 4 added: Till",
        "+ Resume file: .planning/phases/03-menu/.continue-here.md",
    ]  # fmt: skip
    assert changed(edit, ".planning/REQUIREMENTS.md", REQUIREMENTS) == [
        "- - [ ] **TEA-01**: Tea is served, see Phase 4",
        "- | TEA-02 | Phase 3 | Pending |",
        "- | TEA-03 | Phase 4 | Pending |",
        "+ - [ ] **TEA-01**: Tea is served, see Phase 3",
        "+ | TEA-02 | Unmapped | Pending |",
        "+ | TEA-03 | Phase 3 | Pending |",
    ]  # fmt: skip


def test_a_removal_takes_the_folder_and_renames_those_after_it() -> None:
    edit = remove(teahouse(), "3")
    assert edit.files[".planning/phases/03-saucers/03-CONTEXT.md"] is None
    assert edit.files[".planning/phases/04-menu/04-01-PLAN.md"] is None
    plan = edit.files[".planning/phases/03-menu/03-01-PLAN.md"] or b""
    assert plan.decode().split("\n")[1:4] == ["phase: 03-menu", "plan: 01", 'depends_on: ["02-01", "03-00"]']
    assert b"Phase 4 stays as it is here" in plan
    assert edit.files[".planning/phases/03-menu/tests/task-1.sh"] == b"true\n"
    assert not any(path.startswith(".planning/phases/01-kettle") for path in edit.files)


def test_what_still_names_the_removed_phase_is_said_with_its_line() -> None:
    line = ROADMAP.split("\n").index("**Goal**: Guests of Phase 3 choose among 10-20 teas") + 1
    where = f"{PATH}:{line} still names phase 3, which is removed"
    assert remove(teahouse(), "3").notes == (f"{where}: **Goal**: Guests of Phase 3 choose among 10-20 teas",)


def test_numbers_can_be_kept() -> None:
    edit = remove(teahouse(), "3", keep=True)
    assert not edit.renumbered and not edit.moved
    assert "- | 4. Menu | 0/1 | Not started | - |" not in changed(edit, PATH, ROADMAP)


def test_a_move_gives_the_same_numbers_out_in_the_new_order() -> None:
    edit = move_phase(teahouse(), NOTHING, PhaseId("3"), PhaseId("5"), before=False)
    assert edit.renumbered == {"3": "5", "4": "3", "5": "4"}
    text = (edit.files[PATH] or b"").decode()
    assert "- 🚧 **v1.0 Opening** - Phases 1-5 (in progress)" in text and "order: 1 → 2 → 3 → 4 → 5" in text
    assert [line for line in text.split("\n") if line.startswith("### ")] == [
        "### Phase 1: Kettle", "### Phase 2: Cups", "### Phase 3: Menu", "### Phase 4: Till", "### Phase 5: Saucers",
    ]  # fmt: skip
    assert "**Depends on**: Phases 2 and 3" in text and "**Goal**: Guests of Phase 5 choose" in text
    assert edit.moved[".planning/phases/03-saucers/03-CONTEXT.md"] == ".planning/phases/05-saucers/05-CONTEXT.md"


def test_a_split_takes_criteria_along_and_whoever_waits_for_the_phase_waits_for_its_parts() -> None:
    edit = split_phase(teahouse(), NOTHING, PhaseId("2"), ["Handles", "Glaze"], [2, 3])
    text = (edit.files[PATH] or b"").decode()
    assert "  1. A cup holds tea\n**Plans**: TBD\n" in text
    handles = text[text.index("### Phase 2.1: Handles") : text.index("### Phase 2.2: Glaze")]
    assert "**Depends on**: Phase 2\n" in handles and "  1. It does not leak\n  2. It has a handle\n" in handles
    assert "**Depends on**: Phase 2, 2.2\n" in text and "**Depends on**: Phases 2, 2.2 and 4\n" in text


def test_an_edit_changes_what_it_names_and_nothing_else() -> None:
    change = PhaseChange(goal="Stains are gone", depends_on="Phase 2", criteria=("It is round",))
    edit = edit_phase(teahouse(), NOTHING, PhaseId("3"), change)
    assert changed(edit, PATH, ROADMAP) == [
        "- **Goal**: No stains, as on 2026-03-05",
        "- **Depends on**: Phase 1",
        "+ **Goal**: Stains are gone",
        "+ **Depends on**: Phase 2",
        "+ **Success Criteria** (what must be TRUE):",
        "+   1. It is round",
    ]  # fmt: skip
    assert set(edit.files) == {PATH}


def test_a_new_name_is_written_wherever_the_old_one_stands_and_renames_the_folder() -> None:
    edit = edit_phase(teahouse(), NOTHING, PhaseId("4"), PhaseChange(name="Card"))
    text = (edit.files[PATH] or b"").decode()
    assert "### Phase 4: Card" in text and "**Phase 4: Card**" in text and "| 4. Card |" in text
    assert edit.moved[".planning/phases/04-menu/04-01-PLAN.md"] == ".planning/phases/04-card/04-01-PLAN.md"


@pytest.mark.parametrize(
    ("phase", "work", "why", "way"),
    [
        ("2", Work(running={PhaseId("2"): "run-1 is at it"}), "run-1 is at it", "autopilot resume"),
        (
            "2",
            Work(running={PhaseId("2"): "run-1 waits"}, waiting=(PhaseId("2"),)),
            "run-1 waits",
            "`autopilot verdict 2 pass`, or fail",
        ),
        ("3", Work(proven={PhaseId("3"): "run-1"}), "it was proven in run-1", "autopilot phase add"),
        ("1", NOTHING, "it is done", "--force"),
        ("2", NOTHING, "STATE.md is at it", "--force"),
        ("4", NOTHING, "phase 5 depends on it", "autopilot phase edit 5 --depends-on 2`"),
        ("3", Work(proven={PhaseId("5"): "run-1"}), "phase 5 would become 4", "--keep-numbers"),
        ("9", NOTHING, "has no phase 9", "its phases are 1, 2, 3, 4, 5"),
    ],
)
def test_a_removal_that_would_orphan_something_names_it_and_the_way_on(
    phase: str, work: Work, why: str, way: str
) -> None:
    with pytest.raises(UsageError, match=why) as refused:
        remove(teahouse(), phase, work)
    assert way in refused.value.hint


def test_a_phase_with_decimals_behind_it_is_not_removed() -> None:
    inserted = insert_phase(teahouse(), PhaseId("3"), PhaseRequest("Handles")).files[PATH] or b""
    with pytest.raises(UsageError, match=r"phase 3\.1 follow"):
        remove(teahouse(roadmap=inserted.decode()), "3")


def test_a_phase_is_not_moved_before_what_it_depends_on() -> None:
    with pytest.raises(UsageError, match="phase 4 depends on phase 2, and would come before it"):
        move_phase(teahouse(), NOTHING, PhaseId("4"), PhaseId("2"), before=True)


def test_a_circle_of_dependencies_is_refused() -> None:
    with pytest.raises(UsageError, match="in a circle"):
        edit_phase(teahouse(), NOTHING, PhaseId("2"), PhaseChange(depends_on="Phase 4"))


def test_a_dependency_on_a_phase_that_is_not_there_is_refused() -> None:
    with pytest.raises(UsageError, match="has no phase 9") as refused:
        edit_phase(teahouse(), NOTHING, PhaseId("3"), PhaseChange(depends_on="Phase 1, Phase 9"))
    assert refused.value.hint == "its phases are 1, 2, 3, 4, 5"


def test_what_is_done_is_removed_with_force_alone() -> None:
    done = ROADMAP.replace("- [ ] **Phase 3", "- [x] **Phase 3")
    with pytest.raises(UsageError, match="it is done, ticked in the roadmap"):
        remove(teahouse(roadmap=done), "3")
    assert remove(teahouse(roadmap=done), "3", force=True).renumbered


def test_a_form_that_would_be_damaged_is_refused() -> None:
    listed = "# Roadmap\n\n- **Phase 1: Kettle**\n  - **Goal:** Water boils\n- **Phase 2: Cups**\n  - **Goal:** Tea\n"
    with pytest.raises(UsageError, match="in a form that this edit would damage"):
        add_phase(teahouse(roadmap=listed), PhaseRequest("Terrace"))


def test_numbers_of_an_earlier_milestone_in_the_state_file_are_left_alone() -> None:
    history = "<details>\n<summary>v0.9 (shipped)</summary>\n\n- [x] Phase 4: Samovar\n</details>\n\n"
    state = STATE + "\nDecisions: Phase 4 uses brass.\n"
    project = teahouse(roadmap=ROADMAP.replace("## Phases\n", f"{history}## Phases\n"), state=state)
    text = (remove(project, "3").files[".planning/STATE.md"] or b"").decode()
    assert "Phase 4 uses brass" in text and "Phase: 2 of 4 (Cups)" in text


def test_the_files_of_the_teahouse_are_those_that_an_edit_reads() -> None:
    assert {path: teahouse().text_of(path) for path in FILES} == FILES
