"""A criterion is known by its id within a phase and by its words to people and reviewers: one rule, here."""

from __future__ import annotations

import pytest

from autopilot.model.planning.criterion import Form, Kind, Origin, as_already, criterion_id, identity, keep
from tests.unit.making import make_criterion


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("it works", "it works", True),
        ("It Works", "it works", True),
        ("it\n  works ", "it works", True),
        ("STRASSE is found", "straße is found", True),
        ("it works.", "it works", False),
        ("it  works not", "it works", False),
    ],
)
def test_two_texts_name_one_criterion_whatever_their_case_and_spacing(one: str, other: str, same: bool) -> None:
    assert (identity(one) == identity(other)) is same
    assert (make_criterion(text=one).identity == make_criterion("phase.c1", text=other).identity) is same


@pytest.mark.parametrize("mention", ["it works", "IT\nworks", "01-01.c1", " 01-01.C1 "])
def test_a_reviewer_names_a_criterion_by_its_words_or_its_id(mention: str) -> None:
    assert make_criterion().is_named_by(mention)
    assert not make_criterion("01-01.c2", "it stops").is_named_by(mention)


@pytest.mark.parametrize(
    ("id", "task", "origin"),
    [
        ("02-01.c1", "02-01", Origin.PLAN),
        ("6.1-02.s3", "6.1-02", Origin.PLAN),
        ("phase.c2", "", Origin.ROADMAP),
        (criterion_id("02-r1.2", 4, "k"), "02-r1.2", Origin.PLAN),
    ],
)
def test_its_id_says_which_task_promises_it_or_that_the_roadmap_does(id: str, task: str, origin: Origin) -> None:
    criterion = make_criterion(id)
    assert (criterion.task, criterion.origin) == (task, origin)


def test_two_criteria_have_the_same_check_when_they_run_the_same_and_expect_the_same() -> None:
    assert make_criterion(text="a", command="make").check == make_criterion(text="b", command="make").check
    assert make_criterion(command="make").check != make_criterion(command="Make").check
    one, other = (make_criterion(text=text, form=Form.PROSE, command="") for text in ("It works", "it works"))
    assert one.check == other.check


def test_what_another_task_must_keep_is_asked_of_that_task_and_is_not_new() -> None:
    kept = keep([make_criterion("01-01.c1"), make_criterion("01-02.c1")], "01-r1")
    assert [(each.id, each.kind) for each in kept] == [("01-r1.k1", Kind.KEEP), ("01-r1.k2", Kind.KEEP)]


def test_only_what_was_to_be_new_becomes_already_there() -> None:
    new, other, kept = (
        make_criterion(f"01-01.c{n}", kind=kind) for n, kind in enumerate((Kind.NEW, Kind.NEW, Kind.KEEP))
    )
    assert [each.kind for each in as_already([new, other, kept])] == [Kind.ALREADY, Kind.ALREADY, Kind.KEEP]
    assert [each.kind for each in as_already([new, other, kept], {new.id, kept.id})] == [
        Kind.ALREADY,
        Kind.NEW,
        Kind.KEEP,
    ]
