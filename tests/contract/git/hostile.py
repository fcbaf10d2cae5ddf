"""A downloaded folder whose git directory an attacker prepared, and everything Autopilot does with a checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from autopilot.adapters.forge.remotes import read_remotes
from autopilot.adapters.git.checkout.checkout import GitCheckout
from autopilot.adapters.git.isolation import isolated_git
from autopilot.adapters.git.repository import locate
from autopilot.adapters.git.vault import GitVault
from autopilot.api.issue.red_evidence import find_commit
from autopilot.model.errors import AutopilotError
from autopilot.model.git import LandingState
from tests.contract.git.world import AT, AUTHOR, Repo, make_repo

HOOKS = [
    "applypatch-msg",
    "commit-msg",
    "fsmonitor-watchman",
    "post-applypatch",
    "post-checkout",
    "post-commit",
    "post-index-change",
    "post-merge",
    "post-rewrite",
    "pre-applypatch",
    "pre-auto-gc",
    "pre-commit",
    "pre-merge-commit",
    "prepare-commit-msg",
    "pre-push",
    "pre-rebase",
    "push-to-checkout",
    "reference-transaction",
]
FILES = {
    ".gitattributes": "*.md filter=x diff=x merge=x\n",
    "notes.md": "notes\n",
    "src/app.md": "application\n",
    "src/lib.py": "LIB = 1\n",
}


@dataclass(frozen=True)
class Scene:
    """One hostile checkout beside a repository of the user's own, the victim."""

    folder: Path
    user: Repo
    victim: Repo

    @property
    def fired(self) -> Path:
        """Made by the planted program."""
        return self.folder / "fired"

    @property
    def program(self) -> Path:
        return self.folder / "program"

    @property
    def hooks(self) -> Path:
        """A folder with every hook, each of which is the planted program."""
        return self.folder / "hooks"

    def text(self, pattern: str | bytes) -> bytes:
        """With the places of this scene in it."""
        text = pattern.encode() if isinstance(pattern, str) else pattern
        places = {b"PROGRAM": self.program, b"HOOKS": self.hooks, b"VICTIM": self.victim.path, b"FOLDER": self.folder}
        for word, path in places.items():
            text = text.replace(word, os.fsencode(path))
        return text

    def configure(self, section: str | bytes) -> None:
        with (self.user.path / ".git/config").open("ab") as file:
            file.write(self.text(section))


Act = Callable[[Scene], object]


def make_template(folder: Path) -> Path:
    """Both repositories, made once: each attack gets a copy."""
    user = make_repo(folder / "project", FILES)
    user.git("checkout", "-q", "-b", "other")
    user.write("notes.md", "others\n")
    user.commit("theirs")
    user.git("checkout", "-q", "main")
    user.write("src/app.md", "application 2\n")
    user.write("notes.md", "mine\n")
    user.commit("ours")
    victim = make_repo(folder / "victim", {"own.txt": "the user's own\n"})
    victim.git("worktree", "add", "-q", "-b", "side", "../victim-side")
    return folder


def make_scene(template: Path, folder: Path) -> Scene:
    for name in ("project", "victim"):
        shutil.copytree(template / name, folder / name, symlinks=True)
    scene = Scene(folder, Repo(folder / "project"), Repo(folder / "victim"))
    scene.program.write_text(f"#!/bin/sh\n: >{scene.fired}\n")  # by the shell alone: git may have no PATH
    scene.program.chmod(0o755)
    (scene.user.path / ".git/hooks").mkdir(exist_ok=True)
    scene.hooks.mkdir()
    for name in HOOKS:
        (scene.hooks / name).symlink_to(scene.program)
    return scene


def use(scene: Scene) -> list[str]:
    """Do with the checkout all that the commands do, from doctor to landing and issue mode; return what failed."""
    user = scene.user
    failures: list[str] = []
    original = (user.path / "notes.md").read_bytes()
    try:
        locate(user.path / "src")
        vault = GitVault(scene.folder / "state/vault.git", user.path)
        checkout = GitCheckout(user.path, vault, home=scene.folder)
        head = checkout.head()
        user.write("notes.md", original.upper())  # as long as before: it has to be read
        user.write("untracked.md", "u\n")
        for look in (checkout.facts, checkout.dirty, checkout.snapshot):
            _try(look, failures)
        user.write("notes.md", original)
        (user.path / "untracked.md").unlink()
        _try(lambda: read_remotes(user.path, vault.path), failures)
        _try(lambda: find_commit(isolated_git(user.path, vault.path), head), failures)
        _try(lambda: checkout.write_documents({".autopilot/state.json": b"{}"}), failures)
        _try(lambda: _land(vault, checkout, head), failures)
        vault.close()
    except AutopilotError as error:
        failures.append(str(error))
    return failures


def _land(vault: GitVault, checkout: GitCheckout, head: str) -> None:
    vault.adopt(head)
    new = vault.commit(vault.edit_tree(head, {"notes.md": b"landed\n", "new.md": b"n\n"}), [head], "new", AT, AUTHOR)
    checkout.offer("run", new)
    for result in (checkout.blockers(head, new), checkout.land(head, new)):
        assert result.state is LandingState.LANDED, result
    assert (checkout.path / "notes.md").read_bytes() == b"landed\n"


def _try(act: Callable[[], object], failures: list[str]) -> None:
    try:
        act()
    except (AutopilotError, AssertionError) as error:
        failures.append(str(error))


def git(*words: str, stdin: bytes = b"", env: dict[str, str] | None = None) -> Act:
    """Plain git in the checkout, as anyone would run it."""

    def act(scene: Scene) -> None:
        spelled = [os.fsdecode(scene.text(word)) for word in words]
        settled = {key: os.fsdecode(scene.text(value)) for key, value in (env or {}).items()}
        scene.user.git(*spelled, ok=False, stdin=stdin, env=settled)

    return act


def both(*acts: Act) -> Act:
    return lambda scene: [act(scene) for act in acts]


def touch(scene: Scene) -> None:
    scene.user.write("notes.md", "changed\n")


def terminal(*words: str) -> Act:
    """Plain git at a terminal, where it uses a pager."""

    def act(scene: Scene) -> None:
        leader, follower = os.openpty()
        env = {"PATH": os.environ["PATH"], "TERM": "xterm", "HOME": str(scene.folder), "GIT_CONFIG_NOSYSTEM": "1"}
        subprocess.run(["git", *words], cwd=scene.user.path, env=env, stdout=follower, stdin=subprocess.DEVNULL)
        os.close(follower)
        os.close(leader)

    return act
