"""The remotes of the user's checkout, read as data; and the environment of a git that shall know nothing else of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from autopilot.adapters.git.isolation import isolated_git
from autopilot.adapters.git.repository import git_dirs
from autopilot.adapters.git.settings import read_matching

# The protocols of addresses people push to; `ext::` and its like would name a program.
PROTOCOLS = "file:ssh:https:http"
# Names and addresses. What else a remote can have names programs: to upload, to receive, to connect.
_ADDRESSES = r"^remote\..*\.(url|pushurl|fetch|gh-resolved)$"
# How the user's own git finds its keys, and nothing that names another repository or further settings.
_KEPT = re.compile(r"GIT_(?:SSH|SSH_COMMAND|SSL_\w+|CONFIG_GLOBAL|CONFIG_SYSTEM|CONFIG_NOSYSTEM)\Z")
_OURS = {"core.hooksPath": "/dev/null", "core.askPass": "", "gc.auto": "0", "maintenance.auto": "false"}


def read_remotes(repository: Path, scratch: Path) -> dict[str, str]:
    """By key, such as ``remote.origin.url``. ``scratch``: a folder of ours."""
    config = git_dirs(repository)[1] / "config"
    found = read_matching(isolated_git(repository, scratch), config, _ADDRESSES)
    return {key: value.strip() for key, value in found.items()}


def is_local(address: str) -> bool:
    """Whether it is a folder of this machine, whose hooks git would run there."""
    return address.startswith("file:") or ("://" not in address and ":" not in address.split("/", 1)[0])


def git_environment(environment: Mapping[str, str], git_dir: Path, settings: Mapping[str, str]) -> dict[str, str]:
    """The user's environment and personal settings, for keys and proxies; the repository and the rest are ours."""
    settings = {**settings, **_OURS}
    kept = {name: value for name, value in environment.items() if not name.startswith("GIT_") or _KEPT.match(name)}
    pairs = {
        f"GIT_CONFIG_{part}_{number}": text
        for number, pair in enumerate(settings.items())
        for part, text in zip(("KEY", "VALUE"), pair, strict=True)
    }
    return {
        **kept,
        **pairs,
        "GIT_CONFIG_COUNT": str(len(settings)),
        "GIT_DIR": str(git_dir),
        "GIT_ALLOW_PROTOCOL": PROTOCOLS,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "LC_ALL": "C.UTF-8",
    }
