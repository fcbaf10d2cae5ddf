"""The first hour on one package: ``init``, a roadmap, ``doctor``, a run with honest work, and a run with the lie."""

from __future__ import annotations

import json
import re
import resource
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tests.scenario.kit.calls import commit_all, executor_claim, usage
from tests.scenario.kit.world import NO_COMPLETION, Ran, World
from tests.strangers.fetching import unpack
from tests.strangers.stranger import Stranger, Texts

PATIENCE_S = 1500.0  # of one call: dependencies are downloaded and whole suites run
_PYTHON = re.compile(r"(?:cd \S+ && )?\(?((?:uv run --no-sync |poetry run )?\S*python[\d.]*)\b")
_ACCEPTS = re.compile(r"`autopilot run next --accept-red ([^`\s]+)`")
_COUNT = re.compile(r"\b(\d+) passed")
ROADMAP = """# Roadmap

## Phases

- [ ] **Phase 1: Initials** - a small helper

## Phase Details

### Phase 1: Initials
**Goal**: A small helper beside what is there.
**Depends on**: Nothing (first phase)
**Success Criteria** (what must be TRUE):
  1. {text} -- verified by: `{command}` (contains "{contains}")
"""


class Tried(NamedTuple):
    """What came of one package; a step that was not reached is False."""

    name: str
    kind: str
    commands: dict[str, str | None]
    found: bool  # init wrote a test command that runs at least as many tests as a person counted
    known: bool  # the baseline is green, or what is red was named and accepted by the command on the screen
    landed: bool
    refused: bool
    tests: int
    minutes: float
    cpu_s: int  # of everything that was started, whatever else this machine did meanwhile

    @property
    def without_help(self) -> bool:
        return self.found and self.known and self.landed


class StrangerWorld(World):
    def autopilot(self, *words: str, cwd: Path | None = None) -> Ran:
        """As a process of its own, so that what it costs is counted."""
        done = subprocess.run(
            self.command(*words),
            cwd=cwd or self.project,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr)


def try_stranger(stranger: Stranger, folder: Path, screens: Path | None = None) -> Tried:
    began, spent = time.monotonic(), _cpu_s()
    world = stage(stranger, folder / "world")
    keep = _keeper(screens)
    keep("init", world.autopilot("init"))
    commands = plan(world, stranger)
    doctor = keep("doctor", world.autopilot("doctor"))
    tests = sum(map(int, _COUNT.findall(_test_line(doctor.out))))
    flags = ("--accept-red", "all") if "--accept-red" in doctor.out else ()  # as the screen says
    known = (doctor.status == 0) is not stranger.red and all(word in doctor.out for word in stranger.named)
    subprocess.run(("cp", "-a", str(world.folder), str(folder / "before")), check=True)
    honest = keep("honest", _as_told(world, stranger.change.honest, flags))
    landed = honest.status == 0 and _has_landed(world, stranger.change.honest)
    keep("why", world.autopilot("why")) if not landed else None
    shutil.rmtree(world.folder)
    (folder / "before").rename(world.folder)
    lie = keep("lie", _as_told(world, stranger.change.lie, flags))
    refused = lie.status != 0 and not _has_landed(world, stranger.change.lie)
    minutes = (time.monotonic() - began) / 60
    found = bool(commands.get("test")) and tests >= stranger.tests
    return Tried(
        *(stranger.name, stranger.kind, commands, found, known, landed, refused, tests),
        *(round(minutes, 1), round(_cpu_s() - spent)),
    )


def stage(stranger: Stranger, folder: Path) -> World:
    world = StrangerWorld(folder)
    for place, archive in ((stranger.folder, stranger.archive), *stranger.beside):
        unpack(archive, world.project / place)
    for path, text in stranger.added:
        world.write(path, text)
    world.set_settings(f'agents.default = "scripted"\n[scripted]\nscript = "{world.script}"\n')
    world.script.write_text('{"calls": [], "default": "honest"}', encoding="utf-8")
    world.git("init", "-q", "-b", "main")
    world.commit(f"{stranger.name} {stranger.archive.version}")
    return world


def plan(world: World, stranger: Stranger) -> dict[str, str | None]:
    """Over what ``init`` wrote; its commands. The audit and the next version are another hour's."""
    config = json.loads(world.read(".planning/config.json"))
    commands: dict[str, str | None] = config.get("project", {}).get("commands", {})
    world.write(".planning/config.json", json.dumps({**config, "autopilot": NO_COMPLETION}, indent=2) + "\n")
    world.write(".planning/ROADMAP.md", roadmap(stranger, commands.get("test") or ""))
    world.git("add", "-A")
    world.git("commit", "-q", "-m", "Plan", check=False)  # some packages have git ignore every hidden folder
    return commands


def roadmap(stranger: Stranger, test_command: str) -> str:
    """As its user would write it who has seen what ``init`` found."""
    found = _PYTHON.match(test_command)
    command = stranger.change.command.replace("{python}", found[1] if found else "python3")
    text = "It gives what is asked for" if "-c" in command or "-e" in command else "Its test passes"
    return ROADMAP.format(text=text, command=command, contains=stranger.change.contains)


def work(world: World, texts: Texts, flags: tuple[str, ...]) -> Ran:
    """One run by an agent that makes these changes and claims that all is done."""
    writes = [{"write": path, "text": _added(world, path, text)} for path, text in texts.items()]
    call = {
        "role": "executor",
        "phase": "1",
        "do": [*writes, *commit_all("initials")],
        "reply": executor_claim("01-01"),
        "usage": usage(),
    }
    world.script.write_text(json.dumps({"calls": [call], "default": "honest"}), encoding="utf-8")
    return world.autopilot("run", "next", *flags)


def _as_told(world: World, texts: Texts, flags: tuple[str, ...]) -> Ran:
    """A test that is red by luck may not have been so when ``doctor`` looked: its user does what the screen says."""
    ran = work(world, texts, flags)
    told = _ACCEPTS.search(ran.err)
    return work(world, texts, (*flags, "--accept-red", told[1])) if told else ran


def _added(world: World, path: str, text: str) -> str:
    there = world.project / path
    return there.read_bytes().decode() + text if there.exists() else text.lstrip("\n")


def _has_landed(world: World, texts: Texts) -> bool:
    path, text = next(iter(texts.items()))
    there = world.project / path
    return there.exists() and there.read_bytes().decode().endswith(text.lstrip("\n"))


def _cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _test_line(text: str) -> str:
    return next((line for line in text.splitlines() if " test: `" in line), "")


def _keeper(screens: Path | None) -> Callable[[str, Ran], Ran]:
    def keep(name: str, ran: Ran) -> Ran:
        if screens:
            screens.mkdir(parents=True, exist_ok=True)
            (screens / f"{name}.txt").write_text(f"status {ran.status}\n{ran.out}\n--- stderr\n{ran.err}")
        return ran

    return keep
