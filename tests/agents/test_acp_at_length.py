"""ACP agents whose model says nothing: what each does is its own affair, that the call ends is ours."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from autopilot.model.agent import Ending
from autopilot.simulation.model_server.script import Fault, Wrong
from tests.agents.kit import Stage


@pytest.mark.parametrize("name", ["codex-acp", "claude-acp", "opencode"])
def test_a_model_that_falls_silent_ends_the_call_within_our_patience(stage: Stage, name: str) -> None:
    call = stage.call()
    agent = stage.hire(name, stage.serve(Fault(kind=Wrong.HANG)))
    reply = agent.call(replace(call, caps=replace(call.caps, stall_s=30)))
    assert reply.ending in (Ending.STALLED, Ending.OVERLOADED)
