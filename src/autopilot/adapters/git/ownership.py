"""Whose repository it is: git refuses one that belongs to another user, and so do we, with git's own remedy.

We name the repository to git by its path, which switches git's check off, so it is made here: its rules, its settings.
"""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

from autopilot.adapters.git.command import git_program
from autopilot.adapters.git.repository import git_dirs
from autopilot.model.errors import UsageError

TIMEOUT_S = 30.0


def refuse_foreign(checkout: Path, environment: Mapping[str, str], user: int | None = None) -> None:
    """UsageError where git itself would speak of dubious ownership. ``user``: who asks, if not this process."""
    own, _ = git_dirs(checkout)
    user = os.geteuid() if user is None else user
    ours = _trusted_users(user, environment)
    foreign = next((path for path in (checkout, checkout / ".git", own) if path.lstat().st_uid not in ours), None)
    if foreign is None or _is_declared_safe(checkout, environment):
        return
    owner = f"user {foreign.lstat().st_uid}, you are user {user}"
    raise UsageError(
        f"git detects dubious ownership in the repository at {checkout}: {foreign} belongs to {owner}",
        f"if you trust it: `git config --global --add safe.directory {shlex.quote(str(checkout))}`",
    )


def _trusted_users(user: int, environment: Mapping[str, str]) -> set[int]:
    """Ourselves; behind sudo also the user who called it, as git has it."""
    caller = environment.get("SUDO_UID", "")
    is_sudo = user == 0 and caller.isascii() and caller.isdigit()
    return {user, *([int(caller)] if is_sudo else [])}


def _is_declared_safe(checkout: Path, environment: Mapping[str, str]) -> bool:
    """By the user or the machine, never by the repository. An empty line takes back what stood before it."""
    safe = False
    for place in _declared(environment):
        if place in ("", "."):
            safe = False if place == "" else safe
        elif place == "*" or Path(place) == checkout or (place.endswith("/*") and Path(place[:-2]) in checkout.parents):
            safe = True
    return safe


def _declared(environment: Mapping[str, str]) -> Iterator[str]:
    """In the order git reads them. Asked outside of every repository: none of a repository's settings is read."""
    kept = {name: environment[name] for name in ("HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL") if name in environment}
    for scope in ("--system", "--global"):
        argv = (git_program(), "config", scope, "--null", "--type=path", "--get-all", "safe.directory")
        settings = {"PATH": "/nonexistent", "LC_ALL": "C.UTF-8", "GIT_DIR": "/nonexistent", **kept}
        asked = subprocess.run(
            argv, cwd="/", env=settings, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT_S, check=False
        )
        yield from asked.stdout.decode("utf-8", "surrogateescape").split("\0")[:-1]
