"""A small checkout, a place for it to stand, and the two sandboxes that must keep the same promises."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from autopilot.adapters.sandbox.bubblewrap import Bubblewrap
from autopilot.adapters.sandbox.unconfined import Unconfined
from autopilot.adapters.sandbox.user import give_away
from autopilot.ports.sandbox import CommandSpec, Outcome, Profile, Sandbox, run

GIT = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "GIT_CONFIG_GLOBAL": "/dev/null"}
NAMED = ["-c", "user.name=Test", "-c", "user.email=test@example.invalid"]


class Place:
    """A real one-commit checkout that backs a project at another path."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.state = folder / "state"
        self.backing = folder / "backing"
        self.project = folder / "home of the user" / "project"
        self.project.mkdir(parents=True)
        self.backing.mkdir()
        (self.backing / "kept.txt").write_text("original\n")
        (self.backing / "folder").mkdir()
        (self.backing / "folder" / "deep.txt").write_text("deep\n")
        for words in (["init", "-q"], ["add", "."], [*NAMED, "commit", "-q", "-m", "first"]):
            subprocess.run(["git", *words], cwd=self.backing, env=GIT, check=True, capture_output=True)

    def open_to_all(self) -> None:
        """Let a program in our folder be started by whom root's commands run as."""
        for parent in (self.folder, *self.folder.parents):
            if os.getuid() == 0 and parent.stat().st_uid == 0 and not parent.stat().st_mode & 0o001:
                parent.chmod(parent.stat().st_mode | 0o011)

    def spec(self, *argv: str, **more: Any) -> CommandSpec:
        given = {"profile": Profile.VERIFY, "timeout_s": 30.0, "label": "test", **more}
        return CommandSpec(argv, project=PurePosixPath(self.project), backing=PurePosixPath(self.backing), **given)

    def sh(self, script: str, **more: Any) -> CommandSpec:
        return self.spec("sh", "-c", script, **more)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


@pytest.fixture
def confined(place: Place) -> Bubblewrap:
    give_away(place.backing)
    return Bubblewrap(place.state)


@pytest.fixture(params=["confined", "unconfined"])
def sandbox(request: pytest.FixtureRequest, place: Place) -> Sandbox:
    """Both: what is promised about the end of a command holds with and without walls."""
    made: Sandbox = Bubblewrap(place.state) if request.param == "confined" else Unconfined(place.state)
    made.give_away(place.backing)
    return made


@pytest.fixture
def say(confined: Bubblewrap, place: Place) -> Callable[..., Outcome]:
    """Run a shell script confined."""

    def run_script(script: str, **more: Any) -> Outcome:
        return run(confined, place.sh(script, **more))

    return run_script


@pytest.fixture
def alive() -> Callable[[str], list[int]]:
    """The processes whose command line holds a marker."""

    def search(marker: str) -> list[int]:
        found = []
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            with suppress(OSError):
                if marker.encode() in path.read_bytes() and int(path.parent.name) != os.getpid():
                    found.append(int(path.parent.name))
        return found

    return search


@pytest.fixture
def no_leaks() -> Iterator[None]:
    """Descriptors and zombies are as they were when the test is over. Threads of a decoy may need a moment more."""
    before = open_descriptors()
    yield
    given_up = time.monotonic() + 30
    while open_descriptors() - before and time.monotonic() < given_up:
        time.sleep(0.05)
    assert open_descriptors() <= before
    assert zombies() == []


def open_descriptors() -> set[str]:
    found = set()
    for path in Path("/proc/self/fd").iterdir():
        with suppress(OSError):  # the one that lists them
            found.add(f"{path.name} {path.readlink()}")
    return found


def zombies() -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = path.read_text().rpartition(")")[2].split()
            if fields[0] == "Z" and int(fields[1]) == os.getpid():
                found.append(int(path.parent.name))
    return found
