"""Why no run can be made in a repository: what we could not carry through a landing unharmed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from shlex import quote

from msgspec import Struct

from autopilot.adapters.git.command import Git, shown
from autopilot.adapters.git.settings import Settings
from autopilot.model.git import Refusal

_LINK = re.compile(rb"(?:^|\0)160000 commit [0-9a-f]+\t([^\0]*)")
_ATTRIBUTES = re.compile(rb"(?:^|\0)100\d\d\d blob ([0-9a-f]+)\t(?:[^\0]*/)?\.gitattributes(?=\0)")
_MODULES = re.compile(rb"(?:^|\0)100\d\d\d blob [0-9a-f]+\t\.gitmodules\0")
_FILTER = re.compile(rb"(?<=\s)filter=(\S+)")

ELSEWHERE = "run in a repository without it"


class Committed(Struct, frozen=True):
    """What one commit says about itself that matters here. A commit never changes: it needs to be read but once."""

    commit: str
    submodule: str  # the path of one; "" when there is none
    filters: frozenset[str]  # named by its attributes


def read_committed(git: Git, commit: str) -> Committed:
    listing = git.run("ls-tree", "-r", "-z", "--full-tree", commit)
    link = _LINK.search(listing)
    submodule = shown(link[1]) if link else ".gitmodules" if _MODULES.search(listing) else ""
    ids = sorted(set(_ATTRIBUTES.findall(listing)))
    # The answers run together; only words within a line are looked for.
    text = git.run("cat-file", "--batch", stdin=b"".join(b"%b\n" % blob for blob in ids)) if ids else b""
    return Committed(commit, submodule, _filters(text))


def refusals(committed: Committed, staged: str, common: Path, settings: Settings) -> Iterator[Refusal]:
    """``staged``: the path of a submodule that is not committed yet, or ""."""
    if submodule := committed.submodule or staged:
        removal = f"remove the submodule {submodule} (`git rm {quote(submodule)}`)"
        yield Refusal(f"submodules are not supported yet ({submodule})", f"{removal}, or {ELSEWHERE}")
    own = common / "info" / "attributes"
    used = committed.filters | _filters(own.read_bytes() if own.is_file() else b"")
    if "lfs" in used:
        yield Refusal("Git LFS is not supported yet", ELSEWHERE)
    for name in sorted((used & settings.filters) - {"lfs"}):
        unset = f'remove [filter "{name}"] from git\'s configuration'
        yield Refusal(f"the content filter {name!r} is not supported yet", f"{unset}, or {ELSEWHERE}")
    if settings.own.get("core.sparsecheckout") == "true":
        yield Refusal("sparse checkouts are not supported yet", "`git sparse-checkout disable`")
    if settings.is_partial:
        yield Refusal("partial clones are not supported yet", "make a whole clone: `git clone` without --filter")


def _filters(attributes: bytes) -> frozenset[str]:
    return frozenset(shown(name) for name in _FILTER.findall(attributes))
