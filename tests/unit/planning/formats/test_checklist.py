"""fix_plan.md and plain check lists: a box is a phase under a name that stays. covers: FMT-LISTS"""

from __future__ import annotations

import pytest

from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.formats.checklist.checklist import CHECKLIST, FIX_PLAN
from tests.unit.planning.formats.kit import changed_lines, marked, outline, phase, said, stands

PLAN = """# Ralph Fix Plan

## High Priority
- [ ] Boil the **water** quickly
  - [x] 1.1 Fill it
  - [ ] 1.2 Heat it
- [ ] **#7** Pour

## Low Priority
- [x] T12: Stir
- [ ] Boil the water quickly
- [ ] 10 cups are washed

## Out of scope
- [ ] Coffee

## Completed
- [x] Bought
- [ ] Nearly

## Notes
- Focus
"""
WORLD = {"@fix_plan.md": PLAN}


def test_each_box_at_the_margin_is_a_phase_and_those_below_it_are_its_tasks() -> None:
    made = outline(FIX_PLAN, WORLD)
    assert list(stands(made).items()) == [
        ("boil-the-water-quickly", "open"),
        ("7", "open"),
        ("T12", "done"),
        ("boil-the-water-quickly-2", "open"),
        ("10-cups-are-washed", "open"),
        ("coffee", "dropped"),
        ("bought", "done"),
        ("nearly", "open"),
    ]
    listed = made.listed[PhaseId("boil-the-water-quickly")]
    assert [task.id for task in listed.plan.tasks] == ["1.1", "1.2"] and listed.done == {"1.1"}
    assert list(made.listed) == ["boil-the-water-quickly"]
    assert phase(made, "7").name == "Pour"


def test_names_stay_when_work_is_added_above() -> None:
    more = {"@fix_plan.md": PLAN.replace("- [ ] Boil the **water**", "- [ ] Wash up first\n- [ ] Boil the **water**")}
    assert {*stands(outline(FIX_PLAN, WORLD))} == {*stands(outline(FIX_PLAN, more))} - {"wash-up-first"}


def test_names_in_other_scripts_get_letters_of_their_hash() -> None:
    made = outline(CHECKLIST, {"TODO.md": "- [ ] 泡茶\n- [ ] Préparer le thé\n"})
    first, second = stands(made)
    assert first.startswith("phase-x") and second == "preparer-le-the"


def test_a_ticked_box_above_an_empty_one_is_not_done() -> None:
    made = outline(CHECKLIST, {"TODO.md": "- [x] A\n  - [ ] b\n"})
    assert stands(made) == {"a": "open"}
    assert "its own box is ticked" in str(phase(made, "a").standing)


def test_the_box_of_the_phase_is_ticked_with_the_last_of_its_tasks() -> None:
    assert changed_lines(WORLD, marked(FIX_PLAN, WORLD, "7")) == {"@fix_plan.md": {7: "- [x] **#7** Pour"}}
    assert marked(FIX_PLAN, WORLD, "boil-the-water-quickly") == WORLD
    assert changed_lines(WORLD, marked(FIX_PLAN, WORLD, "boil-the-water-quickly", "1.2")) == {
        "@fix_plan.md": {4: "- [x] Boil the **water** quickly", 6: "  - [x] 1.2 Heat it"}
    }


def test_only_named_places_count_and_of_several_the_first() -> None:
    assert FIX_PLAN.find(["docs/fix_plan.md", "TODO.md"]) == ()
    assert CHECKLIST.find(["docs/TODO.md", "NOTES.md"]) == ()
    made = outline(FIX_PLAN, {"fix_plan.md": "- [ ] A\n", ".ralph/fix_plan.md": "- [ ] B\n"})
    assert stands(made) == {"b": "open"}
    assert said(made) == ["fix_plan.md: .ralph/fix_plan.md is read instead of it"]
    assert said(outline(CHECKLIST, {"TODO.md": "- milk\n"})) == ["TODO.md: no box (`- [ ] text`) was found"]


@pytest.mark.parametrize("title", ["Won't do", "Won’t do", "Wonʼt fix", "OUT OF SCOPE"])
def test_what_is_given_up_is_not_run_whichever_apostrophe_says_so(title: str) -> None:
    assert stands(outline(CHECKLIST, {"TODO.md": f"- [ ] Tea\n\n## {title}\n- [ ] Coffee\n"})) == {
        "tea": "open",
        "coffee": "dropped",
    }


def test_a_box_without_a_text_is_no_phase() -> None:
    made = outline(CHECKLIST, {"TODO.md": "- [ ] Tea\n- [ ] \n- [ ]\n  - [ ] Pour\n"})
    assert list(stands(made)) == ["tea", "phase-x02195b8e"]
    assert said(made) == ["TODO.md:2: the box has no text: left out"]
