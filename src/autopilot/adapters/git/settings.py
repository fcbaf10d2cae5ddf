"""What configuration says about a repository: read as text, so that we can switch off what would run programs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from autopilot.adapters.git.command import Git, shown

_OURS = r"^(filter\..*|extensions\.partialclone|core\.sparsecheckout|core\.(excludesfile|autocrlf|eol))$"
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


def read_settings(git: Git, home: Path | None) -> Settings:
    return Settings(_matching(git), read_personal(git, home) if home else {})


def read_personal(git: Git, home: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    for file in (home / ".config" / "git" / "config", home / ".gitconfig"):
        if file.is_file():
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
    answer = git.with_env(env).ask("config", "-z", *(where or ("--local",)), "--get-regexp", _OURS)
    pairs = (shown(pair).partition("\n") for pair in answer.output.split(b"\0") if pair)
    return {key: value for key, _, value in pairs}


def _filter_names(settings: dict[str, str]) -> Iterator[str]:
    for key in settings:
        if key.startswith("filter.") and key.count(".") >= 2:
            yield key.removeprefix("filter.").rpartition(".")[0]
