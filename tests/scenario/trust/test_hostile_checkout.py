"""Every command works in a checkout that an attacker prepared, and none starts a program of the attacker's choosing.

The attacks one by one are in tests/contract/git; here all of them stand in one folder and whole commands run in it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.contract.git.hostile import HOOKS
from tests.scenario.kit.issue_world import BRANCH, NUMBER, IssueWorld, honest_calls, make_issue_world
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import World, make_world

# covers: T1, T3, R-GIT

CONFIG = """
[core]
	fsmonitor = PROGRAM
	hooksPath = HOOKS
	pager = PROGRAM
	editor = PROGRAM
	askPass = PROGRAM
	sshCommand = PROGRAM
	gitProxy = PROGRAM
	alternateRefsCommand = PROGRAM
[diff]
	external = PROGRAM
[diff "x"]
	textconv = PROGRAM
	command = PROGRAM
[merge]
	default = x
[merge "x"]
	driver = PROGRAM
[gpg]
	program = PROGRAM
[commit]
	gpgSign = true
[log]
	showSignature = true
[credential]
	helper = !PROGRAM
[uploadpack]
	packObjectsHook = PROGRAM
[remote "origin"]
	url = ./evil.git
	uploadpack = PROGRAM
	receivepack = PROGRAM
[protocol "ext"]
	allow = always
[url "ext::PROGRAM "]
	insteadOf = https://
[trailer "x"]
	command = PROGRAM
[alias]
	st = !PROGRAM
