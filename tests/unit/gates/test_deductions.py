"""What a phase lost points for, biggest first, and where to mend it (CENF-05, RATE)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from autopilot.gates.score import Card, compute_score, deductions
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.ruling import Deduction
from tests.unit.making import make_rating, make_score, make_verdict

# covers: RATE, CENF-05
FAIL = make_verdict(Outcome.FAIL, because="the check failed after the change")


def test_each_names_the_points_the_reason_and_the_file_and_the_biggest_comes_first() -> None:
    rating = make_rating(
        make_score("a", 9.6), make_score("b", 9.0), make_score("c", 10.0), make_score("d", 9.5, "well")
    )
    why = "the check failed after the change (the rater: seen)"
    assert deductions(Card(rating, {"b": FAIL}), files={"d": ("shelf/d.py",)}) == (
        Deduction("b", 4.9, 5.1, 1.27, why, "shelf/a.py"),
        Deduction("d", 6.9, 3.1, 0.77, "no file and line is named as evidence (the rater: seen)", "shelf/d.py"),
        Deduction("a", 9.6, 0.4, 0.1, "seen", "shelf/a.py"),
    )


def test_what_weighs_more_comes_before_what_lost_more() -> None:
    rating = make_rating(make_score("a", 6.0), make_score("b", 8.0))
    found = deductions(Card(rating, {}, weights={"b": 4.0}))
    assert [(each.criterion, each.lost, each.impact) for each in found] == [("b", 2.0, 1.6), ("a", 4.0, 0.8)]


def test_a_criterion_that_was_not_scored_lost_everything() -> None:
    (found,) = deductions(Card(make_rating(), {}, ("it lasts",)), commands={"it lasts": "pytest tests/test_last.py"})
    assert found == Deduction("it lasts", 0.0, 10.0, 10.0, "it was not scored", "tests/test_last.py")


def test_of_two_scores_of_one_criterion_the_lower_tells_why() -> None:
    low = replace(make_score("a", 5.0, "low.py:1"), justification="half of it is missing")
    (found,) = deductions(Card(make_rating(make_score("a", 9.0), low), {}))
    assert (found.score, found.why, found.file) == (5.0, "half of it is missing", "low.py")


def test_a_criterion_is_spelled_as_it_was_asked_for_however_the_rater_writes_it() -> None:
    (found,) = deductions(Card(make_rating(make_score("A  Shelf holds", 8.0)), {}, ["a shelf\nholds"]))
    assert found.criterion == "a shelf\nholds"
    (found,) = deductions(Card(make_rating(make_score("A Shelf holds", 8.0)), {}))
    assert found.criterion == "A Shelf holds"


def test_a_card_without_a_reason_says_so() -> None:
    (found,) = deductions(Card(make_rating(replace(make_score(score=8.0), justification=" ")), {}))
    assert found.why == "no reason was given"


@pytest.mark.parametrize(
    ("evidence", "command", "files", "file"),
    [
        ("see src/a.py:12", "make", ("b.py",), "src/a.py"),
        ("see ./a.py:12-14", "make", ("b.py",), "a.py"),
        ("fine", "pytest tests/b.test.ts -q", ("a.py", "tests/b.test.ts"), "tests/b.test.ts"),  # in both: that one
        ("fine", "pytest tests/other.py", ("`./a.py`",), "a.py"),
        ("fine", "grep -q 'x' ./src/deep/mod.rs", (), "src/deep/mod.rs"),
        ("fine", "python -c \"import json; json.load(open('data/shelf.json'))\"", (), "data/shelf.json"),
        ("fine", "cat shelf.json", (), "shelf.json"),
        ("fine", "make test --flag.x", (), ""),
        ("fine", "make test", (), ""),
        ("fine", "", (), ""),
        ("http://localhost:3000 answers", "make", (), ""),
    ],
)
def test_the_place_comes_from_the_evidence_else_the_command_or_the_task(
    evidence: str, command: str, files: tuple[str, ...], file: str
) -> None:
    rating = make_rating(make_score("a", 6.0, evidence))
    (found,) = deductions(Card(rating, {}), commands={"a": command}, files={"a": files})
    assert found.file == file


@given(st.lists(st.decimals(0, 10, places=1).map(float), min_size=1, max_size=6))
def test_the_impacts_explain_the_score(marks: list[float]) -> None:
    rating = make_rating(*(make_score(f"c{n}", mark) for n, mark in enumerate(marks)))
    found = deductions(Card(rating, {}))
    assert len(found) == sum(mark < 10 for mark in marks)
    assert [each.impact for each in found] == sorted((each.impact for each in found), reverse=True)
    assert compute_score(Card(rating, {})) + sum(each.impact for each in found) <= 10.0 + 1e-9
    assert compute_score(Card(rating, {})) + sum(each.impact for each in found) > 10.0 - 0.1 - 0.01 * len(marks) - 1e-9
