"""The bridge to an ACP agent as a process: it ends, and its agent with it, however the agent takes that."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from autopilot.adapters.agents.acp import bridge as acp_bridge
from autopilot.adapters.agents.acp.dialect import find_libraries
from tests.contract.agents.acp import Event, command, order
from tests.contract.agents.harness import alive_with

BRIDGE = [sys.executable, "-I", "-S", str(acp_bridge.__file__)]
STUBBORN = ["cancel", "term", "end"]


def start(folder: Path, script: Event, **said: Any) -> subprocess.Popen[bytes]:
    path = folder / "order.json"
    argv = said.pop("argv", command(script, folder))
    path.write_text(json.dumps(order(folder, argv=argv, libraries=find_libraries(), **said)))
    return subprocess.Popen([*BRIDGE, str(path)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)


def told_by(bridge: subprocess.Popen[bytes]) -> list[Event]:
    out, _ = bridge.communicate(timeout=60)
    return [json.loads(line) for line in out.splitlines()]


def test_an_agent_that_minds_nothing_is_ended_after_its_turn(tmp_path: Path) -> None:
    bridge = start(tmp_path, {"ignores": STUBBORN, "do": [{"say": "done"}]})
    assert told_by(bridge)[-1] == {"type": "stop", "stopReason": "end_turn"}
    assert bridge.returncode == 0
    assert not alive_with(str(tmp_path))


@pytest.mark.parametrize("ignores", [[], STUBBORN], ids=["obeying", "stubborn"])
def test_a_bridge_that_is_told_to_end_cancels_the_turn_and_waits_for_nobody(tmp_path: Path, ignores: list[str]) -> None:
    bridge = start(tmp_path, {"ignores": ignores, "do": [{"say": "working"}, {"hang": True}]})
    assert bridge.stdout is not None
    while b"working" not in bridge.stdout.readline():
        pass
    bridge.send_signal(signal.SIGTERM)
    assert told_by(bridge) == [{"type": "stop", "stopReason": "cancelled"}]
    assert not alive_with(str(tmp_path))


def test_a_program_that_cannot_be_started_is_told(tmp_path: Path) -> None:
    bridge = start(tmp_path, {}, argv=["/no/such/agent"])
    told = {"type": "error", "during": "start", "message": "/no/such/agent: No such file or directory"}
    assert told_by(bridge) == [told]
    assert bridge.returncode == acp_bridge.FAILED


def test_the_version_is_what_the_agent_says_over_the_protocol(tmp_path: Path) -> None:
    libraries = ":".join(find_libraries())
    for script, code, said in (
        ({}, 0, b"scripted-acp 1\n"),
        ({"errors": {"initialize": {"code": 1, "message": ""}}}, 70, b"\n"),
    ):
        asked = subprocess.run(
            [*BRIDGE, "--meet", libraries, *command(script, tmp_path)], capture_output=True, timeout=60
        )
        assert (asked.returncode, asked.stdout) == (code, said)
