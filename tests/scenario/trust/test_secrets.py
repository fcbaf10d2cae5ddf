"""No planted secret is found in anything that a run stores, shows or tells an agent. covers: R-SECRET T7"""

from __future__ import annotations

import argparse
import base64
import contextlib
import io
import json
import re
import sqlite3
import subprocess
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from autopilot.adapters.agents.known import KnownAgents
from autopilot.adapters.blobs import FileBlobs
from autopilot.adapters.transcripts import FileTranscripts
from autopilot.api.assembly import Assembly
from autopilot.cli.run_driver import drive_with_progress
from autopilot.model.agent import AgentCall, AgentReply
from autopilot.model.errors import AgentMissing
from autopilot.model.run import RunRequest
from autopilot.model.secrecy.redaction import Redactor
from autopilot.model.secrecy.terminal import strip_controls
from autopilot.ports.agent import Agent, Agents
from autopilot.reports.run.ending import render_ending
from autopilot.simulation.scripted.agent import ScriptedAgent
from tests.scenario.kit.planting import KEY_BODY, PLANTED, Secretive, halved, indiscreet_calls, plant
from tests.scenario.kit.plot import Plot, requirements_text, roadmap_text
from tests.scenario.kit.world import base_config

ESCAPED_COLOUR = re.compile(rb"\\+u001b\[[0-9;]*m")
Places = dict[str, bytes]  # everything a run leaves behind or says, by where it is


@pytest.fixture(scope="module")
def left_behind(tmp_path_factory: pytest.TempPathFactory) -> Places:
    return run_and_collect(tmp_path_factory.mktemp("secrets"))


@pytest.fixture(scope="module")
def left_behind_unredacted(tmp_path_factory: pytest.TempPathFactory) -> Places:
    """The control: the same by a redactor that knows nothing."""
    return run_and_collect(tmp_path_factory.mktemp("control"), Redactor(forms=()))


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_secret_is_found_nowhere(left_behind: Places, name: str) -> None:
    assert found(left_behind, name) == []


def test_the_same_run_without_redaction_shows_nearly_all_of_them(left_behind_unredacted: Places) -> None:
    shown = {name: found(left_behind_unredacted, name) for name in PLANTED}
    assert len(PLANTED) >= 20
    assert [name for name, places in shown.items() if not places] == []
    everywhere = {place.split("/")[0].split(":")[0] for places in shown.values() for place in places}
    assert everywhere >= {
        "blobs",
        "journal.db",
        "prompt",
        "context",
        "screen",
        "live",
        ".autopilot",
        ".planning",
        "ours",
    }


def test_it_was_a_whole_run_and_every_role_was_heard(left_behind: Places) -> None:
    roles = {place.split(":")[1] for place in left_behind if place.startswith("prompt:")}
    assert roles >= {"researcher", "planner", "plan_checker", "executor", "debugger", "verifier", "judge", "rater"}
    assert b"completed, every phase passed" in left_behind["screen:ending"]
    assert b"[redacted:.netrc-1]" in b"".join(text for place, text in left_behind.items() if "prompt:debugger" in place)


def found(places: Places, name: str) -> list[str]:
    """Where a secret stands, plainly or in one of the ways in which it was said."""
    value = PLANTED[name]
    lines = value.split("\n")
    spelt = {line.encode() for line in lines} | {json.dumps(value)[1:-1].encode()}
    if name == "as-base64":
        spelt.add(base64.b64encode(f"x{value}y".encode())[4:-4])
    return [place for place, text in places.items() if any(spelling in text for spelling in spelt)]


# -- the run


def run_and_collect(folder: Path, redactor: Redactor | None = None) -> Places:
    world = Secretive(folder, Plot())
    world.git("init", "-q", "-b", "main")
    world.write("check.sh", f"{halved('said-by-a-test')}\n")
    world.write(".planning/REQUIREMENTS.md", requirements_text(world.plot))
    world.write(".planning/ROADMAP.md", roadmap_text(world.plot))
    world.write(".planning/config.json", json.dumps(base_config()))
    plant(world)
    world.play(*indiscreet_calls(world))
    assembly, overheard = listening(world, redactor)
    options = argparse.Namespace(quiet=False, verbose=True, ci=False)
    screen = io.StringIO()
    with contextlib.redirect_stderr(screen):
        state = drive_with_progress(RunRequest(), world.settings, assembly, options, "a test")
    said = {"screen:run": screen.getvalue(), "screen:ending": render_ending(state)}
    for words in (("status",), ("status", "--json"), ("log", "verify"), ("doctor",)):
        ran = world.autopilot(*words)
        said[f"screen:{' '.join(words)}"] = ran.out + ran.err
    places = {place: text.encode() for place, text in {**said, **overheard}.items()}
    places |= dict(left_in_home(world)) | dict(left_in_checkout(world)) | dict(committed(world))
    return {place: plain(text) for place, text in places.items()}


