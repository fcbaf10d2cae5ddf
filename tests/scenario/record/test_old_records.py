"""A state home as the first version left it, in the middle of a run, is opened and taken to its end by this one.

``data/foundation.tar.gz`` holds repository, journal, key and vault of a run that was cut off while the executor of its
second phase was at work. It is never made anew: that it is old is the point.

covers: RES-1, STATE
"""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import World

OLD = Path(__file__).parents[1] / "data" / "foundation.tar.gz"


@pytest.fixture
def old(tmp_path: Path) -> World:
    with tarfile.open(OLD) as archive:
        archive.extractall(tmp_path, filter="data")
    world = World(tmp_path / "sample", Plot(phases=2))
    world.play()
    return world


def test_a_run_begun_by_the_first_version_is_taken_up_and_ends(old: World) -> None:
    records = next((old.state / "autopilot").iterdir())
    old.autopilot("doctor", "--attach", records.name)
    assert old.autopilot("log", "verify").status == 0
    resumed = old.resume()
    assert resumed.status == 0, resumed.err
    assert old.git("ls-files", "part-*.sh").splitlines() == ["part-01-01.sh", "part-02-01.sh"]
    phases = old.status["phases"]
    assert {name: phase["status"] for name, phase in phases.items()} == {"1": "completed", "2": "completed"}
    # What was done before the cut is there once, and was not done again.
    assert sum("02-01" in subject for subject in old.subjects) == 1
    assert old.autopilot("log", "verify").status == 0
