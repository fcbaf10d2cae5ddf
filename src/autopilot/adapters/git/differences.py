"""What differs between two trees, as git prints it: entry by entry, or line by line."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator
from typing import cast

from msgspec import Struct

from autopilot.adapters.git.command import TIMEOUT_S, Git, failure, shown
from autopilot.adapters.git.objects import Objects
from autopilot.adapters.git.trees import FILE, FOLDER, PROGRAM, Entry, Loader, Tree
from autopilot.model.git import Change, ChangeStatus

ABSENT = "000000"
_TYPE = 0o170000
_MOST_IN_PROCESS = 2_000  # differences; git itself is quicker with more


class Difference(Struct, frozen=True):
    path: bytes
    status: ChangeStatus
    old_mode: str
    new_mode: str
    old_id: str
    new_id: str

    @property
    def as_change(self) -> Change:
        path = shown(self.path)
        return Change(path, self.status, self.old_mode, self.new_mode, is_exact=path.encode() == self.path)


def differences(git: Git, objects: Objects, old: str, new: str, most: int | None = None) -> tuple[Difference, ...]:
    """Between two commits or trees. Only folders that differ are read, so mostly no process is needed.

    With ``most`` it is compared here alone: what git prints of a few folders that hold each other has no bound.
    """
    found = compare(objects.root(old), objects.root(new), objects.tree)
    few = tuple(itertools.islice(found, _MOST_IN_PROCESS + 1 if most is None else most))
    if most is not None or len(few) <= _MOST_IN_PROCESS:
        return tuple(sorted(few, key=lambda difference: difference.path))
    return tuple(_parse(git.run("diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", old, new)))


def compare(old: Tree, new: Tree, load: Loader) -> Iterator[Difference]:
    """Every file that differs, in no order. Without recursion: an agent's folders may lie deeper than our stack."""
    pending = [(b"", old, new)]
    while pending:
        above, before, after = pending.pop()
        for name in before.keys() | after.keys():
            sides = [_plain(tree.get(name)) for tree in (before, after)]
            if sides[0] == sides[1]:
                continue
            inner = [load(side.id) if side and side.mode == FOLDER else {} for side in sides]
            if any(inner):
                pending.append((b"%b%b/" % (above, name), inner[0], inner[1]))
            files = [side if side and side.mode != FOLDER else None for side in sides]
            if any(files):
                yield _difference(above + name, *files)


def _plain(entry: Entry | None) -> Entry | None:
    """With the mode git reads from it: very old trees hold others."""
    if entry is None or not entry.is_file:
        return entry
    return Entry(PROGRAM if entry.mode & 0o100 else FILE, entry.id)


def _difference(path: bytes, old: Entry | None, new: Entry | None) -> Difference:
    if old is None or new is None:
        status: ChangeStatus = "A" if old is None else "D"
    else:
        status = "M" if old.mode & _TYPE == new.mode & _TYPE else "T"
    modes = [f"{side.mode:06o}" if side else ABSENT for side in (old, new)]
    ids = [side.id if side else "0" * 40 for side in (old, new)]
    return Difference(path, status, modes[0], modes[1], ids[0], ids[1])


def render_patch(git: Git, old: str, new: str, limit: int) -> str:
    arguments = ("diff-tree", "-r", "-p", "--no-ext-diff", "--no-textconv", "--no-renames", "--no-color", old, new)
    with git.start(*arguments) as child:
        watch = threading.Timer(TIMEOUT_S, child.kill)
        watch.start()
        try:
            assert child.stdout is not None
            text = child.stdout.read(limit + 1)
        finally:
            watch.cancel()
        if len(text) > limit:
            child.kill()
            return text[:limit].decode("utf-8", "replace") + f"\n… cut after {limit} bytes …\n"
    if child.returncode != 0:
        raise failure(arguments, f"{old} and {new} cannot be compared")
    return text.decode("utf-8", "replace")


def _parse(printed: bytes) -> Iterator[Difference]:
    fields = iter(printed.split(b"\0"))
    for head in fields:
        if head:
            old_mode, new_mode, old_id, new_id, status = head.decode().lstrip(":").split(" ")
            yield Difference(next(fields), cast(ChangeStatus, status), old_mode, new_mode, old_id, new_id)
