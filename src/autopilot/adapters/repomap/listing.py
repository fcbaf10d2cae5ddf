"""The files that are mapped, each with the id of its content: of a commit, or of the working tree."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from autopilot.adapters.beneath import is_beneath, read_beneath
from autopilot.adapters.git.command import Git, shown
from autopilot.adapters.repomap.contents import blob_id
from autopilot.model.errors import UsageError
from autopilot.repomap.languages import is_mapped
from autopilot.repomap.unreadable import MOST_BYTES

TOO_LARGE = "too large"  # in place of an id: its content is not looked at


class Listing(Struct, frozen=True):
    blobs: dict[str, str]  # by path: the id of the content
    edited: frozenset[str]  # paths whose content is in the working tree alone


def list_tree(git: Git, tree: str) -> Listing:
    """Plain files of a commit or tree: links are not followed, submodules left out."""
    answer = git.ask("ls-tree", "-r", "-z", "--full-tree", tree)
    if answer.code != 0:
        raise UsageError(f"{tree} is no commit of this repository", "name one that `git log` shows")
    blobs: dict[str, str] = {}
    for entry in answer.output.split(b"\0"):
        head, _, path = entry.partition(b"\t")
        if head.startswith(b"100"):
            _keep(blobs, path, head.rpartition(b" ")[2].decode())
    return Listing(blobs, frozenset())


def list_work_tree(git: Git, root: Path) -> Listing:
    """What is tracked, as it is on the disk, and what is new and not ignored. Git itself reads an index
    with names that lead out of the repository, although it never makes one."""
    blobs: dict[str, str] = {}
    for entry in git.run("ls-files", "-s", "-z").split(b"\0"):
        head, _, path = entry.partition(b"\t")
        if head.startswith(b"100"):
            _keep(blobs, path, head.split(b" ")[1].decode())
    digits = len(next(iter(blobs.values()), ""))
    edited: set[str] = set()
    for entry in git.run("ls-files", "-z", "-t", "-m", "-d", "-o", "--exclude-standard").split(b"\0"):
        tag, _, path = entry.partition(b" ")
        name = shown(path)
        if tag and is_mapped(name) and is_beneath(name):
            _read_edited(root, name, blobs, edited, digits)
    return Listing(dict(sorted(blobs.items())), frozenset(edited))


def _keep(blobs: dict[str, str], path: bytes, blob: str) -> None:
    name = shown(path)
    if is_mapped(name) and is_beneath(name):
        blobs[name] = blob


def _read_edited(root: Path, name: str, blobs: dict[str, str], edited: set[str], digits: int) -> None:
    """Gone, or something else than a plain file in its place: it is not mapped."""
    content = read_beneath(root, name, MOST_BYTES)
    if content is None:
        blobs.pop(name, None)
        return
    blobs[name] = TOO_LARGE if len(content) > MOST_BYTES else blob_id(content, digits)
    edited.add(name)
