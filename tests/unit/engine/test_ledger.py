"""The one writer of a run, when there is no room left.

covers: T7.disk, R-IO
"""

from __future__ import annotations

from pathlib import Path

import pytest

from autopilot.engine.ledger import Ledger
from autopilot.events.happened import Landed, RunStopped
from autopilot.model.errors import CapReached
from autopilot.model.run import RunStatus
from tests.unit.engine.house import House, Refs
from tests.unit.making import ONE


class FullVault(Refs):
    def anchor(self, name: str, text: str) -> None:
        raise CapReached("the disk is full", "free some space")


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    house = House(tmp_path)
    return Ledger(house.ledger().state, house.journal, FullVault())


def test_a_run_that_comes_to_rest_on_a_full_disk_needs_no_anchor(ledger: Ledger) -> None:
    recorded = ledger.record(ledger.slot("stop/0"), (RunStopped(RunStatus.PAUSED, "the disk is full", 4),))
    assert recorded.state.session.exit_status == 4


def test_a_run_under_way_is_told_that_its_anchor_has_no_room(ledger: Ledger) -> None:
    with pytest.raises(CapReached):
        ledger.record(ledger.slot("1/land/1"), (Landed(ONE, "landed"),))
