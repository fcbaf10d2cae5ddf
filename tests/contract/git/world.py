"""A user's repository, a vault and workspaces to try things on; and plain git, as anyone would run it."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from autopilot.adapters.git.checkout.checkout import GitCheckout
from autopilot.adapters.git.vault import GitVault
from autopilot.adapters.git.workspaces import GitWorkspaces
from autopilot.ports.git import Author

AT = datetime(2024, 5, 17, 12, 0, tzinfo=UTC)
AUTHOR = Author("Ada", "ada@example.org")
AWKWARD = ("with space.txt", "quo\"te's.txt", "new\nline.txt", "ünï/cödé.txt", "tab\there.txt", "-dash", "[glob]*?.txt")


@dataclass(frozen=True)
class Repo:
    """A repository handled with plain git, hooks, filters and all."""

    path: Path

    def git(
        self, *arguments: str, ok: bool = True, stdin: bytes | None = None, env: dict[str, str] | None = None
    ) -> bytes:
        env = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.path.parent),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": "/dev/null",
            "LC_ALL": "C.UTF-8",
            **(env or {}),
        }
        for role in ("AUTHOR", "COMMITTER"):
            env |= {f"GIT_{role}_NAME": "User", f"GIT_{role}_EMAIL": "user@example.org"}
        done = subprocess.run(
            ["git", "-c", "safe.directory=*", *arguments],
            cwd=self.path, env=env, input=stdin, capture_output=True, timeout=60,
        )  # fmt: skip
        assert not ok or done.returncode == 0, done.stderr.decode()
        return done.stdout

    def word(self, *arguments: str) -> str:
        return self.git(*arguments).decode().strip()

    @property
    def head(self) -> str:
        return self.word("rev-parse", "HEAD")

    def write(self, path: str, text: str | bytes) -> Path:
        file = self.path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)
        return file

    def commit(self, message: str = "work") -> str:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.head

    def standing(self) -> dict[str, object]:
        """All that must be the same after we looked. Status is asked last: it may refresh the index."""
        seen: dict[str, object] = {"index": (self.path / ".git/index").read_bytes()}
        for file in sorted(self.path.rglob("*")):
            inside = file.relative_to(self.path).parts[0]
            if inside not in (".git", ".autopilot"):
                facts = file.lstat()
                content = file.read_bytes() if file.is_file() else b""
                seen[str(file)] = (facts.st_mode, facts.st_mtime_ns, facts.st_ctime_ns, content)
        seen["entries"] = self.git("--no-optional-locks", "ls-files", "-s")
        seen["status"] = self.git("--no-optional-locks", "status", "--porcelain", "--ignored", "--", ":!.autopilot")
        seen["stash"] = self.git("stash", "list")
        seen["branches"] = self.git("for-each-ref", "refs/heads", "refs/tags", "refs/stash")
        return seen


@dataclass(frozen=True)
class World:
    user: Repo
    vault: GitVault
    workspaces: GitWorkspaces
    checkout: GitCheckout

    def change(self, edits: dict[str, bytes | None], base: str = "") -> str:
        """A commit in the vault on top of the user's HEAD."""
        base = base or self.user.head
        if not self.vault.has(base):
            self.vault.adopt(base)
        return self.vault.commit(self.vault.edit_tree(base, edits), [base], "change", AT, AUTHOR)


def make_repo(path: Path, files: dict[str, str]) -> Repo:
    path.mkdir(parents=True)
    repo = Repo(path)
    repo.git("init", "-q", "-b", "main", ".")
    for name, text in files.items():
        repo.write(name, text)
    repo.commit("first")
    return repo


def make_world(folder: Path, user: Repo) -> World:
    vault = GitVault(folder / "state" / "vault.git", user.path)
    workspaces = GitWorkspaces(folder / "state" / "workspaces", vault, lambda _: None)
    return World(user, vault, workspaces, GitCheckout(user.path, vault))
