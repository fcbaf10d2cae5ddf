"""The agents there are, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from autopilot.adapters.agents.scripted import ScriptedAgent
from autopilot.model.errors import Unavailable
from autopilot.ports.agent import Agent
from autopilot.ports.blobs import Blobs
from autopilot.ports.sandbox import Sandbox


class KnownAgents:
    def __init__(self, sandbox: Sandbox, blobs: Blobs, python: Path, script: Path | None = None) -> None:
        self._sandbox = sandbox
        self._blobs = blobs
        self._python = python
        self._script = script

    def named(self, name: str) -> Agent:
        factory = self._factories().get(name)
        if factory is None:
            known = ", ".join(sorted(self._factories()))
            raise Unavailable(f"there is no agent named {name!r}", f"choose one of: {known}")
        return factory()

    def _factories(self) -> Mapping[str, Callable[[], Agent]]:
        return {"scripted": self._scripted}

    def _scripted(self) -> Agent:
        if self._script is None:
            raise Unavailable("the scripted agent has no script", "give one with --script FILE")
        return ScriptedAgent(self._script, self._sandbox, self._blobs, self._python)
