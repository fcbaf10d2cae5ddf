"""What configuration says about a repository: read as data. Only values that cannot name a program take effect."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from autopilot.adapters.git.command import Git, shown
from autopilot.adapters.git.repository import read_plain
from autopilot.model.errors import UsageError

# How a person wants files read and written.
_PERSONAL = ("core.excludesfile", "core.autocrlf", "core.eol")
# How this file system keeps them besides, as git found out when it made the repository or as its owner says.
_HARMLESS = (
    *_PERSONAL,
    "core.filemode",
    "core.symlinks",
    "core.ignorecase",
    "core.precomposeunicode",
    "core.trustctime",
    "core.checkstat",
    "core.logallrefupdates",
    "core.sharedrepository",
)
_WORKTREE_FILE = "extensions.worktreeconfig"
# What makes us refuse a repository.
_TELLING = (r"filter\..*", r"extensions\.partialclone", r"remote\..*\.promisor", r"core\.sparsecheckout")
_OURS = f"^({'|'.join([*_TELLING, *(re.escape(key) for key in (*_HARMLESS, _WORKTREE_FILE))])})$"
# Names in a configuration are written out, never escaped: a file without these words says nothing of interest.
_WORDS = ["filter", "partialclone", "promisor", "sparsecheckout", "include", "worktreeconfig"]
_WORDS += [key.removeprefix("core.") for key in _HARMLESS if key not in ("core.filemode", "core.logallrefupdates")]
_MENTION = re.compile(
    f"{'|'.join(_WORDS)}|(?:filemode|logallrefupdates)(?! = true$)".encode(), re.IGNORECASE | re.MULTILINE
)
_TRUE = ("true", "yes", "on", "1")
_LIMIT = 10 << 20  # bytes of a configuration
_TIMEOUT_S = 20.0  # an included pipe never ends


class Settings(Struct, frozen=True):
    own: dict[str, str]  # in the repository
    personal: dict[str, str]  # in the user's home

    @property
    def filters(self) -> frozenset[str]:
        """The names of content filters that are configured anywhere."""
        return frozenset(_filter_names({**self.own, **self.personal}))

    @property
    def overrides(self) -> dict[str, str]:
        """Settings under which git behaves as for the user, except that it runs no program."""
        personal = {key: value for key, value in self.personal.items() if key in _PERSONAL}
        return personal | {key: value for key, value in self.own.items() if key in _HARMLESS}

    @property
    def is_partial(self) -> bool:
        promisors = [key for key in self.own if key.endswith(".promisor")]
        return "extensions.partialclone" in self.own or any(self.own[key].lower() in _TRUE for key in promisors)


def read_settings(git: Git, own: Path, common: Path, home: Path | None) -> Settings:
    """``own`` and ``common``: the folders that hold the repository's configuration."""
    found = _read_file(git, common / "config", home)
    if found.get(_WORKTREE_FILE, "").lower() in _TRUE:
        found |= _read_file(git, own / "config.worktree", home)
    return Settings(found, read_personal(git, home) if home else {})


def read_personal(git: Git, home: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    for file in (home / ".config" / "git" / "config", home / ".gitconfig"):
        found |= _read_file(git, file, home)
    usual = home / ".config" / "git" / "ignore"
    if "core.excludesfile" not in found and usual.is_file():
        found["core.excludesfile"] = str(usual)
    return found


def read_matching(git: Git, file: Path, pattern: str) -> dict[str, str]:
    """The settings of one file, and of those it includes, whose names match. Git reads it as data and obeys none."""
    if not file.is_file():
        return {}
    arguments = ("config", "-z", "--file", str(file), "--includes", "--get-regexp", pattern)
    answer = git.ask(*arguments, timeout_s=_TIMEOUT_S)
    if answer.code not in (0, 1):  # 1: nothing matches
        raise UsageError(f"git cannot read {file}: {answer.complaint}", "Correct it: git config --list")
    return dict(_pair(shown(entry)) for entry in answer.output.split(b"\0") if entry)


def _read_file(git: Git, file: Path, home: Path | None) -> dict[str, str]:
    """Reading a small file costs far less than a process, and mostly nothing of interest is there."""
    if not _MENTION.search(read_plain(file, _LIMIT)):
        return {}
    found = read_matching(git.with_env({"HOME": str(home)} if home else {}), file, _OURS)
    if home and found.get("core.excludesfile", "").startswith("~/"):
        found["core.excludesfile"] = str(home / found["core.excludesfile"][2:])
    return found


def _pair(entry: str) -> tuple[str, str]:
    key, separator, value = entry.partition("\n")
    return key, value if separator else "true"  # a name alone means yes


def _filter_names(settings: dict[str, str]) -> Iterator[str]:
    for key in settings:
        if key.startswith("filter.") and key.count(".") >= 2:
            yield key.removeprefix("filter.").rpartition(".")[0]
