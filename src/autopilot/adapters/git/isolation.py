"""Git on a repository that we do not configure: its objects, refs and ignore rules, never its configuration.

Git takes configuration and hooks from the *common directory*. For us that is a folder of our own: a configuration of
three lines, and links to those parts of the repository that are data. Whatever the repository configures, in whichever
file and spelling, no git of ours obeys it: there is no list of dangerous settings that could lack one.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping
from pathlib import Path

from autopilot.adapters.files import translated, write_atomically
from autopilot.adapters.git.command import DURABLE, Git
from autopilot.adapters.git.repository import git_dirs

_CONFIG = b"[core]\n\trepositoryformatversion = 0\n\tbare = false\n"
# How objects are named is no choice but a property of the data: the one thing that is taken over.
_LONG_CONFIG = b"[core]\n\trepositoryformatversion = 1\n\tbare = false\n[extensions]\n\tobjectformat = sha256\n"
_IS_LONG = re.compile(rb"^[ \t]*objectformat[ \t]*=[ \t]*sha256[ \t\r]*$", re.IGNORECASE | re.MULTILINE)
_DATA = ("objects", "refs", "packed-refs", "logs", "info", "shallow")


def isolated_git(checkout: Path, scratch: Path, settings: Mapping[str, str] = DURABLE) -> Git:
    """``scratch``: a folder of ours that holds the common directory, one for each checkout."""
    own, common = git_dirs(checkout)
    name = hashlib.sha256(os.fsencode(own)).hexdigest()[:16]
    ours = scratch / f"common-{name}"
    _lay_out(ours, common)
    # Git would make the missing folder of the logs itself, but not at the end of a link.
    logs = {} if (common / "logs").is_dir() else {"core.logAllRefUpdates": "false"}
    return Git(own, checkout, {**settings, **logs}, {"GIT_COMMON_DIR": str(ours)})


def _lay_out(ours: Path, common: Path) -> None:
    """Each part is put in place by itself and at once: another process may be using the folder."""
    with translated(ours):
        ours.mkdir(mode=0o700, parents=True, exist_ok=True)
        for part in _DATA:
            _link(ours / part, common / part)
        config = ours / "config"
        wanted = _LONG_CONFIG if _has_long_ids(common / "config") else _CONFIG
        if not config.exists() or config.read_bytes() != wanted:
            write_atomically(config, wanted)


def _has_long_ids(config: Path) -> bool:
    return config.is_file() and _IS_LONG.search(config.read_bytes()) is not None


def _link(place: Path, target: Path) -> None:
    if place.is_symlink() and place.readlink() == target:
        return
    draft = place.with_name(f".{place.name}.{os.urandom(6).hex()}")
    draft.symlink_to(target)
    draft.replace(place)
