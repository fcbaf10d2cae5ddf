"""The live lines below the progress: never nothing while something is done, and never more than there is room for."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from autopilot.adapters.home import Home
from autopilot.adapters.sandbox.proctree import Process, identify
from autopilot.adapters.sandbox.registry import Registry, read_running
from autopilot.cli.footer import Footer

# covers: PROG
START = datetime(2026, 1, 1, tzinfo=UTC)


class Ticking:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.time = START

    def now(self) -> datetime:
        return self.time

    def catch_up(self, time: datetime) -> None: ...

    def sleep(self, seconds: float) -> None: ...


@pytest.mark.parametrize(("seconds", "lines"), [(0, []), (1, []), (45, ["preparing the run · 45s"])])
def test_before_a_run_has_begun_it_is_said_that_it_is_prepared(tmp_path: Path, seconds: int, lines: list[str]) -> None:
    clock = Ticking()
    footer = Footer(Home(tmp_path), clock)
    clock.time += timedelta(seconds=seconds)
    assert footer.lines(80) == lines


def test_only_commands_that_are_to_be_shown_and_are_alive_are_listed(tmp_path: Path) -> None:
    own = identify(os.getpid())
    assert own is not None
    registry = Registry(tmp_path)
    registry.add(own, 1, "run/1/verify", shown="make test")
    assert [shown for shown, _ in read_running(tmp_path / "processes")] == ["make test"]
    registry.add(Process(99_999_999, 1), 2, "run/1/verify", shown="gone")
    assert [shown for shown, _ in read_running(tmp_path / "processes")] == ["make test"]
    registry.add(own, 1, "run/1/execute")
    assert read_running(tmp_path / "processes") == []
    assert read_running(tmp_path / "nowhere") == []
