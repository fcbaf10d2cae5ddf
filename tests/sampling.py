"""Files of very many cases alike: `make test` runs a share of them by the seed of the day, `make chaos` all.

``pytestmark = pytest.mark.one_in(4)`` keeps a quarter of the cases of every test in a file, and at least one. A case
that is named on the command line is alone there, so it runs. ``@settings(max_examples=examples(40))`` tries a law on so
many examples, drawn anew in every run, and in `make chaos` on a hundred.
"""

from __future__ import annotations

import os
from collections import defaultdict
from math import ceil

import pytest

from tests.seed import chance
from tests.spreading import order_for_workers

MARKER = "one_in(n): where there is no AUTOPILOT_CHAOS, one of n cases is run, chosen by the seed of the day"


def examples(daily: int, whole: int = 100) -> int:
    """How often a law is tried that computes long."""
    if os.environ.get("AUTOPILOT_QUICK"):
        return 5
    return whole if os.environ.get("AUTOPILOT_CHAOS") else daily


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", MARKER)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not os.environ.get("AUTOPILOT_CHAOS"):
        _leave_out(config, items)
    order_for_workers(config, items)


def _leave_out(config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out = {item for cases in _cases_by_test(items).values() for item in _left_out(cases)}
    items[:] = [item for item in items if item not in left_out]
    if left_out:
        config.hook.pytest_deselected(items=list(left_out))


def _cases_by_test(items: list[pytest.Item]) -> dict[str, list[pytest.Item]]:
    found: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("one_in"):
            found[item.nodeid.partition("[")[0]].append(item)
    return found


def _left_out(cases: list[pytest.Item]) -> list[pytest.Item]:
    marker = cases[0].get_closest_marker("one_in")
    assert marker is not None
    kept = chance(cases[0].nodeid).sample(cases, ceil(len(cases) / marker.args[0]))
    return [item for item in cases if item not in kept]
