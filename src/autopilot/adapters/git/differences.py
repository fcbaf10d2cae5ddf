"""What differs between two trees, as git prints it: entry by entry, or line by line."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from msgspec import Struct

from autopilot.adapters.git.command import TIMEOUT_S, Git, failure, shown
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
            yield Difference(next(fields), status, old_mode, new_mode, old_id, new_id)
