"""What a test of a real agent needs: its program, a model that speaks by script, a world to work in, and the agent.

A test takes the ``stage`` fixture, lets a model say its part, and calls the agent as the product would::

    server = stage.serve(Write(path="new.py", text="x = 1\\n"), Reply(value=ANSWER))
    reply = stage.hire("claude", server).call(stage.call("Do it."))
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path, PurePosixPath
from typing import Any

from msgspec import Struct

from autopilot.adapters.agents.known import KnownAgents, Roster
from autopilot.adapters.blobs import FileBlobs
from autopilot.adapters.sandbox.bubblewrap import Bubblewrap
from autopilot.adapters.transcripts import FileTranscripts
from autopilot.model.agent import AgentCall, AgentReply, Caps, Ending, Role
from autopilot.model.agent_config import AgentConfig
from autopilot.model.secrecy.redaction import Redactor
from autopilot.ports.agent import Agent
from autopilot.ports.sandbox import Sandbox
from autopilot.ports.wire import wire_schema
from autopilot.simulation.model_server.script import ModelScript, Rule, Turn
from autopilot.simulation.model_server.server import ModelServer
from autopilot.simulation.scripted.agent import ScriptedAgent
from tests.agents.installed import installed
from tests.contract.agents.harness import Watched, World

KEY = "test-key-of-nobody-4711"
KEY_VARIABLE = "TEST_MODEL_KEY"
# What the model is called unless a test says otherwise: names the agents know, so that none of them warns.
MODELS = {"claude": "claude-sonnet-4-5", "codex": "gpt-5.5"}
# The wire of these agents stands below /v1, and their settings say so.
BELOW_V1 = frozenset({"codex", "opencode", "codex-acp"})


class Answer(Struct, frozen=True):
    """A small structured reply."""

    done: bool
    summary: str


ANSWER = {"done": True, "summary": "made it"}
COMMIT = "git add -A && git commit --quiet -m 'by its own tools'"


class Case(Struct, frozen=True):
    """What a model does, and the ending that says it."""

    name: str
    ending: Ending
    turns: tuple[Turn, ...]
    value: Any = None


class Stage:
    """A repository, a clone for the agent, the real sandbox, and scripted models that are gone when the test ends."""

    def __init__(self, folder: Path, walls: Sandbox | None = None) -> None:
        self.folder = folder
        self.world = World(folder)
        self.sandbox = Watched(walls or Bubblewrap(folder / "state"))
        self.blobs = FileBlobs(folder / "state" / "blobs", Redactor({"key": KEY}))
        self.logins = folder / "logins"
        self._open = ExitStack()

    def serve(self, *turns: Turn, when: str = "") -> ModelServer:
        """A model that takes these turns with every prompt in which ``when`` is found."""
        return self.serve_rules(Rule(when, turns))

    def serve_rules(self, *rules: Rule) -> ModelServer:
        return self._open.enter_context(ModelServer(ModelScript(rules)))

    def hire(self, name: str, server: ModelServer, **config: Any) -> Agent:
        """The agent as settings.toml would describe it, its model at the server; ``config`` adds to its settings."""
        said: dict[str, Any] = {
            "program": str(installed(name)),
            "base_url": server.url + ("/v1" if name in BELOW_V1 else ""),
            "key_env": KEY_VARIABLE,
            "model": MODELS.get(name, ""),
        }
        roster = Roster(self.logins, {name: AgentConfig(**(said | config))}, self.environment())
        transcripts = FileTranscripts(self.folder / "state" / "live", self.blobs)
        return KnownAgents(roster, self.sandbox, transcripts, ScriptedAgent).named(name)

    def environment(self) -> Mapping[str, str]:
        return {"PATH": os.environ["PATH"], KEY_VARIABLE: KEY}

    def call(self, prompt: str = "Do the task.", **changes: Any) -> AgentCall:
        """A call with the schema of ``Answer``; ``schema={}`` for one without."""
        said: dict[str, Any] = {
            "role": Role.EXECUTOR,
            "phase": "1",
            "prompt": prompt,
            "workspace": PurePosixPath(self.world.clone),
            "project": PurePosixPath(self.world.project),
            "context": PurePosixPath(self.world.context),
            "schema": wire_schema(Answer),
            "task": "01-01",
            "caps": Caps(wall_s=90, stall_s=60),
            "label": "test/1/execute",
        }
        return AgentCall(**(said | changes))

    def ask(self, name: str, *turns: Turn, **changes: Any) -> AgentReply:
        """One call of an agent whose model takes these turns."""
        return self.hire(name, self.serve(*turns)).call(self.call(**changes))

    def act_out(self, name: str, case: Case) -> None:
        reply = self.ask(name, *case.turns)
        assert (reply.ending, reply.value) == (case.ending, case.value), reply.detail
        assert bool(reply.detail) == (case.ending is not Ending.COMPLETED)

    def home(self) -> PurePosixPath:
        """A HOME that several calls of one question share."""
        home = self.folder / "home-of-agent"
        home.mkdir(exist_ok=True)
        return PurePosixPath(home)

    def close(self) -> None:
        self._open.close()
