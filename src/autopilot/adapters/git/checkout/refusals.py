"""Why no run can be made in a repository: what we could not carry through a landing unharmed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from autopilot.adapters.git.command import Git, shown
from autopilot.adapters.git.settings import Settings

_LINK = re.compile(rb"(?:^|\0)160000 commit [0-9a-f]+\t([^\0]*)")
_ATTRIBUTES = re.compile(rb"(?:^|\0)100\d\d\d blob ([0-9a-f]+)\t(?:[^\0]*/)?\.gitattributes(?=\0)")
_MODULES = re.compile(rb"(?:^|\0)100\d\d\d blob [0-9a-f]+\t\.gitmodules\0")
_FILTER = re.compile(rb"(?<=\s)filter=(\S+)")


def refusals(git: Git, common: Path, settings: Settings) -> Iterator[str]:
    listing = git.run("ls-tree", "-r", "-z", "--full-tree", "HEAD")
    if link := _LINK.search(listing):
        yield f"submodules are not supported yet ({shown(link[1])})"
    elif _MODULES.search(listing):
        yield "submodules are not supported yet (.gitmodules)"
    used = {shown(name) for text in _attribute_files(git, common, listing) for name in _FILTER.findall(text)}
    if "lfs" in used:
        yield "Git LFS is not supported yet"
    for name in sorted((used & settings.filters) - {"lfs"}):
        yield f"the content filter {name!r} is not supported yet"
    if settings.own.get("core.sparsecheckout") == "true":
        yield "sparse checkouts are not supported yet"
    if "extensions.partialclone" in settings.own:
        yield "partial clones are not supported yet: fetch all objects first (git fetch --refetch --no-filter)"
    if len(git.run("rev-parse", "HEAD").strip()) != 40:
        yield "repositories with SHA-256 ids are not supported yet"


def _attribute_files(git: Git, common: Path, listing: bytes) -> Iterator[bytes]:
    own = common / "info" / "attributes"
    if own.is_file():
        yield own.read_bytes()
    ids = sorted(set(_ATTRIBUTES.findall(listing)))
    if ids:
        # The answers run together; only words within a line are looked for.
        yield git.run("cat-file", "--batch", stdin=b"".join(b"%b\n" % one for one in ids))
