"""How the tests are spread over the workers of one run: each file is compiled once, and the short tests come last.

Every worker reads all test files. Each begins with other ones, so that it finds the rest compiled by its neighbours.
A worker is given one run of neighbours in the list and what others leave at its end. So each gets some of the long
files first, whole, and then some of the short tests, with which the workers end at the same time.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from typing import TypeVar

import pytest

SHORT = "tests/unit/"
Item = TypeVar("Item")


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """What is imported here is found by the collection, in whichever order that goes."""
    given: dict[str, str] = getattr(session.config, "workerinput", {})
    if not given:
        return
    folders = [path for word in session.config.args if (path := Path(word)).is_dir()]
    files = [file for folder in folders for file in sorted(folder.rglob("test_*.py"))]
    for file in beginning_with(files, int(given["workerid"].removeprefix("gw")), int(given["workercount"])):
        with suppress(Exception):  # the collection says what is wrong with it
            place = file.resolve().relative_to(session.config.rootpath).with_suffix("")
            importlib.import_module(".".join(place.parts))


def beginning_with(files: Sequence[Item], worker: int, workers: int) -> list[Item]:
    first = len(files) * worker // workers
    return [*files[first:], *files[:first]]


def order_for_workers(config: pytest.Config, items: list[pytest.Item]) -> None:
    if workers := int(getattr(config, "workerinput", {}).get("workercount", 0)):
        ordered = ordered_for([item.nodeid for item in items], workers)
        items[:] = [items[place] for place in ordered]


def ordered_for(names: Sequence[str], workers: int) -> list[int]:
    """Places in the list of names: for each worker as many, the long files dealt out in turn, then short tests."""
    by_file = groupby(range(len(names)), lambda place: names[place].partition("::")[0])
    files = [(file, list(places)) for file, places in by_file]
    dealt = [
        [places for file, places in files if not file.startswith(SHORT)][worker::workers] for worker in range(workers)
    ]
    short = [place for file, places in files if file.startswith(SHORT) for place in places]
    ordered: list[int] = []
    for worker, long in enumerate(dealt):
        ordered += [place for places in long for place in places]
        # As xdist divides them: equal parts, the rest to the last ones.
        wanted = max(0, sum(_part(len(names), each, workers) for each in range(worker + 1)) - len(ordered))
        ordered += short[:wanted]
        del short[:wanted]
    return [*ordered, *short]


def _part(total: int, worker: int, workers: int) -> int:
    return total // workers + (worker >= workers - total % workers)
