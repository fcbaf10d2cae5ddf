"""A small GSD project in a repository, and a command that edits it cut off at a certain system call."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.scenario.kit.looking import PATIENCE_S
from tests.scenario.kit.world import World
from tests.unit.planning.editing.teahouse import FILES

# Where it is cut off: the note is written; the landing has begun; files are written and the index is not; the branch
# has moved; everything is done but for the note. The landing has tests of its own for what lies between.
POINTS = [
    ("unlink", "{git}/autopilot-lock"),
    ("link", "{git}/index.lock"),
    ("rename", "{git}/autopilot-index"),
    ("unlink", "{git}/index.lock"),
    ("unlink", "{home}/phase-edit.json"),
]


def make_teahouse(folder: Path) -> World:
    world = World(folder)
    world.git("init", "-q", "-b", "main")
    for path, text in FILES.items():
        world.write(path, text)
    world.write("app.py", "print('tea')\n")
    world.commit("Plan")
    return world


def read_tree(world: World) -> dict[str, str]:
    paths = world.git("ls-files").splitlines()
    return {path: world.read(path) for path in paths}


def kill_at(world: World, call: str, path: str, words: tuple[str, ...]) -> None:
    """SIGKILL at the first such call of the command itself on that path."""
    strace = shutil.which("strace")
    assert strace, "strace is not installed; run: scripts/setup.sh dev"
    place = path.format(home=world.repository.home.root, git=world.project / ".git")
    options = ("-o", str(world.folder / "trace"), "-P", place, "-e", f"trace={call}")
    wrapper = (strace, *options, "-e", f"inject={call}:signal=SIGKILL:when=1")
    process = world.start(*words, wrapper=wrapper)
    process.communicate(timeout=PATIENCE_S)
    trace = (world.folder / "trace").read_text()
    assert "killed by SIGKILL" in trace, trace
