"""The vault: made, given the user's commits, ours and an agent's work; and the refs that name them."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from autopilot.adapters.git.command import git_program
from autopilot.adapters.git.vault import GitVault
from autopilot.ports.git import Author
from tests.chaos.power_loss.pieces.piece import latest
from tests.chaos.power_loss.promising import promise
from tests.contract.git.world import Repo, make_repo

_AT = datetime(2024, 5, 17, 12, 0, tzinfo=UTC)
_AUTHOR = Author("Ada", "ada@example.org")
_FILES = {"README.md": "one\n" * 100, "src/app.py": "print(1)\n"}
_MANY = 120  # files of a commit: it is taken in as a pack


class VaultPiece:
    def prepare(self, folder: Path) -> None:
        user = make_repo(folder / "user", _FILES)
        (folder / "state").mkdir()
        shutil.copytree(user.path, folder / "clone", symlinks=True)
        clone = Repo(folder / "clone")
        for number in range(_MANY):
            clone.write(f"many/{number}.txt", f"{number}\n")
        clone.commit("many files")

    def perform(self, folder: Path) -> None:
        user = Repo(folder / "user")
        base = _head(user)
        with closing(self.open(folder)) as vault:
            vault.adopt(base)
            promise(f"ref refs/autopilot/adopted/{base} {base}")
            tip = base
            for number in range(3):
                tree = vault.edit_tree(tip, {"README.md": b"%d\n" % number, f"src/{number}/new.py": b"x = 1\n"})
                tip = vault.commit(tree, [tip], f"change {number}", _AT, _AUTHOR)
                promise(f"commit {tip} -")
                vault.set_ref("refs/autopilot/tip", tip)
                promise(f"ref refs/autopilot/tip {tip}")
                vault.anchor("run", f"head {number}")
                promise(f"anchor run head {number}")
            taken = vault.take(folder / "clone", "refs/autopilot/work/1")
            assert taken
            promise(f"ref refs/autopilot/work/1 {taken}")

    def open(self, folder: Path) -> GitVault:
        return GitVault(folder / "state" / "vault.git", folder / "user")

    def judge(self, folder: Path, promised: Sequence[str]) -> None:
        base = _head(Repo(folder / "user"))
        with closing(GitVault(folder / "state" / "vault.git", folder / "user")) as vault:
            for name, commit in latest(promised, "ref").items():
                found = vault.ref(name)
                assert found, f"{name} is lost"
                assert found == commit or vault.is_ancestor(commit, found), f"{name} went back to {found}"
            for commit in latest(promised, "commit"):
                assert vault.has(commit), f"the commit {commit} is lost"
            if anchors := latest(promised, "anchor"):
                assert (vault.anchored("run") or "") >= anchors["run"], "the anchor went back"
            check_objects(vault.path)
            vault.adopt(base)
            tree = vault.edit_tree(base, {"README.md": b"later\n"})
            vault.set_ref("refs/autopilot/later", vault.commit(tree, [base], "later", _AT, _AUTHOR))


def check_objects(git_dir: Path) -> None:
    """Git's own check: everything that refs lead to is there, and whole."""
    done = subprocess.run(
        (git_program(), f"--git-dir={git_dir}", "fsck", "--full", "--no-dangling", "--no-progress"),
        capture_output=True, check=False, text=True, env={"PATH": "/usr/bin:/bin", "GIT_CONFIG_GLOBAL": "/dev/null"},
    )  # fmt: skip
    assert done.returncode == 0, f"git fsck ended with {done.returncode}: {done.stdout}{done.stderr}"


def _head(repo: Repo) -> str:
    """Without a process."""
    return (repo.path / ".git" / "refs" / "heads" / "main").read_text().strip()
