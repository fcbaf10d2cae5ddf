"""The temporary environment of one agent: a repository, its clones, the real sandbox and a scripted model."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any

from msgspec import Struct

from autopilot.adapters.agents.known import KnownAgents, Roster
from autopilot.adapters.blobs import FileBlobs
from autopilot.adapters.git.command import THROW_AWAY, Git
from autopilot.adapters.git.vault import GitVault
from autopilot.adapters.git.workspaces import GitWorkspaces
from autopilot.adapters.sandbox.bell import ShouldStop, never_stop
from autopilot.adapters.sandbox.toolchains import find_toolchains
from autopilot.adapters.transcripts import FileTranscripts
from autopilot.model.agent import AgentCall, AgentReply, Caps, Ending, Role
from autopilot.model.secrecy.redaction import Redactor
from autopilot.ports.agent import Agent
from autopilot.ports.reply import REPLIES, wire_schema
from autopilot.settings.reading import Settings
from autopilot.settings.sandboxes import make_sandbox
from autopilot.simulation.conformance.model_endpoint import use_test_model
from autopilot.simulation.conformance.result import describe_end, require
from autopilot.simulation.model_server.script import ModelScript, Rule, Turn
from autopilot.simulation.model_server.server import ModelServer
from autopilot.simulation.scripted.agent import ScriptedAgent

ROLE = Role.EXECUTOR
CAPS = Caps(wall_s=180.0, stall_s=90.0)


class CaseEnvironment:
    """Separate from the user's records; the agent is signed in with a random key."""

    def __init__(self, folder: Path, name: str, settings: Settings) -> None:
        self.name = name
        self.mark = f"mark-{secrets.token_hex(8)}"  # appears only in its prompts
        self.key = f"test-key-{secrets.token_hex(16)}"
        self.settings = settings
        self.folder = folder
        self.state = folder / "state"
        self.state.mkdir(mode=0o700, parents=True)
        self.project, self.base = _make_project(folder / "project")
        self.vault = GitVault(self.state / "vault.git", self.project)
        self.vault.adopt(self.base)
        self.toolchains = find_toolchains(settings.environment.get("PATH", ""))
        self._workspaces = GitWorkspaces(
            self.state / "workspaces", self.vault, make_sandbox(self.state, settings, self.toolchains).give_away
        )
        # Without redaction: the cases check what the agent itself prints.
        self._blobs = FileBlobs(self.state / "blobs", Redactor(forms=()))

    def shown(self) -> tuple[Path, ...]:
        """Folders that it may read beside its clone: those of its program and those from the settings."""
        roster = self.settings.roster()
        configured = (Path(folder).expanduser() for folder in roster.config(self.name).show)
        return (*map(Path, roster.program(self.name).shown), *configured)

    def version(self) -> str:
        return self._make_agent("", never_stop).version()

    @contextmanager
    def start_session(
        self, *turns: Turn, rule: Rule | None = None, should_stop: ShouldStop = never_stop
    ) -> Iterator[AgentSession]:
        """A fresh clone, and a model that answers every prompt with these turns or by the rule of the case."""
        clone = self._workspaces.clone("clone", self.base)
        context = self._workspaces.folder("context", {".gitignore": b"*\n"})
        home = self._workspaces.folder("home", {})
        with ModelServer(ModelScript((rule or Rule("", turns),))) as server:
            yield AgentSession(self, server, self._make_agent(server.url, should_stop), clone, context, home)

    def transcript(self, reply: AgentReply) -> bytes:
        return self._blobs.get(reply.transcript)

    def _make_agent(self, url: str, should_stop: ShouldStop) -> Agent:
        roster = self._roster(url)
        sandbox = make_sandbox(self.state, self.settings, self.toolchains, should_stop)
        transcripts = FileTranscripts(self.state / "live", self._blobs)
        return KnownAgents(roster, sandbox, transcripts, ScriptedAgent).named(self.name)

    def _roster(self, url: str) -> Roster:
        """A roster with this agent only; its key is passed in the variable of its settings, or stored for it."""
        own = self.settings.roster()
        config = use_test_model(own.config(self.name), own.preset(self.name).trial, url, self.key)
        environment = {"PATH": self.settings.environment.get("PATH", "")}
        if config.key_env:
            environment[config.key_env] = self.key
        roster = Roster(self.state / "logins", {self.name: config}, environment)
        if not config.key_env:
            roster.credentials(self.name).keep_key(self.key)
        return roster


class AgentSession(Struct, frozen=True):
    """An agent and its model during one case."""

    environment: CaseEnvironment
    server: ModelServer
    agent: Agent
    clone: Path
    context: Path
    home: Path

    def ask(self, prompt: str = "Do the task.", caps: Caps = CAPS, **more: Any) -> AgentReply:
        return self.agent.call(
            AgentCall(
                role=ROLE,
                phase="1",
                prompt=prompt,
                workspace=PurePosixPath(self.clone),
                project=PurePosixPath(self.environment.project),
                context=PurePosixPath(self.context),
                schema=wire_schema(REPLIES[ROLE]),
                task="01-01",
                caps=caps,
                home=PurePosixPath(self.home),
                label=f"test of {self.environment.name}",
                **more,
            )
        )

    def complete(self, prompt: str = "Do the task.", **more: Any) -> AgentReply:
        """Call the agent; the case fails unless the call is completed."""
        reply = self.ask(prompt, **more)
        require(reply.ending is Ending.COMPLETED, describe_end(reply))
        return reply

    def read(self, name: str) -> str:
        """A file that its tools wrote; "" if there is none."""
        try:
            return (self.clone / name).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""

    def played(self, *kinds: str) -> int:
        """How many answers of the model were of these kinds, without side requests."""
        return sum(request.played in kinds for request in self.server.requests)


def _make_project(project: Path) -> tuple[Path, str]:
    """A repository with one commit, and that commit."""
    project.mkdir()
    (project / "README.md").write_text("A project for testing an agent.\n", encoding="utf-8")
    git = Git(project / ".git", project, THROW_AWAY)
    for arguments in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-q", "-m", "begin")):
        git.run(*arguments)
    return project, git.run("rev-parse", "HEAD").decode().strip()
