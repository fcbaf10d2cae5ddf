"""The seed by which tests choose among many: another one each day, printed, and repeated by ``AUTOPILOT_SEED``."""

from __future__ import annotations

import os
import random
import time

NAME = "AUTOPILOT_SEED"
DAY_S = 24 * 60 * 60


def choose_seed() -> None:
    """Once for a run: workers inherit what the first process chose, also when midnight passes meanwhile."""
    os.environ.setdefault(NAME, str(int(time.time()) // DAY_S))


def seed() -> str:
    return os.environ[NAME]


def chance(purpose: str) -> random.Random:
    """For one purpose, so that what a test draws does not depend on which others ran."""
    return random.Random(f"{seed()} {purpose}")


def pytest_report_header() -> str:
    return f"samples by {NAME}={seed()}"
