"""What the contract suite needs of an agent under test, and a small world for it to work in.

To put another adapter through the suite, write a ``Subject`` for it and add it to ``SUBJECTS`` in subjects.py. The
suite says what the model behind the agent does as a ``Part``; a subject brings its agent to do that.
"""

from __future__ import annotations

import subprocess
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from msgspec import Struct, field

from autopilot.adapters.agents.prices import estimate
from autopilot.model.agent import AgentCall, Caps, Role, Usage
from autopilot.model.agent_config import Price
from autopilot.ports.agent import Agent
from autopilot.ports.reply import REPLIES, wire_schema
from autopilot.ports.sandbox import CommandSpec, Outcome, Probe, Running, Sandbox
from autopilot.ports.transcripts import Transcripts

REPLY: Mapping[str, Any] = {
    "tasks_completed": "1/1",
    "tasks_failed": "0/1",
    "commit_shas": [],
    "evidence": [],
    "deviations": [],
    "confidence": 8.5,
}


class Part(Struct, frozen=True):
    """What the agent's model does in one call, whichever agent it is; in this order."""

    usage: Usage = Usage()
    commands: tuple[str, ...] = ()  # run by its own tools, in the project
    writes: Mapping[str, str] = {}
    commit: str = ""
    flood_bytes: int = 0
    crash: bool = False
    hang: bool = False
    reply: Mapping[str, Any] = field(default_factory=lambda: REPLY)


class Subject(ABC):
    """An agent under test. Where its program cannot tell all that the suite asks for, the subject says so as data."""

    name: str
    tells_money = True  # otherwise we estimate it
    own_price: Price | None = None  # it counts money itself, at this price
    splits_tokens = True  # otherwise it tells input and output as one figure
    counts_output_at_once = True  # otherwise only when the call ends
    start_s = 0.0  # how long it may take to come to its model

    @abstractmethod
    def make(self, part: Part, sandbox: Sandbox, transcripts: Transcripts, folder: Path) -> Agent: ...

    @abstractmethod
    def heard(self, transcript: bytes, prompt: str) -> bool:
        """Does the transcript, or whoever else can tell, show that exactly this prompt arrived?"""

    def close(self) -> None:
        """What it set up for its agents is no longer needed."""
        return

    def expect(self, usage: Usage) -> Usage:
        """What a call that used this comes to, as its agent can tell it."""
        usd = estimate(usage, self.own_price).usd if self.own_price else usage.usd
        split = (usage.tokens_in, usage.tokens_out) if self.splits_tokens else (usage.tokens, 0)
        return Usage(*split, usd=usd, usd_is_estimate=not self.tells_money)


class World:
    """A repository where the user has it, an agent's clone of it, and a context folder."""

    def __init__(self, folder: Path) -> None:
        self.project, self.clone, self.context = (folder / name for name in ("project", "clone", "context"))
        self.project.mkdir()
        self.context.mkdir()
        # The context is mounted inside the clone; without this an agent's `git add -A` would take it up.
        (self.context / ".gitignore").write_text("*\n")
        self.git("init", "--quiet", "--initial-branch=main", at=self.project)
        (self.project / "README.md").write_text("a project\n")
        self.git("add", "-A", at=self.project)
        self.git("commit", "--quiet", "-m", "begin", at=self.project)
        self.git("clone", "--quiet", "--no-hardlinks", str(self.project), str(self.clone), at=folder)

    def git(self, *words: str, at: Path | None = None) -> str:
        identity = ("-c", "user.name=Test", "-c", "user.email=test@example.invalid", "-c", "safe.directory=*")
        done = subprocess.run(
            ["git", *identity, *words], cwd=at or self.clone, check=True, stdin=subprocess.DEVNULL, capture_output=True
        )
        return done.stdout.decode()

    def call(self, role: Role = Role.EXECUTOR, prompt: str = "Do the task.", **changes: Any) -> AgentCall:
        caps = changes.pop("caps", Caps(wall_s=60, stall_s=60))
        return AgentCall(
            role=role,
            phase="1",
            prompt=prompt,
            workspace=PurePosixPath(self.clone),
            project=PurePosixPath(self.project),
            context=PurePosixPath(self.context),
            schema=wire_schema(REPLIES[role]),
            task="01-01",
            caps=caps,
            label="test/1/execute",
            **changes,
        )


class Watched:
    """A sandbox that keeps what it started, so that a test can stop it and see what was asked for."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self.specs: list[CommandSpec] = []
        self.started: list[Running] = []
        self.on_line: Callable[[bytes], None] = lambda _: None

    def start(self, spec: CommandSpec) -> Running:
        self.specs.append(spec)
        self._sandbox.give_away(Path(spec.backing))  # a clone made by hand; those of workspaces are
        self.started.append(_Overheard(self._sandbox.start(spec), self))
        return self.started[-1]

    def probe(self) -> Probe:
        return self._sandbox.probe()

    def give_away(self, folder: Path) -> None:
        self._sandbox.give_away(folder)

    def end_orphans(self) -> tuple[str, ...]:
        return self._sandbox.end_orphans()


class _Overheard:
    def __init__(self, running: Running, watched: Watched) -> None:
        self._running = running
        self._watched = watched

    def lines(self) -> Iterator[bytes]:
        for line in self._running.lines():
            self._watched.on_line(line)
            yield line

    def stop(self, grace_s: float = 0.5) -> None:
        self._running.stop(grace_s)

    def wait(self) -> Outcome:
        return self._running.wait()


def alive_with(marker: str) -> list[str]:
    """Command lines of living processes that carry the marker."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if marker in words:
            found.append(words)
    return found
