"""What `autopilot progress` names as the next command while a run is unfinished."""

from __future__ import annotations

import pytest

from autopilot.api.phases.progress import next_of_run
from autopilot.events.pieces import Deferral
from autopilot.events.state import RunState
from autopilot.model.result import Justification
from autopilot.model.run import PhaseStatus, RunStatus
from tests.unit.making import TWO, make_phase, make_state

DEFERRAL = Deferral(Justification("01-99", "pay once", 1, 1), (), 4.0, "autopilot/waiting")


@pytest.mark.parametrize(
    ("state", "heading", "command"),
    [
        (make_state(make_phase(), run="run-1"), "Resume run-1", "autopilot resume"),
        (
            make_state(
                make_phase(TWO, status=PhaseStatus.NEEDS_HUMAN_VERIFICATION, deferral=DEFERRAL),
                run="run-1",
                status=RunStatus.WAITING,
                exit_status=3,
            ),
            "Decide in run-1",
            "autopilot verdict 2 pass",
        ),
        (
            make_state(
                make_phase(TWO, status=PhaseStatus.FAILED, attempt=1),
                run="run-1",
                status=RunStatus.FAILED,
                exit_status=1,
            ),
            "Resume run-1",
            "autopilot resume",
        ),
        (
            make_state(
                make_phase(TWO, status=PhaseStatus.FAILED, attempt=2),
                run="run-1",
                status=RunStatus.FAILED,
                exit_status=1,
            ),
            "Start over after run-1",
            "autopilot run --fresh 2",
        ),
    ],
)
def test_the_command_leads_on_from_where_the_run_stands(state: RunState, heading: str, command: str) -> None:
    """covers: CMD-PROGRESS"""
    found = next_of_run(state)
    assert (found.subject, found.command) == (heading, command)
