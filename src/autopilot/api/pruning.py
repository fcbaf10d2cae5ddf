"""Removes what the records of a repository hold and can be made again."""

from __future__ import annotations

import os
from pathlib import Path

from msgspec import Struct

from autopilot.api.assembly import Assembly
from autopilot.api.visual.kept_pictures import prune_pictures
from autopilot.engine.history import read_history
from autopilot.engine.leftovers import clear_leftovers, prune_records


class Pruned(Struct, frozen=True):
    before: int  # bytes on the disk
    after: int


def prune(assembly: Assembly) -> Pruned:
    """UsageError while a run is in progress: it works in these folders."""
    assembly.lock.take("autopilot gc")
    try:
        before = _size_of(assembly.repository.home.root)
        clear_leftovers(assembly.ports)
        prune_records(assembly.ports)
        prune_pictures(assembly.repository, read_history(assembly.ports.journal.read()).runs.values())
        return Pruned(before, _size_of(assembly.repository.home.root))
    finally:
        assembly.lock.release()


def _size_of(root: Path) -> int:
    """As the disk has it: a file of several names once. Links are not followed."""
    seen: dict[tuple[int, int], int] = {}
    for here, _, files in os.walk(root):
        for name in files:
            facts = Path(here, name).lstat()
            seen[facts.st_dev, facts.st_ino] = facts.st_blocks * 512
    return sum(seen.values())
