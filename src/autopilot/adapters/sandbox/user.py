"""Whom commands run as. Nothing inside a sandbox is ever root, not even to the kernel.

An ordinary user's commands run as that user. Root's run as a number of their own: to the kernel, root inside a user
namespace is still the owner of root's files, and of the machine's control groups where those can be mounted.
"""

from __future__ import annotations

import os
import pwd
import subprocess
from functools import cache
from pathlib import Path

from autopilot.model.errors import Unavailable

# Below the numbers that systemd gives out by itself, and within the 65,536 that a rootless container has.
_HIGHEST, _LOWEST = 61_183, 60_001
INSIDE = 1000  # what root's commands see as their own number

# What we give away ourselves: most folders are small, and a process for each would be felt.
_FEW, _SHALLOW = 500, 20
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@cache
def kernel_uid() -> int | None:
    """The number that stands in for root: the highest that no account has. None for an ordinary user."""
    if os.geteuid() != 0:
        return None
    return next((uid for uid in range(_HIGHEST, _LOWEST, -1) if not _has_account(uid)), _HIGHEST)


def _has_account(uid: int) -> bool:
    try:
        pwd.getpwuid(uid)
    except KeyError:
        return False
    return True


NAME = "user"  # of who has no account


def find_name(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return NAME


def render_accounts(accounts: str, uid: int, home: str) -> str:
    """The accounts with one for this number, where it has none: a database refuses to start for a user without a name.

    "" where nothing is missing.
    """
    numbers = {fields[2] for line in accounts.splitlines() if len(fields := line.split(":")) > 2}
    return "" if str(uid) in numbers else f"{accounts.rstrip()}\n{NAME}:x:{uid}:{uid}::{home}:/bin/bash\n"


def render_map(uid: int) -> str:
    """For the user namespace in which the surroundings are mounted: root for that, the other for the command."""
    return f"0 0 1\n{INSIDE} {uid} 1\n"


def give_away(folder: Path) -> None:
    """Make everything in a folder of ours belong to the command that will run there. Links are not followed."""
    uid = kernel_uid()
    if uid is None or _give_few(folder, uid):
        return
    # The system's own program: however deep an agent's folders go, it enters them all, and follows no link.
    argv = ["chown", "--recursive", "--no-dereference", "-P", f"{uid}:{uid}", "--", str(folder)]
    done = subprocess.run(argv, env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Unavailable(
            f"{folder} could not be given to user {uid}: {done.stderr.strip()[:300]}",
            "Check that the disk has room and can be written to.",
        )


def _give_few(folder: Path, uid: int) -> bool:
    """Whether it was small enough, and all of it was given."""
    try:
        return _give_entries(str(folder), None, uid, _FEW, _SHALLOW) >= 0
    except OSError:
        return False


def _give_entries(name: str, parent: int | None, uid: int, left: int, depth: int) -> int:
    """How many more entries are few; below zero when there are too many. By descriptors, so no link is followed."""
    if not depth:
        return -1
    here = os.open(name, _FOLDER, dir_fd=parent)
    try:
        os.fchown(here, uid, uid)
        with os.scandir(here) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    left = _give_entries(entry.name, here, uid, left - 1, depth - 1)
                else:
                    os.chown(entry.name, uid, uid, dir_fd=here, follow_symlinks=False)
                    left -= 1
                if left < 0:
                    return left
    finally:
        os.close(here)
    return left


def is_open_to_all(path: Path) -> bool:
    """Whether a user who owns nothing on the way can reach it."""
    return all(parent.stat().st_mode & 0o001 for parent in path.parents)
