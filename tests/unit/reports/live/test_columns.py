"""Widths: what a terminal needs for a text, and lines that never need more than there is."""

from __future__ import annotations

import pytest

from autopilot.reports.live.columns import fit, pad_to_width, shorten_to_width, width_of

# covers: PROG


@pytest.mark.parametrize(
    ("text", "width"),
    [("abc", 3), ("日本", 4), ("e\u0301", 1), ("a\u200bb", 2), ("❤\ufe0f", 2), ("👩\u200d💻", 4), ("·…✓", 3)],
)
def test_a_text_is_as_wide_as_it_is_drawn(text: str, width: int) -> None:
    assert width_of(text) == width


@pytest.mark.parametrize("text", ["short", "日本語日本語日本語", "e\u0301" * 30, "👩\u200d💻 at work on a long name"])
@pytest.mark.parametrize("columns", [1, 2, 7, 12])
def test_padded_it_has_exactly_the_width_and_shortened_never_more(text: str, columns: int) -> None:
    assert width_of(pad_to_width(text, columns)) == columns
    assert width_of(shorten_to_width(text, columns)) <= columns


@pytest.mark.parametrize(
    ("columns", "line"),
    [
        (80, "phase 2 · Find · plan · 0.10 USD"),
        (31, "phase 2 · plan · 0.10 USD"),
        (16, "phase 2 · plan"),
        (9, "phase 2"),
        (5, "phas…"),
    ],
)
def test_what_does_not_fit_goes_the_least_important_first(columns: int, line: str) -> None:
    assert fit((("phase 2", 1), ("Find", 8), ("plan", 2), ("", 1), ("0.10 USD", 4)), columns) == line
