"""Whatever a step lacks on a full disk is a cap, and no fault of the tool that could not write. covers: T7.disk"""

from __future__ import annotations

from pathlib import Path

import pytest

from autopilot.engine.performing import FULL_BYTES, perform_step
from autopilot.flows.command import RunStep
from autopilot.model.errors import CapReached, Unavailable
from autopilot.model.run import Step
from autopilot.steps.context import StepContext, StepRun
from tests.unit.engine.house import A, House


def perform_without_git(_: StepContext) -> StepRun:
    yield from ()
    raise Unavailable("git read-tree failed: error: unable to write file a.py", "run `autopilot doctor`")


@pytest.mark.parametrize("free", [FULL_BYTES - 1, FULL_BYTES])
def test_a_step_that_met_a_full_disk_stays_open_and_any_other_is_unproven(tmp_path: Path, free: int) -> None:
    house = House(tmp_path)
    house.ports.workspaces.free = free  # type: ignore[attr-defined]
    ledger = house.ledger()
    steps = {Step.VERIFY: perform_without_git}
    if free >= FULL_BYTES:
        list(perform_step(RunStep(A, Step.VERIFY), ledger, house.ports, steps))
        assert ledger.state.phase(A).steps["verify"].status == "unproven"
        return
    with pytest.raises(CapReached, match="the disk is full"):
        list(perform_step(RunStep(A, Step.VERIFY), ledger, house.ports, steps))
    assert ledger.state.phase(A).open is not None, "a resume tries it again"
