"""The agents that go through the contract suite, each with its way to be told what to do."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from msgspec.structs import asdict

from autopilot.adapters.agents.scripted import ScriptedAgent
from autopilot.ports.agent import Agent
from autopilot.ports.blobs import Blobs
from autopilot.ports.sandbox import Sandbox
from tests.contract.agents.harness import Part, Subject


class Scripted:
    name = "scripted"

    def make(self, part: Part, sandbox: Sandbox, blobs: Blobs, folder: Path) -> Agent:
        script = folder / "script.json"
        call = {"role": "executor", "do": self._actions(part), "reply": part.reply, "usage": asdict(part.usage)}
        script.write_text(json.dumps({"calls": [call], "default": "fail"}))
        return ScriptedAgent(script, sandbox, blobs, Path(sys.executable))

    def _actions(self, part: Part) -> list[dict[str, Any]]:
        actions: list[dict[str, Any]] = [{"run": command} for command in part.commands]
        actions += [{"write": path, "text": text} for path, text in part.writes.items()]
        if part.commit:
            actions += [{"git": ["add", "-A"]}, {"git": ["commit", "--quiet", "-m", part.commit]}]
        if part.flood_bytes:
            actions.append({"flood": part.flood_bytes})
        if part.crash:
            actions.append({"crash": 3})
        if part.hang:
            actions.append({"hang": True})
        return actions

    def heard(self, transcript: bytes, prompt: str) -> bool:
        start = json.loads(transcript.splitlines()[0])
        size, head, tail = (start[key] for key in ("prompt_bytes", "prompt_head", "prompt_tail"))
        return bool(size == len(prompt.encode()) and prompt.startswith(head) and prompt.endswith(tail))


SUBJECTS: tuple[Subject, ...] = (Scripted(),)
