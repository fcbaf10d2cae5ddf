"""No answer is longer than it may be, and what was left out is said."""

from __future__ import annotations

import json
from typing import Any

import pytest

from autopilot.mcp_server.bounds import MOST_CHARACTERS, fit, fit_text

# covers: CMD-MCP


def nested(depth: int) -> dict[str, Any]:
    document: dict[str, Any] = {"text": "x" * 100}
    for _ in range(depth):
        document = {"inner": document, "beside": ["y" * 50] * 3}
    return document


LONG: list[dict[str, Any]] = [
    {"lines": ["x" * 300] * 5_000},
    {"text": "x" * 1_000_000},
    {"phases": {str(number): {"why": "y" * 500} for number in range(4_000)}},
    {f"key {number}": "z" * 30 for number in range(100_000)},
    nested(300),
]


def test_what_fits_is_told_whole() -> None:
    document = {"phases": [{"id": "1"}] * 500}
    assert fit(document) is document


@pytest.mark.parametrize("document", LONG, ids=["list", "text", "dict of dicts", "keys", "deep"])
def test_what_is_too_long_is_cut_and_says_so(document: dict[str, Any]) -> None:
    told = fit(document)
    assert len(json.dumps(told, ensure_ascii=False)) <= MOST_CHARACTERS + 200
    assert "shortened" in told


def test_a_list_that_is_cut_counts_what_is_missing() -> None:
    assert fit(LONG[0])["lines"][-1].endswith(" more")


def test_a_report_that_is_too_long_ends_with_what_is_missing() -> None:
    assert fit_text("x" * 50, 60) == "x" * 50
    assert fit_text("x" * 100, 60) == "x" * 60 + "\n… 40 characters more\n"
