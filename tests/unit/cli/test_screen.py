"""Lines for a terminal: broken where it ends, and never inside what will be copied. covers: INV-2"""

from __future__ import annotations

import pytest

from autopilot.reports.live.columns import wrap_lines


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("short\n  a   b\n", "short\n  a   b\n"),
        ("  one two three four five", "  one two three four\n    five"),
        ("  to continue: `autopilot run 1`; or not", "  to continue:\n    `autopilot run 1`;\n    or not"),
        ("  in: .autopilot/diagnostics/phase-1/ it is", "  in:\n    .autopilot/diagnostics/phase-1/\n    it is"),
        ("漢字漢字漢 字漢字漢字", "漢字漢字漢\n    字漢字漢字"),
    ],
)
def test_lines_break_between_words_and_commands_stay_whole(text: str, shown: str) -> None:
    assert wrap_lines(text, 20) == shown
