"""A git remote without a forge: branches are pushed there, and that is all. A bare repository in a folder will do."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from autopilot.adapters.forge.program import Ended, run_program
from autopilot.adapters.git.command import git_program
from autopilot.adapters.git.isolation import isolated_git
from autopilot.adapters.git.repository import git_dirs
from autopilot.adapters.git.vault import GitVault
from autopilot.model.errors import Unavailable
from autopilot.ports.forge import OURS, ForgeIssue

TIMEOUT_S = 120.0
NAME = "autopilot-forge"  # of the remote for this one call; its address is often a secret, and no argument
# The protocols of addresses people push to; `ext::` and its like would name a program.
PROTOCOLS = "file:ssh:https:http"
# How the user's own git finds its keys, and nothing that names another repository or further settings.
_KEPT = re.compile(r"GIT_(?:SSH|SSH_COMMAND|SSL_\w+|CONFIG_GLOBAL|CONFIG_SYSTEM|CONFIG_NOSYSTEM)\Z")
_COMMIT = re.compile(r"[0-9a-f]{40}\Z")
_SECRET = re.compile(r"(?<=://)[^/@\s]+@")


class BareForge:
    def __init__(self, vault: GitVault, repository: Path, remote: str, environment: Mapping[str, str]) -> None:
        """``repository``: the user's checkout, whose remotes have names. ``environment``: the user's own."""
        self._vault = vault
        self._repository = repository
        self._remote = remote
        self._environment = dict(environment)

    def issue(self, number: int) -> ForgeIssue | None:  # noqa: ARG002 -- a repository has none
        return None

    def push(self, commit: str, branch: str) -> str:
        """From the vault, so that no hook and no setting of the checkout has a part in it.

        Without force git itself compares: what is there must be an ancestor, when it is read and when it is replaced.
        """
        if not branch.startswith(OURS):
            raise Unavailable(f"{branch} is not a branch of ours", f"Only branches below {OURS} are pushed.")
        # A revision that is none could mean to force, or to delete.
        if not _COMMIT.match(commit) or not self._vault.has(commit):
            raise Unavailable(f"there is no commit {commit!r} to push", "Run `autopilot log verify`.")
        options = ("--porcelain", "--no-verify", "--no-follow-tags", "--recurse-submodules=no", "--no-signed")
        words = (git_program(), "push", *options, NAME, f"{commit}:refs/heads/{branch}")
        ended = run_program(words, self._vault.path, self._settled(self.address()), TIMEOUT_S)
        if ended.code != 0:
            raise self._failure(branch, ended)
        return branch

    def draft(self, branch: str, base: str, title: str, body: str) -> str:  # noqa: ARG002 -- nowhere to show it
        return ""

    def comment(self, url: str, body: str) -> None: ...

    def label(self, number: int, label: str) -> None: ...

    def address(self) -> str:
        """What the remote's name stands for in the checkout, or the address that is written in its place."""
        git = isolated_git(self._repository, self._vault.path)
        words = ("config", "--file", str(git_dirs(self._repository)[1] / "config"), "--includes", "--get")
        for key in ("pushurl", "url"):
            said = git.ask(*words, f"remote.{self._remote}.{key}").output.decode("utf-8", "replace").strip()
            if said:
                return self._whole(said)
        if "/" in self._remote or ":" in self._remote:
            return self._whole(self._remote)
        hint = (
            f"Add it (git remote add {self._remote} …), or name another as remote below [forge] in your settings.toml."
        )
        raise Unavailable(f"this repository has no remote named {self._remote}", hint)

    def _whole(self, address: str) -> str:
        """A path is meant from the checkout, where git would read it; from the vault it would lead elsewhere."""
        is_path = "://" not in address and ":" not in address.split("/", 1)[0]
        return str(self._repository / address) if is_path else address

    def _settled(self, address: str) -> dict[str, str]:
        """The user's environment and personal settings, for keys and proxies; the rest of git's is ours."""
        own = {k: v for k, v in self._environment.items() if not k.startswith("GIT_") or _KEPT.match(k)}
        settings = {
            f"remote.{NAME}.url": address,
            "core.hooksPath": "/dev/null",
            "core.askPass": "",
            "gc.auto": "0",
            "maintenance.auto": "false",
        }
        pairs = {
            f"GIT_CONFIG_{part}_{n}": text
            for n, pair in enumerate(settings.items())
            for part, text in zip(("KEY", "VALUE"), pair, strict=True)
        }
        return (
            own
            | pairs
            | {
                "GIT_CONFIG_COUNT": str(len(settings)),
                "GIT_DIR": str(self._vault.path),
                "GIT_ALLOW_PROTOCOL": PROTOCOLS,
                "GIT_TERMINAL_PROMPT": "0",
                "GIT_NO_REPLACE_OBJECTS": "1",
                "LC_ALL": "C.UTF-8",
            }
        )

    def _failure(self, branch: str, ended: Ended) -> Unavailable:
        where = f"{branch} at the remote {_SECRET.sub('', self._remote)}"
        if re.search(r"^!.*\((?:fetch first|non-fast-forward|stale info|needs force)\)", ended.output, re.MULTILINE):
            hint = "Look at what was pushed there; rename or delete that branch, and run again."
            return Unavailable(f"{where} holds commits that are not ours, and is left as it is", hint)
        lines = [line for line in ended.complaint.splitlines() if line.startswith(("fatal:", "error:", "remote:"))]
        said = (lines or ended.complaint.splitlines() or ended.output.splitlines() or ["git said nothing"])[0]
        hint = "Try `git push` there yourself; the remote is named below [forge] in your settings.toml."
        return Unavailable(f"{where} could not be pushed: {_SECRET.sub('', said)}", hint)
