"""A text that was only added to has every line it had, in its order.

covers: AL-3
"""

from __future__ import annotations

import pytest

from autopilot.planning.issue.added_lines import only_adds


@pytest.mark.parametrize(
    ("before", "now", "only"),
    [
        ("a\nb\n", "a\nb\nc\n", True),
        ("a\nb\n", "x\na\ny\nb\n", True),
        ("a\nb", "a\nb\nc\n", True),
        ("", "a\n", True),
        ("a\nb\n", "b\na\n", False),
        ("a\nb\n", "a\n", False),
        ("a\na\n", "a\n", False),
        ("a = 1\n", "a = 2\n", False),
    ],
)
def test_lines_may_be_added_and_none_taken_away(before: str, now: str, only: bool) -> None:
    assert only_adds(before, now) is only
