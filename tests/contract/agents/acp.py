"""A client of ours at one end of a pipe, the scripted ACP agent at the other."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from autopilot.adapters.agents.acp import client as acp_client
from autopilot.simulation.scripted import acp_program as scripted_acp

Event = dict[str, Any]
RESUMES: Event = {"sessionCapabilities": {"resume": {}}}
LOADS: Event = {"loadSession": True}


def command(script: Event, folder: Path) -> list[str]:
    path = folder / "acp-script.json"
    path.write_text(json.dumps(script))
    return [sys.executable, "-I", "-S", str(scripted_acp.__file__), str(path)]


def order(folder: Path, **said: Any) -> Event:
    project = folder / "project"
    project.mkdir(exist_ok=True)
    rest = {"session": "", "model": "", "modes": [], "auth": [], "meta": {}, "closing": ""}
    return {"project": str(project), **rest, **said}


def hold(script: Event, folder: Path, prompt: str = "Do it.", **said: Any) -> list[Event]:
    """One turn, held in this process: the library is loaded once for all tests."""
    told: list[Event] = []
    with subprocess.Popen(command(script, folder), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as agent:
        acp_client.hold_turn(agent, order(folder, **said), prompt, lambda event, **f: told.append({"type": event, **f}))
        agent.kill()
    return told


def of_type(told: list[Event], kind: str) -> list[Event]:
    return [event for event in told if event["type"] == kind]


def chunks(told: list[Event], kind: str = "agent_message_chunk") -> str:
    updates = [event["update"] for event in of_type(told, "update")]
    return "".join(update["content"]["text"] for update in updates if update["sessionUpdate"] == kind)


def answer(told: list[Event]) -> Any:
    """What the agent says it was answered."""
    return json.loads(chunks(told))["answer"]
