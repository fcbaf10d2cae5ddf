"""Whether this user may work in a repository: git's own rule about foreign owners."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Collection, Iterator
from pathlib import Path
from shlex import quote

from autopilot.adapters.git.command import git_program
from autopilot.model.git import Refusal

_PATIENCE_S = 20


def access_refusals(folder: Path, own: Path) -> Iterator[Refusal]:
    """``own``: the git directory of this checkout."""
    owners = {path.stat().st_uid for path in (folder, own)}
    if owners - _ourselves() and not is_listed_safe(folder, _safe_folders()):
        trust = f"if you trust it: `git config --global --add safe.directory {quote(str(folder))}`"
        owner = f"it belongs to user {max(owners - _ourselves())}, not to you"
        yield Refusal(f"git calls its ownership dubious: {owner}", trust)


def is_listed_safe(folder: Path, listed: Collection[str]) -> bool:
    """As `git config` describes safe.directory: a folder, everything below one, or all; an empty entry clears those
    before it."""
    known = list(listed)
    known = known[len(known) - known[::-1].index("") :] if "" in known else known
    below = [entry.removesuffix("/*") for entry in known if entry.endswith("/*")]
    return "*" in known or str(folder) in known or any(folder.is_relative_to(parent) for parent in below)


def _ourselves() -> set[int]:
    """Root may work in what belongs to the user who became root."""
    sudo = os.environ.get("SUDO_UID", "")
    return {os.geteuid(), *((int(sudo),) if os.geteuid() == 0 and sudo.isdecimal() else ())}


def _safe_folders() -> list[str]:
    """Of the user's and the machine's config alone: a repository must not vouch for itself."""
    ask = (git_program(), "config", "--null", "--get-all", "safe.directory")
    done = subprocess.run(ask, cwd="/", capture_output=True, check=False, timeout=_PATIENCE_S)
    return os.fsdecode(done.stdout).split("\0")[:-1]
