"""How the user's checkout stands: commit, and tracked paths that differ. Reads only; the index is not refreshed.

No git is started in a submodule, which has a configuration of its own: only its commit is compared.
"""

from __future__ import annotations

from msgspec import Struct

from autopilot.adapters.git.command import Git, shown

_FIELDS = {b"1": 8, b"2": 9, b"u": 10}  # fields before the path, by kind of line


class Standing(Struct, frozen=True):
    head: str
    dirty: tuple[bytes, ...]
    submodule: str  # the path of one that is staged; "" when there is none


def read_standing(git: Git) -> Standing:
    printed = git.run(
        "status",
        "--porcelain=v2",
        "--branch",
        "-z",
        "--untracked-files=no",
        "--no-renames",
        "--ignore-submodules=dirty",
    )
    head, dirty, submodule = "", [], ""
    fields = iter(printed.split(b"\0"))
    for line in fields:
        kind = line[:1]
        if line.startswith(b"# branch.oid "):
            head = line.removeprefix(b"# branch.oid ").decode()
        elif kind in _FIELDS:
            dirty.append(line.split(b" ", _FIELDS[kind])[-1])
            if line.split(b" ", 3)[2].startswith(b"S"):
                submodule = shown(dirty[-1])
            if kind == b"2":
                next(fields)  # where it was renamed from
    return Standing(head, tuple(dirty), submodule)
