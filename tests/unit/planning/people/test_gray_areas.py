"""Gray areas: phase-specific, no two alike, with enough to ask; the rest is refused (DISC)."""

from __future__ import annotations

from typing import Any

import pytest

from autopilot.model.proposal import GrayArea, GrayAreas
from autopilot.planning.people.gray_areas import check_areas, new_questions

# covers: DISC
NAMES = ("Order of the shelf list", "Flags of the export", "Words of a refusal")


def area(name: str, *questions: str, description: str = "both ways are open") -> GrayArea:
    return GrayArea(name, description, questions or tuple(f"{name}: {n}?" for n in ("one", "two", "three")))


def reply(*areas: GrayArea, **more: Any) -> GrayAreas:
    return GrayAreas(more.get("domain", "RUN"), "it lists books", areas)


GOOD = tuple(area(name) for name in NAMES)


def test_areas_that_only_this_phase_has_are_taken_as_they_are() -> None:
    checked = check_areas(reply(*GOOD))
    assert (checked.domain, checked.areas, checked.problems, checked.complaint) == ("RUN", GOOD, (), "")


@pytest.mark.parametrize(
    "name", ["UI design", "Error handling", "Testing", "the API", "Performance and security", "", "Scope of this phase"]
)
def test_an_area_that_any_phase_could_have_is_left_out(name: str) -> None:
    checked = check_areas(reply(*GOOD, area(name)))
    assert checked.areas == GOOD
    assert "too general" in checked.problems[0]
    assert checked.complaint == "", "three others are enough"


@pytest.mark.parametrize("name", ["Flag design of the export", "Layout style", "Prose-only criteria handling"])
def test_a_general_word_beside_one_of_its_own_does_no_harm(name: str) -> None:
    assert check_areas(reply(*GOOD[:2], area(name))).problems == ()


@pytest.mark.parametrize(
    ("other", "why"),
    [
        (area("The order of the shelf list!"), "another area is about the same"),
        (area("Covers", description=" "), "its description is empty"),
        (area("Covers", "a?", "b?"), "it has 2 questions"),
        (area("Covers", "a?", "A", " a ? ", "b?"), "it has 2 questions"),
        (area("Covers", *GOOD[0].questions), "it has 0 questions that no other area asks"),
        (area("Covers", "What should this phase do?", "b?", "c?"), "the roadmap defines"),
        (area("What the phase does", description="what must the phase include?"), "the roadmap defines"),
    ],
)
def test_an_area_with_a_fault_is_left_out_and_the_fault_named(other: GrayArea, why: str) -> None:
    checked = check_areas(reply(*GOOD, other))
    assert checked.areas == GOOD
    assert why in " ".join(checked.problems)


def test_fewer_than_three_sound_areas_are_worth_asking_again() -> None:
    checked = check_areas(reply(*GOOD[:2], area("UI design")))
    assert checked.areas == GOOD[:2]
    assert checked.complaint.startswith("2 areas can be used; at least 3 are needed; UI design: too general")


def test_more_than_five_areas_and_more_than_four_questions_are_cut() -> None:
    many = [area(f"Shelf {n}", *(f"{n}-{m}?" for m in range(6))) for n in range(7)]
    checked = check_areas(reply(*many))
    assert [each.area for each in checked.areas] == [f"Shelf {n}" for n in range(5)]
    assert {len(each.questions) for each in checked.areas} == {4}


@pytest.mark.parametrize(("said", "known"), [("see", "SEE"), (" READ ", "READ"), ("fun", ""), ("", "")])
def test_a_domain_is_one_of_five(said: str, known: str) -> None:
    checked = check_areas(reply(*GOOD, domain=said))
    assert (checked.domain, bool(checked.complaint)) == (known, not known)


def test_a_question_that_was_asked_is_not_asked_again_in_other_capitals() -> None:
    assert new_questions(["How many?", "HOW   MANY", " why? ", "x" * 700], ["why"]) == ("How many?",)


@pytest.mark.parametrize("essay", [area("Order of " + "x" * 5_000), area("Colour of tides", description="y" * 5_000)])
def test_an_essay_is_no_area_and_is_not_repeated_in_the_complaint(essay: GrayArea) -> None:
    checked = check_areas(reply(*GOOD, essay))
    assert checked.areas == GOOD
    assert "at most 120 characters" in checked.problems[0] and len(checked.problems[0]) < 300


def test_after_the_fifth_sound_area_nobody_reads_on() -> None:
    many = tuple(area(f"Tide number{n}") for n in range(300))
    assert check_areas(reply(*many)).areas == many[:5]
