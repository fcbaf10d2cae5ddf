"""Times on a screen are those of the reader's clock."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from autopilot.reports.local_time import clock_words

NOON = datetime(2026, 1, 31, 12, 5, 9, tzinfo=UTC)


@pytest.fixture
def far_east(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "XST-13")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("far_east")
def test_a_time_is_shown_in_the_readers_zone_with_the_day_where_that_is_another() -> None:
    assert clock_words(NOON) == "01:05 XST"
    assert clock_words(NOON, NOON - timedelta(minutes=30), seconds=True) == "01:05:09 XST"
    assert clock_words(NOON, NOON - timedelta(hours=2)) == "2026-02-01 01:05 XST"
