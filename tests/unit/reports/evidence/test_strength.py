"""What is said of evidence that only looks."""

from __future__ import annotations

import pytest

from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.planning.criterion import Strength
from autopilot.reports.evidence.strength import LOOKS, PRINTED, weigh


@pytest.mark.parametrize(
    ("command", "weak"),
    [
        ("grep -q Ada notes.txt", LOOKS),
        ('test "$(grep -c Ada notes.txt)" = 1', LOOKS),
        ('test "$(./greet Ada)" != Bob', PRINTED),
        ("[ `./greet Ada` = Ada ]", PRINTED),
    ],
)
def test_text_in_files_is_blamed_only_where_no_program_ran(command: str, weak: str) -> None:
    seen = Observation("c1", command, "commit", Seen.PASSED, Strength.GREP)
    assert weigh(seen, None).weak == (weak,)