"""
FILTER = '[filter "x"]\n\tclean = PROGRAM\n\tsmudge = PROGRAM; cat\n'
LEFTOVERS = {
    "GIT_EXTERNAL_DIFF": "PROGRAM",
    "GIT_EDITOR": "PROGRAM",
    "GIT_CONFIG_PARAMETERS": "'core.fsmonitor'='PROGRAM'",
    "GIT_DIR": "/nonexistent",
    "GIT_EXEC_PATH": "./bin",
}
PROGRAMS = (
    "git",
    "gh",
    "sh",
    "bash",
    "cp",
    "sync",
    "rm",
    "unshare",
    "bwrap",
    "setpriv",
    "mount",
    "python3",
    "notify-send",
    "www-browser",
)


# Modules that programs of ours import: Python would take them from the folder it is started in.
MODULES = ("autopilot/__init__.py", "msgspec.py", "select.py", "sitecustomize.py", "tree_sitter.py")


class Hostile:
    """What an attacker left in a checkout: programs, hooks and settings that name them."""

    def __init__(self, folder: Path, project: Path) -> None:
        self.fired = folder / "fired"
        self.program = folder / "program"
        self.program.write_text(f"#!/bin/sh\n: >{self.fired}\n", encoding="utf-8")
        self.program.chmod(0o755)
        self._project = project
        for folder_name, names in ((".git/hooks", HOOKS), ("bin", PROGRAMS), (".", PROGRAMS)):
            (project / folder_name).mkdir(exist_ok=True)
            for name in names:
                (project / folder_name / name).unlink(missing_ok=True)
                (project / folder_name / name).symlink_to(self.program)
        (project / ".git/info").mkdir(exist_ok=True)
        self._write(".git/info/exclude", "/bin\n" + "".join(f"/{name}\n" for name in PROGRAMS))

    def plant_modules(self) -> None:
        for name in MODULES:
            (self._project / name).parent.mkdir(exist_ok=True)
            self._write(name, f"open({str(self.fired)!r}, 'w').close()\n")

    def imports_in_plain_python(self, environment: dict[str, str]) -> bool:
        self.fired.unlink(missing_ok=True)
        subprocess.run((sys.executable, "-m", "msgspec"), cwd=self._project, env=environment, check=False)
        return self.fired.exists()

    def configure(self, text: str) -> None:
        """In a file that the configuration includes for this folder only."""
        self._write(".git/more", text)
        with (self._project / ".git/config").open("a", encoding="utf-8") as config:
            config.write('[includeIf "gitdir:**/.git"]\n\tpath = more\n')

    def environment(self, environment: dict[str, str]) -> dict[str, str]:
        leftovers = {key: self._placed(value) for key, value in LEFTOVERS.items()}
        return {**environment, **leftovers, "PATH": f".:bin::{environment['PATH']}"}

    def fires_in_plain_git(self, environment: dict[str, str]) -> bool:
        self.fired.unlink(missing_ok=True)
        subprocess.run(("git", "status"), cwd=self._project, env=environment, check=False, capture_output=True)
        return self.fired.exists()

    def _write(self, name: str, text: str) -> None:
        (self._project / name).write_text(self._placed(text), encoding="utf-8")

    def _placed(self, text: str) -> str:
        return text.replace("PROGRAM", str(self.program)).replace("HOOKS", str(self._project / ".git/hooks"))


class HostileWorld(World):
    """The same world once an attacker has been there."""

    hostile: Hostile

    @property
    def environment(self) -> dict[str, str]:
        return self.hostile.environment(super().environment)


class HostileIssueWorld(IssueWorld):
    hostile: Hostile

    @property
    def environment(self) -> dict[str, str]:
        return self.hostile.environment(super().environment)


@pytest.fixture
def world(tmp_path: Path) -> HostileWorld:
    made = make_world(tmp_path, Plot(planned=True))
    made.write(".gitattributes", "* diff=x merge=x filter=x\n")
    made.commit("attributes")
    hostile = HostileWorld(tmp_path, made.plot)
    hostile.hostile = Hostile(tmp_path, made.project)
    return hostile


def test_a_whole_run_in_a_hostile_checkout_lands_and_starts_none_of_its_programs(world: HostileWorld) -> None:
    plain = World(world.folder, world.plot).environment
    world.hostile.configure(CONFIG)
    world.write("notes.txt", "uncommitted work to be saved\n")
    statuses = {
        "doctor": world.autopilot("doctor"),
        "init": world.autopilot("init"),
        "agents": world.autopilot("agents"),
        "dry run": world.autopilot("run", "all", "--dry-run"),
        "run": world.run("all"),
        "status": world.autopilot("status"),
        "report": world.autopilot("report"),
        "log": world.autopilot("log", "verify"),
        "evidence": world.autopilot("evidence", "1"),
        "resume": world.resume(),
    }
    assert not world.hostile.fired.exists()
    failed = {name: ran for name, ran in statuses.items() if ran.status != 0 and name not in ("doctor", "resume")}
    assert failed == {}
    assert (world.project / "part-01-01.sh").exists(), "it landed"
    assert world.hostile.fires_in_plain_git(plain), "the control did not fire: this attack proves nothing"
    assert world.hostile.fires_in_plain_git({**plain, "PATH": f".:{plain['PATH']}"})


def test_no_command_imports_a_module_of_the_checkout(world: HostileWorld) -> None:
    """With more sources than one process parses by itself."""
    plain = World(world.folder, world.plot)
    for number in range(120):
        world.write(f"sources/part_{number}.py", f"def part_{number}():\n    return {number}\n")
    world.hostile.plant_modules()
    plain.commit("sources")  # by plain git, which runs the hooks
    world.hostile.fired.unlink()
    statuses = {
        words: world.autopilot(*words.split()).status
        for words in (
            "repomap build",
            "repomap status",
            "repomap query defines part_7",
            "repomap top",
            "progress",
            "phase show 1",
        )
    }
    statuses["run"] = world.run("all").status
    assert not world.hostile.fired.exists()
    assert set(statuses.values()) == {0}, statuses
    assert world.hostile.imports_in_plain_python(plain.environment), "the control did not fire: this proves nothing"


def test_the_page_is_opened_by_no_browser_of_the_checkout(world: HostileWorld) -> None:
    """covers: CMD-WEB, T1"""
    environment = {**world.environment, "TERM": "dumb"}
    environment.pop("DISPLAY", None)
    environment.pop("WAYLAND_DISPLAY", None)
    words = (sys.executable, "-P", "-m", "autopilot", "web", "--port", "0")
    where: dict[str, Any] = {"cwd": world.project, "env": environment}
    with subprocess.Popen(words, **where, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as page:
        assert page.stdout is not None and page.stderr is not None
        assert page.stdout.readline().startswith("open http://127.0.0.1")
        assert page.stderr.readline().startswith("Ctrl-C"), "by then a browser has been looked for"
        page.terminate()
    assert not world.hostile.fired.exists()
    opened = "import webbrowser; webbrowser.open('http://127.0.0.1:9')"
    subprocess.run((sys.executable, "-P", "-c", opened), **where, check=False)
    assert world.hostile.fired.exists(), "the control did not fire: this attack proves nothing"


STEERING = "\x1b[2J\x1b]0;title\x07\x9b31m\u202e\u2066"


def test_names_in_a_checkout_steer_no_terminal(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(planned=True))
    world.write(f"one{STEERING}.py", "def odd():\n    return 1\n")
    world.write("two\n.py", "def odd():\n    return 1\n")
    world.write("three.js", f"class {STEERING[-1]}Odd {{}}\nfunction odd() {{}}\n")
    world.write(
        ".planning/ROADMAP.md", world.read(".planning/ROADMAP.md").replace("Phase 1:", f"Phase 1: {STEERING}", 1)
    )
    world.commit("names")
    assert set(STEERING) <= set(os.fsdecode(b"".join(os.fsencode(path.name) for path in world.project.iterdir())))
    shown = ("repomap query defines odd", "repomap status", "repomap build", "progress", "phase show 1", "phase show")
    commands = [*shown, *(f"{words} --json" for words in shown), "repomap top", "repomap export --print", "doctor"]
    said = {words: world.autopilot(*words.split()) for words in [*commands, "phase add Another --dry-run"]}
    signs = {sign for sign in STEERING if not sign.isprintable()}
    steered = {words: ran.out for words, ran in said.items() if set(ran.out + ran.err) & signs}
    assert steered == {}
    assert {words for words, ran in said.items() if ran.status not in (0, 5)} == set()
    assert "one" in said["repomap query defines odd"].out


LEADING_OUT = {
    "the folder of projections": (".autopilot", ""),
    "the map's own file": (".autopilot/repo-map.json", "precious"),
    "the folder's own list": (".autopilot/.gitignore", "precious"),
}


@pytest.mark.parametrize("link", LEADING_OUT)
def test_an_exported_map_is_written_through_no_link(tmp_path: Path, link: str) -> None:
    world = make_world(tmp_path, Plot(planned=True))
    name, target = LEADING_OUT[link]
    precious = tmp_path / "decoy/precious"
    precious.parent.mkdir()
    place = world.project / name
    place.parent.mkdir(exist_ok=True)
    place.symlink_to(tmp_path / "decoy" / target)
    (place if target else place / "precious").write_text("changed", encoding="utf-8")
    assert precious.read_text(encoding="utf-8") == "changed", "the control: a plain write goes through"
    precious.write_text("precious", encoding="utf-8")
    world.autopilot("repomap", "export")
    assert [path.read_text(encoding="utf-8") for path in precious.parent.iterdir()] == ["precious"]


def test_a_checkout_with_a_filter_of_its_own_is_refused_and_the_filter_never_runs(world: HostileWorld) -> None:
    plain = World(world.folder, world.plot).environment
    world.hostile.configure(FILTER)
    world.write("README.md", "# PARTS\n")
    refusal = "the content filter 'x' is not supported yet"
    assert refusal in world.autopilot("doctor").out
    ran = world.run("all")
    assert ran.status == 2 and refusal in ran.err
    assert not world.hostile.fired.exists()
    assert world.hostile.fires_in_plain_git(plain), "the control did not fire: this attack proves nothing"


def test_an_issue_in_a_hostile_checkout_with_a_forge_starts_none_of_its_programs(tmp_path: Path) -> None:
    plain = make_issue_world(tmp_path, honest_calls()).environment
    made = HostileIssueWorld(tmp_path)
    made.hostile = Hostile(tmp_path, made.project)
    made.hostile.configure(CONFIG)
    evil = made.project / "evil.git"
    subprocess.run(("git", "init", "-q", "--bare", str(evil)), env=plain, check=True)
    for name in ("pre-receive", "update", "post-receive"):
        (evil / "hooks" / name).symlink_to(made.hostile.program)
    made.set_settings('[forge]\nkind = "git"\nremote = "origin"\n')
    assert made.issue().status == 3
    assert made.autopilot("approve", f"design-{NUMBER}-1").status == 0
    made.issue()
    assert not made.hostile.fired.exists()
    assert (made.project / f".git/refs/heads/{BRANCH}").exists(), "the work is handed over all the same"
    assert made.hostile.fires_in_plain_git(plain), "the control did not fire: this attack proves nothing"
