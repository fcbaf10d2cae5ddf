"""A step whose pure code computes without end: recorded, named, and the phase fails; nothing hangs. covers: T1"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from autopilot.adapters.computing_watch import ComputingWatch
from autopilot.engine.performing import perform_step
from autopilot.engine.workers import Workers
from autopilot.events.happened import StepEnded
from autopilot.flows.command import RunStep
from autopilot.flows.phase import MAX_STEP_ERRORS
from autopilot.model.run import Step
from autopilot.steps.context import StepContext, StepRun
from tests.unit.engine.house import PARTS, A, House

ENDLESS = """
def judge():
    while True:
        sum(range(1_000))
"""
DETAIL = "gates.example.judge computed for over 0.2 seconds and was interrupted"


def perform_endlessly(_: StepContext) -> StepRun:
    names: dict[str, Any] = {"__name__": "autopilot.gates.example"}
    exec(ENDLESS, names)
    yield from ()
    names["judge"]()


def test_a_step_that_computes_without_end_is_recorded_as_its_error_and_named(tmp_path: Path) -> None:
    house = House(tmp_path)
    ledger = house.ledger()
    with ComputingWatch(limit_s=0.2, look_every_s=0.02):
        list(perform_step(RunStep(A, Step.VERIFY), ledger, house.ports, {Step.VERIFY: perform_endlessly}))
    step = ledger.state.phase(A).steps["verify"]
    assert (step.status, step.detail, step.errors) == ("error", DETAIL, 1)


def test_it_is_tried_once_more_and_then_the_phase_fails(tmp_path: Path) -> None:
    """``flows/phase.py`` fails a phase whose step had as many errors: a resume does not try for ever."""
    house = House(tmp_path)
    ledger = house.ledger()
    with ComputingWatch(limit_s=0.2, look_every_s=0.02):
        for attempt in (1, 2):
            command = RunStep(A, Step.VERIFY, attempt)
            list(perform_step(command, ledger, house.ports, {Step.VERIFY: perform_endlessly}))
    assert ledger.state.phase(A).steps["verify"].errors == MAX_STEP_ERRORS


@pytest.mark.parametrize("part", PARTS[:1])
def test_a_step_in_a_worker_is_interrupted_as_well(tmp_path: Path, part: Any) -> None:
    house = House(tmp_path)
    workers = Workers(house.ledger(), house.ports, {Step.VERIFY: perform_endlessly})
    with ComputingWatch(limit_s=0.2, look_every_s=0.02):
        list(workers.begin(RunStep(part, Step.VERIFY)))
        recorded = [batch for _ in iter(lambda: bool(workers.phases), False) for batch in workers.listen()]
    ended = [stored.event for batch in recorded for stored in batch.entries if isinstance(stored.event, StepEnded)]
    assert [(event.status, event.detail) for event in ended] == [("error", DETAIL)]