def plain(text: bytes) -> bytes:
    """As a reader would see it: colours hide nothing."""
    shown = strip_controls(text.decode("utf-8", "surrogateescape"))
    return ESCAPED_COLOUR.sub(b"", shown.encode("utf-8", "surrogateescape"))


def listening(world: Secretive, redactor: Redactor | None) -> tuple[Assembly, dict[str, str]]:
    """The real world, with somebody who hears what agents are told."""
    assembly, overheard = world.assemble(), dict[str, str]()
    ports, home = assembly.ports, assembly.repository.home
    if redactor is not None:
        blobs = FileBlobs(home.blobs, redactor)
        transcripts = FileTranscripts(home.live, blobs)
        agents = KnownAgents(world.settings.roster(), ports.sandbox, transcripts, ScriptedAgent)
        ports = replace(ports, blobs=blobs, transcripts=transcripts, agents=agents)
    ports = replace(ports, agents=Overhearing(ports.agents, home.live, overheard))
    return replace(assembly, ports=ports), overheard


class Overhearing:
    def __init__(self, agents: Agents, live: Path, heard: dict[str, str]) -> None:
        self._agents = agents
        self._live = live
        self._heard = heard

    def named(self, name: str) -> Agent:
        return Overheard(self._agents.named(name), self._live, self._heard)


class Overheard:
    """Keeps the prompt, every file the agent is shown, and what the live files say meanwhile."""

    def __init__(self, agent: Agent, live: Path, heard: dict[str, str]) -> None:
        self.name = agent.name
        self._agent = agent
        self._live = live
        self._heard = heard

    def version(self) -> str:
        return self._agent.version()

    def trouble(self) -> AgentMissing | None:
        return self._agent.trouble()

    def call(self, call: AgentCall) -> AgentReply:
        number = len(self._heard)
        self._heard[f"prompt:{call.role.value}:{number}"] = call.prompt
        assert call.context is not None
        for path in sorted(Path(call.context).rglob("*")):
            if path.is_file():
                self._heard[f"context:{call.role.value}:{number}:{path.name}"] = path.read_text()
        ended = threading.Event()
        looking = threading.Thread(target=self._look, args=(f"live:{number}", ended))
        looking.start()
        try:
            return self._agent.call(call)
        finally:
            ended.set()
            looking.join()

    def _look(self, place: str, ended: threading.Event) -> None:
        seen: set[str] = set()
        while not ended.wait(0.02):
            for path in self._live.glob("*"):
                with contextlib.suppress(OSError):
                    seen.add(path.read_text(errors="replace"))
        self._heard[place] = "\n".join(seen)


# -- what is left of it


def left_in_home(world: Secretive) -> Iterator[tuple[str, bytes]]:
    home = world.repository.home
    for path in sorted(home.root.rglob("*")):
        name = str(path.relative_to(home.root))
        if path.is_file() and not name.startswith(("vault.git/objects", "key")):
            content = path.read_bytes()
            yield name, zlib.decompress(content) if path.suffix == ".z" else content
    with sqlite3.connect(f"file:{home.journal}?mode=ro", uri=True) as journal:
        yield "journal.db:dump", "\n".join(journal.iterdump()).encode()
        # The payloads once more: a dump writes blobs as hex.
        yield "journal.db:events", b"\n".join(bytes(row[0]) for row in journal.execute("SELECT payload FROM events"))


def left_in_checkout(world: Secretive) -> Iterator[tuple[str, bytes]]:
    for folder in (".autopilot", ".planning"):
        for path in sorted((world.project / folder).rglob("*")):
            if path.is_file():
                yield str(path.relative_to(world.project)), path.read_bytes()


def committed(world: Secretive) -> Iterator[tuple[str, bytes]]:
    """What our commits reach, in the vault and in the user's repository; an agent's own commits are its work."""
    refs = git(world.repository.home.vault, "for-each-ref", "--format=%(refname)").decode().split()
    ours = [ref for ref in refs if not ref.startswith("refs/autopilot/claims/")]
    for place, where, names in (
        ("ours:vault", world.repository.home.vault, ours),
        ("ours:user", world.project, ["--branches"]),
    ):
        objects = [line.split()[0] for line in git(where, "rev-list", "--objects", *names).splitlines()]
        yield place, git(where, "cat-file", "--batch", told=b"\n".join(objects))


def git(where: Path, *words: str, told: bytes | None = None) -> bytes:
    return subprocess.run(("git", *words), cwd=where, input=told, capture_output=True, check=True).stdout


def test_a_key_is_looked_for_line_by_line() -> None:
    assert found({"x": KEY_BODY.splitlines()[2].encode()}, "ssh-key") == ["x"]
