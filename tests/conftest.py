"""Settings for all tests."""

from __future__ import annotations

import gc
import os

import pytest
from hypothesis import settings

from tests.durations import pytest_runtest_logreport, pytest_terminal_summary
from tests.memory import choose_place
from tests.sampling import pytest_collection_modifyitems, pytest_configure
from tests.seed import choose_seed, pytest_report_header
from tests.signals import restore_signals
from tests.spreading import pytest_collection

# Hooks, found here by pytest.
__all__ = [
    "pytest_collection",
    "pytest_collection_modifyitems",
    "pytest_configure",
    "pytest_report_header",
    "pytest_runtest_logreport",
    "pytest_runtestloop",
    "pytest_terminal_summary",
]

# No deadline: how long an example takes says nothing about whether it is right. The blob replays a failure exactly.
settings.register_profile("autopilot", deadline=None, print_blob=True)
# `make quick`: the laws are tried on a few examples; `make test` tries them on all.
settings.register_profile("quick", deadline=None, print_blob=True, max_examples=5)
settings.load_profile("quick" if os.environ.get("AUTOPILOT_QUICK") else "autopilot")

# Laws over whole runs, each with a number of examples of its own: half the time of tests/unit. The states of the
# architecture are drawn from thousands of runs, and change with a flow alone.
SLOW = [
    "tidy/test_states.py",
    "unit/events/test_codec.py",
    "unit/flows/test_beside.py",
    "unit/flows/test_limits.py",
    "unit/flows/test_simulation.py",
    "unit/planning/test_hostile_text.py",
]
collect_ignore = SLOW if os.environ.get("AUTOPILOT_QUICK") else []

choose_place()
choose_seed()
restore_signals()
gc.disable()  # what is imported and collected stays: looking through it for garbage takes half of that time


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    """All tests and modules are here to stay: a collection of garbage need not go through them, which takes 0.2 s."""
    gc.collect()
    gc.freeze()
    gc.enable()
