"""What configuration says about a repository: read as text, so that we can switch off what would run programs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from autopilot.adapters.git.command import Git, shown

_OURS = r"^(filter\..*|extensions\.partialclone|core\.sparsecheckout|core\.(excludesfile|autocrlf|eol))$"
# Names in a configuration are written out, never escaped: a file without these words names nothing of ours.
_MENTION = re.compile(
    rb"filter|partialclone|sparsecheckout|excludesfile|autocrlf|eol|include|worktreeconfig", re.IGNORECASE
)
# How a person wants files read and written; values, never programs.
_HARMLESS = ("core.excludesfile", "core.autocrlf", "core.eol")


class Settings(Struct, frozen=True):
    own: dict[str, str]  # in the repository
    personal: dict[str, str]  # in the user's home

    @property
    def filters(self) -> frozenset[str]:
        """The names of content filters that are configured anywhere."""
        return frozenset(_filter_names({**self.own, **self.personal}))

    @property
    def overrides(self) -> dict[str, str]:
        """Settings under which git behaves as for the user, except that no content filter runs."""
        result = {key: self.personal[key] for key in _HARMLESS if key in self.personal and key not in self.own}
        for name in _filter_names(self.own):
            result |= {f"filter.{name}.{part}": "" for part in ("clean", "smudge", "process")}
            result[f"filter.{name}.required"] = "false"
        if "core.excludesfile" in self.own:
            result["core.excludesfile"] = self.own["core.excludesfile"]
        return result


def read_settings(git: Git, common: Path, home: Path | None) -> Settings:
    """``common``: the folder that holds the repository's configuration."""
    own = _matching(git) if _mentions_ours(common / "config") else {}
    return Settings(own, read_personal(git, home) if home else {})


def read_personal(git: Git, home: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    for file in (home / ".config" / "git" / "config", home / ".gitconfig"):
        if file.is_file() and _mentions_ours(file):
            found |= _matching(git, "--file", str(file), "--includes", home=home)
    usual = home / ".config" / "git" / "ignore"
    if "core.excludesfile" not in found and usual.is_file():
        found["core.excludesfile"] = str(usual)
    if found.get("core.excludesfile", "").startswith("~/"):
        found["core.excludesfile"] = str(home / found["core.excludesfile"][2:])
    return found


def _matching(git: Git, *where: str, home: Path | None = None) -> dict[str, str]:
    # Our own settings would answer too; they stand in the environment.
    env = {"GIT_CONFIG_COUNT": "0"} | ({"HOME": str(home)} if home else {})
    # Without ``where``: all that git itself would read here, included files and the worktree's own among it.
    answer = git.with_env(env).ask("config", "-z", *where, "--get-regexp", _OURS)
    pairs = (shown(pair).partition("\n") for pair in answer.output.split(b"\0") if pair)
    return {key: value for key, _, value in pairs}


def _mentions_ours(file: Path) -> bool:
    """Whether git has to be asked. Mostly not: reading a small file costs far less than a process."""
    try:
        return _MENTION.search(file.read_bytes()) is not None
    except OSError:
        return True


def _filter_names(settings: dict[str, str]) -> Iterator[str]:
    for key in settings:
        if key.startswith("filter.") and key.count(".") >= 2:
            yield key.removeprefix("filter.").rpartition(".")[0]
