"""A small world for whole runs: a repository with a roadmap, a script its agents play, and a home of its own.

Every phase N has tasks NN-01, NN-02, …; each adds a shell script of its own (``part-NN-01.sh``) that must say its
name. The honest script plans and does just that, and nothing else, so that a scenario only has to say where it differs.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from autopilot.api.assembly import Assembly, Repository, assemble, find_repository
from autopilot.api.running import run
from autopilot.engine.ledger import Recorded
from autopilot.events.state import RunState
from autopilot.model.run import RunRequest
from autopilot.ports.clock import Clock
from autopilot.settings.reading import Settings, read_settings
from tests.scenario.kit import warm
from tests.scenario.kit.calls import Call, honest_calls
from tests.scenario.kit.looking import PATIENCE_S
from tests.scenario.kit.plot import Plot, plan_files, requirements_text, roadmap_text
from tests.signals import AS_AT_A_TERMINAL

IDENTITY = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "User"), ("EMAIL", "user@localhost"))
}

NO_COMPLETION = {"self_audit": False, "version_bump": False}


@dataclass(frozen=True)
class Ran:
    """One call of the command line, as its user sees it."""

    status: int
    out: str
    err: str


class World:
    """One repository with everything around it below one folder."""

    def __init__(self, folder: Path, plot: Plot | None = None) -> None:
        self.plot = plot or Plot()
        self.folder = folder
        self.project = folder / "project"
        self.state = folder / "state"
        self.home = folder / "home"
        self.script = folder / "script.json"
        for made in (self.project, self.home):
            made.mkdir(parents=True, exist_ok=True)

    # -- the command line

    @property
    def environment(self) -> dict[str, str]:
        return {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
            "HOME": str(self.home),
            "AUTOPILOT_STATE_HOME": str(self.state),
            "LANG": "C.UTF-8",
            **IDENTITY,
        }

    def autopilot(self, *words: str, cwd: Path | None = None) -> Ran:
        """Run a command to its end."""
        return Ran(*warm.call(words, cwd or self.project, self.environment, PATIENCE_S))

    def command(self, *words: str, wrapper: Sequence[str] = ()) -> tuple[str, ...]:
        return (*AS_AT_A_TERMINAL, *wrapper, sys.executable, "-m", "autopilot", *words)

    def start(self, *words: str, cwd: Path | None = None, wrapper: Sequence[str] = ()) -> subprocess.Popen[str]:
        """Begin a command and leave it running."""
        return subprocess.Popen(
            self.command(*words, wrapper=wrapper),
            cwd=cwd or self.project,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *words: str) -> Ran:
        return self.autopilot("run", *words, "--script", str(self.script))

    def resume(self, *words: str) -> Ran:
        return self.autopilot("resume", *words, "--script", str(self.script))

    def set_settings(self, text: str) -> None:
        """The user's own settings.toml."""
        path = self.home / ".config" / "autopilot" / "settings.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    # -- the same from inside

    @property
    def settings(self) -> Settings:
        settings = read_settings(self.environment)
        return replace(settings, agents={**settings.agents, "default": "scripted"}, script=self.script)

    @property
    def repository(self) -> Repository:
        return find_repository(self.project, self.settings)

    @property
    def journal(self) -> Path:
        return self.repository.home.journal

    def assemble(self, clock: Clock | None = None) -> Assembly:
        return assemble(self.repository, self.settings, clock)

    def drive(self, request: RunRequest | None = None, clock: Clock | None = None) -> Generator[Recorded, None, None]:
        """Every recorded batch, while the run goes on."""
        yield from run(request or RunRequest(), self.settings.policy(), self.assemble(clock), "a test")

    def drive_until(self, happened: type, request: RunRequest | None = None, clock: Clock | None = None) -> RunState:
        """Drive until an event of this kind is recorded, then let go at once, as a killed process would."""
        driving = self.drive(request, clock)
        for recorded in driving:
            if any(isinstance(stored.event, happened) for stored in recorded.entries):
                driving.close()
                return recorded.state
        raise AssertionError(f"{happened.__name__} never happened")

    # -- the repository

    def git(self, *words: str, check: bool = True) -> str:
        done = subprocess.run(
            ("git", *words), cwd=self.project, env=self.environment, capture_output=True, text=True, check=check
        )
        return done.stdout.strip()

    def write(self, path: str, text: str) -> None:
        target = self.project / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def read(self, path: str) -> str:
        return (self.project / path).read_text(encoding="utf-8")

    def commit(self, subject: str = "more") -> str:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", subject)
        return self.head

    @property
    def head(self) -> str:
        return self.git("rev-parse", "HEAD")

    @property
    def subjects(self) -> list[str]:
        """Subjects on the user's branch, oldest first; those of merged branches by the merges, not by the clock."""
        return self.git("log", "--reverse", "--topo-order", "--format=%s").splitlines()

    @property
    def branches(self) -> list[str]:
        return self.git("for-each-ref", "--format=%(refname:short)", "refs/heads").splitlines()

    # -- what a run says of itself

    @property
    def status(self) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self.autopilot("status", "--json").out)
        return document

    # -- the script

    def play(self, *calls: Call, default: str = "honest") -> None:
        """The honest script, with these calls before it: among equals the first wins."""
        script = {"calls": [*calls, *honest_calls(self.plot)], "default": default}
        self.script.write_text(json.dumps(script), encoding="utf-8")


def make_world(folder: Path, plot: Plot | None = None, *, config: Mapping[str, Any] | None = None) -> World:
    """The repository, committed, and the honest script."""
    world = World(folder, plot)
    world.git("init", "-q", "-b", "main")
    world.write("README.md", "# parts\n")
    world.write("check.sh", 'for part in part-*.sh; do [ ! -e "$part" ] || sh -n "$part" || exit 1; done\n')
    world.write(".planning/REQUIREMENTS.md", requirements_text(world.plot))
    world.write(".planning/ROADMAP.md", roadmap_text(world.plot))
    world.write(".planning/config.json", json.dumps({**base_config(), **(config or {})}, indent=2) + "\n")
    if world.plot.planned:
        for phase in world.plot.numbers:
            for path, text in plan_files(world.plot, phase).items():
                world.write(path, text)
    world.commit("parts: a beginning")
    world.play()
    return world


def base_config() -> dict[str, Any]:
    """Without the completion: a story is about its phases, unless it says otherwise."""
    return {"project": {"commands": {"test": "sh check.sh"}}, "autopilot": dict(NO_COMPLETION)}


def few_tries() -> dict[str, Any]:
    """One debug attempt at a whole phase: then it may fail twice before the run's ten retries are used up."""
    return {**base_config(), "circuit_breaker_config": {"max_debug_attempts_per_phase": 1}}
