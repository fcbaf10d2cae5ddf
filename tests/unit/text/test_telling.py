"""Of what a command printed, the lines that are worth showing."""

from __future__ import annotations

from autopilot.text.telling import telling_lines


def test_the_last_lines_and_what_names_an_error_before_them_are_shown() -> None:
    printed = "\n".join(("start", "E   ImportError: no b", "  more", "one", "", "two ", "three"))
    assert telling_lines(printed) == ("E   ImportError: no b", "one", "two", "three")
    assert telling_lines("") == ()
