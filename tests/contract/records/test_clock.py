"""Every clock tells the present moment in UTC."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from autopilot.adapters.clock import SteppedClock, SystemClock
from autopilot.ports.clock import Clock


@pytest.mark.parametrize("clock", [SystemClock(), SteppedClock()])
def test_a_clock_tells_utc_and_does_not_stand_behind_its_last_word(clock: Clock) -> None:
    first, second = clock.now(), clock.now()
    assert first.tzinfo == UTC
    assert second >= first


def test_the_stepped_clock_steps_evenly_from_its_start() -> None:
    start = datetime(2025, 3, 1, tzinfo=UTC)
    clock = SteppedClock(start, timedelta(minutes=5))
    assert [clock.now() for _ in range(3)] == [start, start + timedelta(minutes=5), start + timedelta(minutes=10)]
