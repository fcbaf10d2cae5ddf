"""Clauses of a goal: found one by one, and those named that no check has the words of. covers: T8.unseen"""

from __future__ import annotations

import pytest

from autopilot.planning.spec.clauses import read_clauses, unasked

GOAL = "Add `slugify` that lowercases, strips accents and truncates to 50 characters. It raises ValueError when empty."


def test_a_sentence_is_read_as_the_things_it_asks_for() -> None:
    assert read_clauses([GOAL]) == (
        "Add `slugify` that lowercases",
        "strips accents",
        "and truncates to 50 characters",
        "It raises ValueError",
        "when empty",
    )


def test_where_and_how_in_one_word_belong_to_what_stands_before_them() -> None:
    text = "The dearest item can be found, in Python and from a terminal, and is shown in red letters."
    assert read_clauses([text]) == (
        "The dearest item can be found, in Python and from a terminal",
        "is shown in red letters",
    )


def test_list_items_are_clauses_and_code_is_not_cut() -> None:
    text = "The page:\n- loads `a, b and c` at once\n- remembers the last one\n"
    assert read_clauses([text]) == ("The page", "loads `a, b and c` at once", "remembers the last one")


@pytest.mark.parametrize(
    ("checks", "left"),
    [
        ([], read_clauses([GOAL])),
        (["def test_slugify_lowercases", "assert slugify('É') # accents are stripped"], read_clauses([GOAL])[2:]),
        (["test_slugify_lowercase", "stripAccents", "truncated[:50]", "raises(ValueError)", "test_empty"], ()),
    ],
)
def test_what_no_check_has_the_words_of_is_named(checks: list[str], left: tuple[str, ...]) -> None:
    assert unasked(read_clauses([GOAL]), checks) == left


def test_words_that_all_clauses_share_tell_nothing() -> None:
    clauses = read_clauses(["Invoices are exported as CSV; invoices are archived"])
    assert unasked(clauses, ["test_invoices_exported_csv"]) == ("invoices are archived",)


def test_words_without_content_ask_for_nothing() -> None:
    assert read_clauses(["No regressions in what was there", "It works.", ""]) == ()
