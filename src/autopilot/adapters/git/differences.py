"""What differs between two trees, entry by entry, as git prints it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from autopilot.adapters.git.command import Git, shown
from autopilot.model.git import Change

ABSENT = "000000"


class Difference(Struct, frozen=True):
    path: bytes
    status: str
    old_mode: str
    new_mode: str
    old_id: str
    new_id: str

    @property
    def as_change(self) -> Change:
        return Change(shown(self.path), self.status, self.old_mode, self.new_mode)


def differences(git: Git, old: str, new: str) -> tuple[Difference, ...]:
    printed = git.run("diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", old, new)
    return tuple(_parse(printed))


def _parse(printed: bytes) -> Iterator[Difference]:
    fields = iter(printed.split(b"\0"))
    for head in fields:
        if head:
            old_mode, new_mode, old_id, new_id, status = head.decode().lstrip(":").split(" ")
            yield Difference(next(fields), status, old_mode, new_mode, old_id, new_id)
