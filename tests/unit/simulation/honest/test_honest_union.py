"""Keeping both sides of a conflict: nothing is lost, and markers that do not add up are left alone (SPLIT)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.simulation.honest.conflict import keep_both

# covers: SPLIT


def conflict(ours: str, theirs: str, base: str | None = None) -> str:
    middle = "" if base is None else f"||||||| merged common ancestors\n{base}"
    return f"<<<<<<< HEAD\n{ours}{middle}=======\n{theirs}>>>>>>> part-b\n"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a\n" + conflict("b\n", "c\n") + "d\n", "a\nb\nc\nd\n"),
        (conflict("b\n", "c\n", base="old\n"), "b\nc\n"),
        (conflict("same\n", "same\n"), "same\n"),
        (conflict("", "c\n"), "c\n"),
        (conflict("b\n", "") + conflict("x\n", "y\n"), "b\nx\ny\n"),
        (conflict("b\r\n", "c\r\n").replace("\n", "\r\n").replace("\r\r", "\r"), "b\r\nc\r\n"),
        ("Title\n=======\n" + conflict("b\n", "c\n"), "Title\n=======\nb\nc\n"),
        (conflict("b\n", "c\n").rstrip("\n"), "b\nc\n"),
    ],
    ids=["plain", "with base", "equal", "one side", "two", "crlf", "heading", "no line end"],
)
def test_both_sides_are_kept_in_their_order(text: str, kept: str) -> None:
    assert keep_both(text.encode()) == kept.encode()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no conflict\n",
        "<<<<<<< HEAD\nb\n",
        "<<<<<<< HEAD\nb\n=======\nc\n",
        "<<<<<<< HEAD\nb\n>>>>>>> part\n",
        "b\n>>>>>>> part\n",
        "<<<<<<< HEAD\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> part\n",
    ],
)
def test_markers_that_do_not_add_up_are_nothing_to_resolve(text: str) -> None:
    assert keep_both(text.encode()) is None


LINES = st.lists(
    st.binary(max_size=6).map(lambda line: line.replace(b"\n", b"").replace(b"\r", b"") + b"\n"), max_size=4
)


@given(before=LINES, ours=LINES, theirs=LINES, after=LINES)
def test_no_line_of_either_side_is_lost(
    before: list[bytes], ours: list[bytes], theirs: list[bytes], after: list[bytes]
) -> None:
    marked = [b"<<<<<<< a\n", *ours, b"=======\n", *theirs, b">>>>>>> b\n"]
    middle = ours if ours == theirs else ours + theirs
    assert keep_both(b"".join([*before, *marked, *after])) == b"".join([*before, *middle, *after])
