"""Which planning format counts: by place and by a fixed order, or by what the user has written. covers: FMT-01"""

from __future__ import annotations

import pytest

from autopilot.model.errors import UsageError
from autopilot.model.planning.outline import SpanEdit
from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.formats.marking import apply_edits, tick_box
from autopilot.planning.formats.registry import choose_format, find_formats, rival_places, taken_over
from autopilot.planning.plan.folders import find_folder
from autopilot.planning.plan.split import sub_phase_id
from autopilot.planning.roadmap.phase_id import carry_id, folder_prefix, sort_key
from tests.unit.planning.formats.places import BOTH, named_phase


def test_a_roadmap_of_gsd_comes_first_then_the_formats_in_their_order() -> None:
    found = find_formats(BOTH)
    assert list(found) == ["spec-kit", "task-master"]
    chosen = choose_format(found, roadmap=True)
    assert (chosen.format, chosen.others) == (None, ("spec-kit", "task-master"))
    assert "gsd is used" in chosen.describe()
    without = choose_format(found, roadmap=False)
    assert without.format is not None
    assert (without.format.name, without.others) == ("spec-kit", ("task-master",))
    assert without.paths == ("specs/001-x/spec.md",)


def test_files_that_would_count_before_those_of_a_project_are_named_unless_some_were_there_before() -> None:
    before = ("TODO.md", "a.py", "backlog/config.yml")
    after = (*before, "ROADMAP.md", "specs/001-x/spec.md", "prd.json", "backlog/tasks/task-1 - x.md", "docs/a.md")
    mine = ["ROADMAP.md", "specs/001-x/spec.md", "backlog/config.yml", "backlog/tasks/task-1 - x.md", "prd.json"]
    assert list(taken_over("checklist", before, after)) == mine
    assert list(taken_over("task-master", before, after)) == mine[:2]
    assert list(taken_over("checklist", ("ROADMAP.md", "specs/002-y/tasks.md"), after)) == mine[2:]
    assert {"ROADMAP.md", "specs", "prd.json"} <= set(rival_places("checklist"))
    assert "prd.json" not in rival_places("backlog")


def test_the_user_chooses_and_a_wrong_choice_is_refused() -> None:
    found = find_formats(BOTH)
    chosen = choose_format(found, roadmap=True, wanted="task-master")
    assert chosen.format is not None
    assert (chosen.format.name, chosen.others) == ("task-master", ("gsd", "spec-kit"))
    assert choose_format(found, roadmap=True, wanted="gsd").format is None
    with pytest.raises(UsageError, match="no such planning files are here") as refused:
        choose_format(found, roadmap=False, wanted="gsd")
    assert "here: spec-kit, task-master" in refused.value.hint


def test_where_there_is_nothing_to_choose_nothing_is_described() -> None:
    assert choose_format({}, roadmap=True).describe() == ""
    assert choose_format({"spec-kit": ("specs/1-x/spec.md",)}, roadmap=False).describe() == ""


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("001", "1"),
        (" 4.2 ", "4.2"),
        ("add-login", "add-login"),
        ("US-001", "US-001"),
        ("2026-03-01-x", "2026-03-01-x"),
    ],
)
def test_an_id_of_another_tool_is_a_number_or_a_name(text: str, id: str) -> None:
    assert carry_id(text) == id


@pytest.mark.parametrize("text", ["all", "next", "3-7", "fix-1", "audit", "v1.2", "日本", "a/../b", "x" * 70, ""])
def test_what_could_be_mistaken_gets_letters_of_its_hash_and_stays_the_same(text: str) -> None:
    id = carry_id(text)
    assert id == carry_id(text) != text
    assert carry_id(id) == id
    assert carry_id(f"{text}!") != id


def test_a_named_phase_sorts_after_numbers_and_has_a_folder_of_its_name() -> None:
    name = carry_id("add-login")
    assert sort_key(PhaseId("999999")) < sort_key(name) < sort_key(carry_id("b"))
    assert folder_prefix(name) == "add-login"
    assert sub_phase_id(name, 0) == "add-login.a"
    paths = [".planning/phases/add-login-2fa/PLAN.md", ".planning/phases/add-login/PLAN.md"]
    assert find_folder(paths, named_phase("add-login")) == ".planning/phases/add-login"
    assert find_folder([], named_phase("add-login")) == ".planning/phases/add-login"


def test_edits_of_one_file_are_put_in_together_and_must_not_overlap() -> None:
    texts = {"a": "one two", "b": "three"}
    edits = [SpanEdit("a", 4, 7, "2"), SpanEdit("a", 0, 3, "1"), SpanEdit("b", 0, 5, "three")]
    assert apply_edits(texts, edits) == {"a": "1 2"}
    with pytest.raises(AssertionError):
        apply_edits(texts, [SpanEdit("a", 0, 3, ""), SpanEdit("a", 2, 4, "")])


def test_only_an_empty_box_is_ticked() -> None:
    assert tick_box("a", "- [ ] x", 0) == SpanEdit("a", 3, 4, "x")
    assert tick_box("a", "- [x] x", 0) is None
    assert tick_box("a", "text [ ]", 0) is None


def test_a_plain_check_list_counts_only_where_nothing_else_is_or_where_it_is_named() -> None:
    """covers: FMT-LISTS"""
    found = {"openspec": ("openspec/changes/a/tasks.md",), "checklist": ("TODO.md",)}
    chosen = choose_format(found, roadmap=False)
    assert chosen.format is not None and (chosen.format.name, chosen.others) == ("openspec", ())
    assert choose_format({"checklist": ("TODO.md",)}, roadmap=True).describe() == ""
    alone = choose_format({"checklist": ("TODO.md",)}, roadmap=False).format
    named = choose_format(found, roadmap=True, wanted="checklist")
    assert alone is not None and alone is named.format
    assert named.others == ("gsd", "openspec")
