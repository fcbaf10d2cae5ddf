"""What is run when an earlier run only failed: its own phases once more, or what it could never reach (INV-6)."""

from __future__ import annotations

from typing import Any, cast

import pytest
from msgspec.structs import replace

from autopilot.engine.opening import starts_another
from autopilot.events.rooms.run import Session
from autopilot.events.state import RunState
from autopilot.model.intent import Intent
from autopilot.model.run import PhaseStatus, RunRequest, RunStatus
from tests.unit.making import ONE, TWO, alter, make_phase, make_state

NOWHERE = cast(Any, None)  # no phase is named, so the roadmap is not read


def failed(*, beside: bool = False, **inputs: Any) -> RunState:
    """Phase 2, which builds on phase 1; `beside`: in one run with it."""
    second = alter(make_phase(TWO, ONE), status=PhaseStatus.FAILED)
    first = [alter(make_phase(ONE), status=PhaseStatus.FAILED)] if beside else []
    state = alter(make_state(*first, second), status=RunStatus.FAILED, **inputs)
    return replace(state, session=Session(exit_status=1))


@pytest.mark.parametrize("words", [(), ("all",), ("next",)])
def test_a_run_that_waits_for_a_phase_it_does_not_have_is_not_taken_for_all_there_is(words: tuple[str, ...]) -> None:
    # covers: INV-6, RES-1
    assert starts_another(RunRequest(phases=words), failed(), NOWHERE)


def test_a_failed_run_that_can_go_on_is_resumed() -> None:
    # covers: INV-6
    assert not starts_another(RunRequest(), failed(beside=True), NOWHERE)
    assert not starts_another(RunRequest(), failed(proven=frozenset({ONE})), NOWHERE)
    assert not starts_another(RunRequest(resume_only=True), failed(), NOWHERE)
    assert not starts_another(RunRequest(intent=Intent(complete=True)), failed(), NOWHERE), "other flags are refused"
