"""A command that takes its time says what it is at: live on a terminal, and plain lines elsewhere. covers: INV-2"""

from __future__ import annotations

import io
import os
from datetime import UTC, datetime, timedelta

from autopilot.cli.waiting import waiting
from tests.scenario.kit.looking import wait_until


class Terminal(io.StringIO):
    """Keeps what is written; its settings are those of a real terminal."""

    def __init__(self) -> None:
        super().__init__()
        self.ends = os.openpty()

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return self.ends[1]


class Clock:
    def __init__(self) -> None:
        self.moment = datetime(2026, 1, 1, tzinfo=UTC)

    def now(self) -> datetime:
        return self.moment

    def catch_up(self, moment: datetime) -> None:
        raise AssertionError(moment)

    def nap(self, seconds: float) -> None:
        self.moment += timedelta(seconds=seconds)


def test_what_is_at_work_is_shown_with_its_time_below_what_was_said() -> None:
    clock, terminal = Clock(), Terminal()
    with waiting(clock, stream=terminal) as report:
        report("trying setup: make")
        clock.nap(40)
        wait_until(lambda: "  trying setup: make · 40s" in terminal.getvalue(), "the live line")
        report("trying test: make test")
    assert "trying test: make test ·" not in terminal.getvalue(), "what has just begun needs no line"


def test_without_a_terminal_only_the_lines_are_printed() -> None:
    clock, pipe = Clock(), io.StringIO()
    with waiting(clock, stream=pipe) as report:
        report("trying setup: make")
        clock.nap(40)
        report("trying test: make test")
    assert pipe.getvalue() == "trying setup: make\ntrying test: make test\n"
