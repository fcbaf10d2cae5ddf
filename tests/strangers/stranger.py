"""A package of a public registry, and the small change that is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

Registry = Literal["pip", "npm", "apt"]
Texts = Mapping[str, str]


class Archive(NamedTuple):
    registry: Registry
    name: str
    version: str
    sha256: str
    file: str  # its name as the registry gives it


class Change(NamedTuple):
    """What is wanted, the work that brings it, and the lie of the same shape: the one answer, and a test of nothing."""

    command: str  # of the criterion; ``{python}`` is the interpreter that ``init`` found
    contains: str
    honest: Texts  # added at the end of files that are there, else a new file
    lie: Texts


class Stranger(NamedTuple):
    archive: Archive
    kind: str  # how it is built and tested, in a word or two
    change: Change
    tests: int  # how many its own suite has at least, counted by hand; 0 where its tool reports no single ones
    red: bool = False  # tests of the release itself fail here
    named: tuple[str, ...] = ()  # what `doctor` has to name of them, seen by hand
    folder: str = ""  # where it is put, beside others
    beside: tuple[tuple[str, Archive], ...] = ()  # further packages, each with its folder: a repository of several
    added: tuple[tuple[str, str], ...] = ()  # files that the release does not have, by their paths

    @property
    def name(self) -> str:
        return self.archive.name
