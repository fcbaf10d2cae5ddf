"""A way to install and check a package: candidates in the order in which they are tried, each with its witness."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from autopilot.model.policy import CHECKS


class Candidate(Struct, frozen=True):
    command: str
    source: str  # the file of the repository that suggests it


class Way(Struct, frozen=True):
    """One setup, or none, and the checks that rest on it."""

    name: str  # as a user knows it: "uv", "a virtual environment", "npm"
    setup: Candidate | None = None
    checks: Mapping[str, tuple[Candidate, ...]] = {}  # compile, lint, build, test
    folder: str = ""  # of the package; "" is the root of the repository

    def candidates(self, check: str) -> tuple[Candidate, ...]:
        return self.checks.get(check, ())


def make_checks(**found: Iterable[Candidate]) -> dict[str, tuple[Candidate, ...]]:
    """Without repeats: the first witness of a command is named."""
    assert set(found) <= set(CHECKS), found
    unique = {name: {c.command: c for c in reversed(list(found[name]))} for name in found}
    return {name: tuple(reversed(by_command.values())) for name, by_command in unique.items() if by_command}


def move_into(way: Way, folder: str) -> Way:
    """The same way for a package in a folder: every command is run there."""
    if not folder:
        return way

    def in_folder(candidate: Candidate) -> Candidate:
        return Candidate(f"cd {shlex.quote(folder)} && {candidate.command}", f"{folder}/{candidate.source}")

    checks = {name: tuple(map(in_folder, candidates)) for name, candidates in way.checks.items()}
    return replace(way, setup=in_folder(way.setup) if way.setup else None, checks=checks, folder=folder)
