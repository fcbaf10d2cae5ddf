"""Marks that are alike too often: three, five and seven in a row within 0.2 (CHK-5)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.rails.rubber_stamp import Uniform, uniform

# covers: CHK-5


@pytest.mark.parametrize(
    ("scores", "found"),
    [
        ([], None),
        ([9.2], None),
        ([9.2, 9.2], None),
        ([9.2, 9.2, 9.2], Uniform(1, 3, 9.2, 9.2)),
        ([9.0, 9.1, 9.2], Uniform(1, 3, 9.0, 9.2)),
        ([9.4, 9.2, 9.3], Uniform(1, 3, 9.2, 9.4)),  # 0.2 apart, although not in binary
        ([9.0, 9.1, 9.3], None),
        ([9.1, 9.2, 9.3, 9.4], Uniform(1, 3, 9.2, 9.4)),  # a slow drift is no uniform row: its spread counts
        ([9.2] * 4, Uniform(1, 4, 9.2, 9.2)),
        ([9.2] * 5, Uniform(2, 5, 9.2, 9.2)),
        ([9.2] * 6, Uniform(2, 6, 9.2, 9.2)),
        ([9.2] * 7, Uniform(3, 7, 9.2, 9.2)),
        ([9.2] * 12, Uniform(3, 12, 9.2, 9.2)),
        ([7.0, 9.2, 9.2, 9.2], Uniform(1, 3, 9.2, 9.2)),
        ([9.2, 9.2, 9.2, 7.0], None),  # the last one broke the row
        ([9.2, 9.2, float("nan")], None),
    ],
)
def test_a_row_of_like_scores_is_counted_back_from_the_last(scores: list[float], found: Uniform | None) -> None:
    assert uniform(scores) == found


@given(st.lists(st.decimals(0, 10, places=1).map(float), max_size=12))
def test_what_is_found_is_the_end_of_the_row_and_within_the_spread(scores: list[float]) -> None:
    found = uniform(scores)
    if found is None:
        assert len(scores) < 3 or max(scores[-3:]) - min(scores[-3:]) > 0.2
        return
    row = scores[-found.count :]
    assert (found.low, found.high) == (min(row), max(row))
    assert round(found.high - found.low, 6) <= 0.2
    assert (
        found.count == len(scores) or round(max(scores[-found.count - 1 :]) - min(scores[-found.count - 1 :]), 6) > 0.2
    )
