"""Settings for all tests."""

from __future__ import annotations

from hypothesis import settings

from tests.durations import pytest_runtest_logreport, pytest_terminal_summary
from tests.memory import choose_place
from tests.signals import restore_signals

__all__ = ["pytest_runtest_logreport", "pytest_terminal_summary"]  # hooks, found here by pytest

# No deadline: how long an example takes says nothing about whether it is right. The blob replays a failure exactly.
settings.register_profile("autopilot", deadline=None, print_blob=True)
settings.load_profile("autopilot")

choose_place()
restore_signals()
