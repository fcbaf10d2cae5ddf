"""One agent's throw-away world: a repository, clones of it, the real sandbox, and a model that speaks by script."""

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
from autopilot.simulation.conformance.aiming import aim
from autopilot.simulation.conformance.finding import demand, tell_end
from autopilot.simulation.model_server.script import ModelScript, Rule, Turn
from autopilot.simulation.model_server.server import ModelServer
from autopilot.simulation.scripted.agent import ScriptedAgent

ROLE = Role.EXECUTOR
CAPS = Caps(wall_s=180.0, stall_s=90.0)


class Stage:
    """Nothing of it lies in the user's records, and the agent is signed in with a key that was made up for it."""

    def __init__(self, folder: Path, name: str, settings: Settings) -> None:
        self.name = name
        self.mark = f"mark-{secrets.token_hex(8)}"  # stands in what it is told, and nowhere else on the machine
        self.key = f"test-key-{secrets.token_hex(16)}"
        self.settings = settings
        self.folder = folder
        self.state = folder / "state"
        self.state.mkdir(mode=0o700, parents=True)
        self.project, self.base = _make_project(folder / "project")
        self.vault = GitVault(self.state / "vault.git", self.project)
        self.vault.adopt(self.base)
        self.toolchains = find_toolchains(settings.environment.get("PATH", ""))
        self._workspaces = GitWorkspaces(self.state / "workspaces", self.vault)
        # As it came: what we would hide for an agent, it has not hidden itself.
        self._blobs = FileBlobs(self.state / "blobs", Redactor(forms=()))

    def shown(self) -> tuple[Path, ...]:
        """What it may see beside its clone: of its own program, and by the user's word."""
        roster = self.settings.roster()
        said = (Path(folder).expanduser() for folder in roster.config(self.name).show)
        return (*map(Path, roster.program(self.name).shown), *said)

    def version(self) -> str:
        return self._hire("", never_stop).version()

    @contextmanager
    def sit(self, *turns: Turn, rule: Rule | None = None, should_stop: ShouldStop = never_stop) -> Iterator[Sitting]:
        """A fresh clone, and a model that takes these turns with every prompt, or goes by a rule of the case's."""
        clone = self._workspaces.clone("clone", self.base)
        context = self._workspaces.folder("context", {".gitignore": b"*\n"})
        home = self._workspaces.folder("home", {})
        with ModelServer(ModelScript((rule or Rule("", turns),))) as server:
            yield Sitting(self, server, self._hire(server.url, should_stop), clone, context, home)

    def transcript(self, reply: AgentReply) -> bytes:
        return self._blobs.get(reply.transcript)

    def _hire(self, url: str, should_stop: ShouldStop) -> Agent:
        roster = self._roster(url)
        sandbox = make_sandbox(self.state, self.settings, self.toolchains, should_stop)
        transcripts = FileTranscripts(self.state / "live", self._blobs)
        return KnownAgents(roster, sandbox, transcripts, ScriptedAgent).named(self.name)

    def _roster(self, url: str) -> Roster:
        """Of this agent alone. Its key comes the way its settings say, or as one that was kept for it."""
        own = self.settings.roster()
        config = aim(own.config(self.name), own.preset(self.name).trial, url, self.key)
        environment = {"PATH": self.settings.environment.get("PATH", "")}
        if config.key_env:
            environment[config.key_env] = self.key
        roster = Roster(self.state / "logins", {self.name: config}, environment)
        if not config.key_env:
            roster.credentials(self.name).keep_key(self.key)
        return roster


class Sitting(Struct, frozen=True):
    """An agent at work for one case."""

    stage: Stage
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
                project=PurePosixPath(self.stage.project),
                context=PurePosixPath(self.context),
                schema=wire_schema(REPLIES[ROLE]),
                task="01-01",
                caps=caps,
                home=PurePosixPath(self.home),
                label=f"test of {self.stage.name}",
                **more,
            )
        )

    def complete(self, prompt: str = "Do the task.", **more: Any) -> AgentReply:
        """Ask, and go on only when it ended well."""
        reply = self.ask(prompt, **more)
        demand(reply.ending is Ending.COMPLETED, tell_end(reply))
        return reply

    def read(self, name: str) -> str:
        """A file that its tools wrote; "" when there is none."""
        try:
            return (self.clone / name).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""

    def played(self, *kinds: str) -> int:
        """How many of the model's answers were of these kinds, side talk not counted."""
        return sum(request.played in kinds for request in self.server.requests)


def _make_project(project: Path) -> tuple[Path, str]:
    """A repository with one commit, and that commit."""
    project.mkdir()
    (project / "README.md").write_text("A project to try an agent on.\n", encoding="utf-8")
    git = Git(project / ".git", project, THROW_AWAY)
    for words in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-q", "-m", "begin")):
        git.run(*words)
    return project, git.run("rev-parse", "HEAD").decode().strip()
