"""How often people are asked, and how their verdicts move the threshold (STAT-04)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.rails.deferral import START, adjust_threshold, defer_rate, warn_of_deferrals

# covers: STAT-04
PASS, FAIL, ISSUES = "pass", "fail", "issues_found"


@pytest.mark.parametrize(
    ("deferred", "processed", "rate", "warns"),
    [
        (0, 0, 0.0, False),
        (1, 1, 1.0, False),  # one phase is no rate
        (0, 2, 0.0, False),
        (1, 2, 0.5, True),
        (1, 20, 0.05, False),  # exactly the target
        (1, 19, 1 / 19, True),
    ],
)
def test_a_high_share_of_waiting_phases_is_warned_of(deferred: int, processed: int, rate: float, warns: bool) -> None:
    assert defer_rate(deferred, processed) == rate
    warning = warn_of_deferrals(deferred, processed)
    assert (f"{deferred} of {processed} phases were left to a person; the target is at most 5%" == warning) is warns
    assert bool(warning) is warns


def test_the_target_can_be_another() -> None:
    assert warn_of_deferrals(1, 4, target=0.25) == ""
    assert warn_of_deferrals(1, 3, target=0.25)


@pytest.mark.parametrize(
    ("current", "verdicts", "new"),
    [
        (6.0, [], None),
        (6.0, [PASS, PASS], None),  # too few to learn from
        (6.0, [PASS, PASS, PASS], 5.5),
        (6.0, [PASS] * 4 + [FAIL], None),  # exactly 80 %
        (6.0, [PASS] * 5 + [FAIL], 5.5),
        (6.0, [PASS] * 7 + [FAIL] * 3, None),  # exactly 70 %
        (6.0, [PASS] * 2 + [ISSUES], 6.5),
        (6.0, [FAIL, FAIL, FAIL], 6.5),
        (6.0, [PASS] * 3 + [ISSUES], None),  # 75 %
        (3.0, [PASS] * 3, None),
        (3.2, [PASS] * 3, 3.0),
        (8.0, [FAIL] * 3, None),
        (7.8, [FAIL] * 3, 8.0),
        (9.0, [FAIL] * 3, None),  # a value of the user's beyond the bounds is never moved the wrong way
        (2.0, [PASS] * 3, None),
    ],
)
def test_verdicts_move_the_threshold_by_half_a_point(current: float, verdicts: list[str], new: float | None) -> None:
    found = adjust_threshold(current, verdicts)
    assert (found.new if found else None) == new
    assert found is None or (found.old == current and f"of {len(verdicts)} deferred phases" in found.because)


@given(st.lists(st.lists(st.sampled_from([PASS, FAIL, ISSUES]), max_size=8), max_size=12))
def test_from_its_start_the_threshold_stays_within_its_bounds(runs: list[list[str]]) -> None:
    threshold = START
    for verdicts in runs:
        found = adjust_threshold(threshold, verdicts)
        assert found is None or abs(found.new - threshold) == 0.5
        threshold = found.new if found else threshold
        assert 3.0 <= threshold <= 8.0
