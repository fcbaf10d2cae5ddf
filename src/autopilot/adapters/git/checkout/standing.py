"""How the user's checkout stands: commit, and tracked paths that differ. Reads only; the index is not refreshed."""

from __future__ import annotations

from msgspec import Struct

from autopilot.adapters.git.command import Git

_FIELDS = {b"1": 8, b"2": 9, b"u": 10}  # fields before the path, by kind of line


class Standing(Struct, frozen=True):
    head: str
    dirty: tuple[bytes, ...]


def read_standing(git: Git) -> Standing:
    printed = git.run(
        "status", "--porcelain=v2", "--branch", "-z", "--untracked-files=no", "--no-renames", "--ignore-submodules=all"
    )
    head, dirty = "", []
    fields = iter(printed.split(b"\0"))
    for line in fields:
        kind = line[:1]
        if line.startswith(b"# branch.oid "):
            head = line.removeprefix(b"# branch.oid ").decode()
        elif kind in _FIELDS:
            dirty.append(line.split(b" ", _FIELDS[kind])[-1])
            if kind == b"2":
                next(fields)  # where it was renamed from
    return Standing(head, tuple(dirty))
