"""Every clock tells the present moment in UTC."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from autopilot.adapters.clock import SteppedClock, SystemClock
from autopilot.ports.clock import Clock

A_DAY_S, A_YEAR_S = 86_400.0, 365 * 86_400.0
START = datetime(2025, 3, 1, tzinfo=UTC)


class Machine:
    """A wall clock that somebody sets, and the seconds since the start, which nobody can set."""

    def __init__(self) -> None:
        self.wall_s, self.counted_s = START.timestamp(), 1_000.0

    def clock(self) -> SystemClock:
        return SystemClock(lambda: self.wall_s, lambda: self.counted_s)

    def let_pass(self, seconds: float) -> None:
        self.wall_s += seconds
        self.counted_s += seconds


@pytest.mark.parametrize("step_s", [-A_DAY_S, A_YEAR_S, -0.3, 0.3])
def test_a_wall_clock_that_is_set_meanwhile_moves_no_deadline(step_s: float) -> None:
    """No deadline may be on the wall clock."""
    machine = Machine()
    clock = machine.clock()
    machine.let_pass(10)
    machine.wall_s += step_s
    machine.let_pass(20)
    assert clock.now() == START + timedelta(seconds=30)
    assert machine.clock().now() == START + timedelta(seconds=30 + step_s), (
        "the next process begins with the wall clock"
    )


@pytest.mark.parametrize("clock", [SystemClock(), SteppedClock()])
def test_a_clock_behind_the_record_goes_on_from_there(clock: Clock) -> None:
    ahead = clock.now() + timedelta(days=365)
    clock.catch_up(ahead)
    first = clock.now()
    assert ahead - timedelta(milliseconds=1) <= first < ahead + timedelta(minutes=10)
    clock.catch_up(ahead - timedelta(days=1))
    assert clock.now() >= first, "what is past is no reason to go back"


@pytest.mark.parametrize("clock", [SystemClock(), SteppedClock()])
def test_a_clock_tells_utc_and_does_not_stand_behind_its_last_word(clock: Clock) -> None:
    first, second = clock.now(), clock.now()
    assert first.tzinfo == UTC
    assert second >= first


def test_the_stepped_clock_steps_evenly_from_its_start() -> None:
    start = datetime(2025, 3, 1, tzinfo=UTC)
    clock = SteppedClock(start, timedelta(minutes=5))
    assert [clock.now() for _ in range(3)] == [start, start + timedelta(minutes=5), start + timedelta(minutes=10)]
