"""Small pieces of Markdown hold whatever words they are given: a bar or a line end never breaks a table."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from autopilot.reports.markdown import bullets, cell_text, seconds, stamp, table
from tests.unit.making import START


def cells(text: str) -> list[list[str]]:
    """The rows of a table as a Markdown reader sees them."""
    rows: list[list[str]] = []
    for token in MarkdownIt().enable("table").parse(text):
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline" and rows:
            rows[-1].append(token.content)
    return rows


@pytest.mark.parametrize(
    "said",
    ["plain", "a|b", "a\\|b", "grep 'x\\|y' | wc", "two\nlines", "cr\rlf\r\n", "| --- |", "tab\tbed", "\n\n# head\n|"],
)
def test_a_cell_stays_one_cell_whatever_it_says(said: str) -> None:
    rows = cells(table(("A", "B"), [(said, "next"), ("more", "last")]))
    assert [len(row) for row in rows] == [2, 2, 2]
    assert [row[1] for row in rows] == ["B", "next", "last"]


@given(st.text(alphabet=st.sampled_from("a|\\`\n\r\t -#"), max_size=12))
def test_no_text_breaks_out_of_its_cell(said: str) -> None:
    rows = cells(table(("A", "B", "C"), [("first", said, "next")]))
    assert len(rows) == 2
    assert (rows[1][0], rows[1][-1], len(rows[1])) == ("first", "next", 3)


def test_a_cell_reads_as_it_was_said_but_on_one_line() -> None:
    assert cell_text("a  b\n c|d") == "a b c\\|d"


@pytest.mark.parametrize("said", ["a|b", "a\\|b", "a\\\\|b", "a\\\\\\|b"])
def test_a_bar_is_escaped_even_where_its_escape_would_be(said: str) -> None:
    """Readers differ in whether a backslash before a backslash still counts: an odd number is safe with all of them."""
    before = cell_text(said).partition("|")[0]
    assert (len(before) - len(before.rstrip("\\"))) % 2 == 1


def test_a_bullet_is_one_line() -> None:
    assert bullets(["one\n# two", "three"]) == "- one # two\n- three"
    assert bullets([]) == "None."


def test_times_are_written_in_utc_to_the_second() -> None:
    assert stamp(START) == "2025-01-01T12:00:00Z"
    assert stamp(None) == ""
    assert seconds(START, START + timedelta(seconds=61.4)) == 61
    assert seconds(None, START) == 0
