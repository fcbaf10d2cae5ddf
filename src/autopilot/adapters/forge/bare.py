"""A git remote without a forge: branches are pushed there, and that is all. A bare repository in a folder will do."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from autopilot.adapters.forge.none import LIST
from autopilot.adapters.forge.program import Ended, run_program
from autopilot.adapters.forge.remotes import git_environment, is_local, read_remotes
from autopilot.adapters.git.command import git_program
from autopilot.adapters.git.vault import GitVault
from autopilot.model.errors import Unavailable
from autopilot.model.forge import PlannedIssue
from autopilot.ports.forge import OURS, ForgeIssue, StatusState

TIMEOUT_S = 120.0
NAME = "autopilot-forge"  # of the remote for this one call; its address is often a secret, and no argument
WHERE = "below [forge] in your settings.toml"
_COMMIT = re.compile(r"[0-9a-f]{40}\Z")
_SECRET = re.compile(r"(?<=://)[^/@\s]+@")


class BareForge:
    def __init__(self, vault: GitVault, repository: Path, remote: str, environment: Mapping[str, str]) -> None:
        """``repository``: the user's checkout, whose remotes have names. ``environment``: the user's own."""
        self._vault = vault
        self._repository = repository
        self._remote = remote
        self._environment = dict(environment)

    def check(self) -> None:
        self.address()

    def issue(self, number: int) -> ForgeIssue | None:  # noqa: ARG002 -- a repository has none
        return None

    def planned(self, milestone: str) -> tuple[PlannedIssue, ...]:  # noqa: ARG002
        raise Unavailable("a git remote has no issues", LIST)

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
        arguments = (git_program(), "push", *options, NAME, f"{commit}:refs/heads/{branch}")
        environment = git_environment(self._environment, self._vault.path, {f"remote.{NAME}.url": self.address()})
        ended = run_program(arguments, self._vault.path, environment, TIMEOUT_S)
        if ended.code != 0:
            raise self._failure(branch, ended)
        return branch

    def draft(self, branch: str, base: str, title: str, body: str) -> str:  # noqa: ARG002 -- nowhere to show it
        return ""

    def comment(self, url: str, body: str) -> None: ...

    def label(self, number: int, label: str) -> None: ...

    def status(self, commit: str, state: StatusState, name: str, text: str, url: str = "") -> None: ...

    def address(self) -> str:
        """The address in the user's settings, or what the name there stands for in the checkout."""
        if "/" in self._remote or ":" in self._remote:
            return self._outside(self._remote)
        known = read_remotes(self._repository, self._vault.path)
        address = known.get(f"remote.{self._remote}.pushurl") or known.get(f"remote.{self._remote}.url")
        if not address:
            hint = f"Add it (git remote add {self._remote} …), or name another as remote {WHERE}."
            raise Unavailable(f"this repository has no remote named {self._remote}", hint)
        if is_local(address):
            hint = f"If you trust that folder and its hooks, write its whole path as remote {WHERE}."
            raise Unavailable(f"the remote {self._remote} is a folder of this machine: {address}", hint)
        return address

    def _outside(self, address: str) -> str:
        """A path is meant from the checkout, but leads out of it: a repository in there would bring its own hooks."""
        if not is_local(address):
            return address
        path = Path(os.path.realpath(self._repository / address.removeprefix("file://")))
        if path.is_relative_to(self._repository):
            hint = f"Name a folder elsewhere as remote {WHERE}."
            raise Unavailable(f"the remote {address} lies inside the checkout", hint)
        return str(path)

    def _failure(self, branch: str, ended: Ended) -> Unavailable:
        where = f"{branch} at the remote {_SECRET.sub('', self._remote)}"
        if re.search(r"^!.*\((?:fetch first|non-fast-forward|stale info|needs force)\)", ended.output, re.MULTILINE):
            hint = "Look at what was pushed there; rename or delete that branch, and run again."
            return Unavailable(f"{where} holds commits that are not ours, and is left as it is", hint)
        lines = [line for line in ended.complaint.splitlines() if line.startswith(("fatal:", "error:", "remote:"))]
        message = (lines or ended.complaint.splitlines() or ended.output.splitlines() or ["git said nothing"])[0]
        hint = f"Try `git push` there yourself; the remote is named {WHERE}."
        return Unavailable(f"{where} could not be pushed: {_SECRET.sub('', message)}", hint)
