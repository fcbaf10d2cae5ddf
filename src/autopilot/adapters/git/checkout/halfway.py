"""A landing that was cut off in the middle: which paths have moved, which have not, which another process changed."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from autopilot.adapters.files import translated
from autopilot.adapters.git.checkout.collisions import below, kind_at
from autopilot.adapters.git.checkout.snapshot import on_index_copy
from autopilot.adapters.git.command import Git
from autopilot.adapters.git.differences import ABSENT, Difference

_SECTOR = 512  # bytes; the least that a disk writes at once
_Side = tuple[str, str]  # mode and id


class Halfway(Struct, frozen=True):
    at_old: tuple[Difference, ...]
    at_new: tuple[Difference, ...]
    missing: tuple[Difference, ...]  # removed by us and not yet written again, or torn
    torn: tuple[Path, ...]  # the torn ones, as full paths: what is there is the beginning of what was being written
    changed: tuple[bytes, ...]  # neither old nor new: the user's
    rest_is_old: bool  # nothing else is staged

    def fixes(self, from_old: bool) -> bytes:
        """Index entries that say where each path is, for git to move on from. A missing one is still at the source."""
        sides = [(change.path, _old(change)) for change in self.at_old]
        sides += [(change.path, _new(change)) for change in self.at_new]
        sides += [(change.path, _old(change) if from_old else _new(change)) for change in self.missing]
        return _index_lines(sides)


def look(git: Git, scratch: Path, changes: tuple[Difference, ...], old: str) -> Halfway:
    assert git.work_tree is not None
    top = git.work_tree
    entries = _index_entries(git)
    with tempfile.TemporaryDirectory(dir=scratch, prefix="halfway-") as folder:
        as_old = _index_with(git, Path(folder) / "old", ((change.path, _old(change)) for change in changes))
        as_new = _index_with(git, Path(folder) / "new", ((change.path, _new(change)) for change in changes))
        off_old, off_new = _differing(as_old), _differing(as_new)
        tree = as_old.ask("write-tree").output.strip()
    found: dict[str, list[Difference]] = {"old": [], "new": [], "missing": [], "torn": [], "changed": []}
    for change in changes:
        kind = kind_at(top, change.path)
        if entries.get(change.path, (ABSENT, "0" * 40)) not in (_old(change), _new(change)):
            found["changed"].append(change)
        elif _stands(change.path, change.old_mode, kind, off_old):
            found["old"].append(change)
        elif _stands(change.path, change.new_mode, kind, off_new):
            found["new"].append(change)
        elif kind in (None, stat.S_IFDIR):
            found["missing"].append(change)
        elif kind == stat.S_IFREG and _is_torn(git, below(top, change.path), change):
            found["torn"].append(change)
        else:
            found["changed"].append(change)
    return Halfway(
        at_old=tuple(found["old"]),
        at_new=tuple(found["new"]),
        missing=tuple(found["missing"] + found["torn"]),
        torn=tuple(below(top, change.path) for change in found["torn"]),
        changed=tuple(change.path for change in found["changed"]),
        rest_is_old=tree == git.run("rev-parse", f"{old}^{{tree}}").strip(),
    )


def _stands(path: bytes, mode: str, kind: int | None, off: frozenset[bytes]) -> bool:
    """Whether the file is as one side has it."""
    if mode == ABSENT:
        return kind in (None, stat.S_IFDIR)
    return path not in off


def _is_torn(git: Git, path: Path, change: Difference) -> bool:
    """Git writes a file in place; cut off there, it leaves a part of what it wrote. Replacing that loses nothing."""
    with translated(path):
        content = path.read_bytes()
    name = os.fsdecode(change.path)
    for mode, blob in (_old(change), _new(change)):
        if mode.startswith("100"):
            whole = git.run("cat-file", "--filters", f"--path={name}", blob)
            if _is_part(content, whole):
                return True
    return False


def _is_part(content: bytes, whole: bytes) -> bool:
    """A beginning, as a kill leaves it, in which a loss of power may have left zeros for any sector of the disk."""
    if len(content) > len(whole):
        return False
    starts = range(0, len(content), _SECTOR)
    pairs = ((content[start : start + _SECTOR], whole[start : start + _SECTOR]) for start in starts)
    return all(wanted.startswith(found) or not any(found) for found, wanted in pairs)


def _index_entries(git: Git) -> dict[bytes, _Side]:
    entries: dict[bytes, _Side] = {}
    for line in git.run("ls-files", "-s", "-z").split(b"\0"):
        if line:
            head, path = line.split(b"\t", 1)
            mode, blob, stage = head.decode().split(" ")
            entries[path] = (mode, blob) if stage == "0" else (mode, f"unmerged {blob}")
    return entries


def _index_with(git: Git, path: Path, sides: Iterable[tuple[bytes, _Side]]) -> Git:
    copy = on_index_copy(git, path)
    copy.run("update-index", "-z", "--index-info", stdin=_index_lines(sides))
    copy.ask("update-index", "-q", "--refresh")
    return copy


def _differing(git: Git) -> frozenset[bytes]:
    return frozenset(git.run("diff-files", "--name-only", "-z", "--ignore-submodules=all").split(b"\0"))


def _index_lines(sides: Iterable[tuple[bytes, _Side]]) -> bytes:
    # Removals first: a file must be gone before a folder of its name can come.
    ordered = sorted(sides, key=lambda side: side[1][0] != ABSENT)
    return b"".join(b"%b %b\t%b\0" % (mode.encode(), blob.encode(), path) for path, (mode, blob) in ordered)


def _old(change: Difference) -> _Side:
    return change.old_mode, change.old_id


def _new(change: Difference) -> _Side:
    return change.new_mode, change.new_id
