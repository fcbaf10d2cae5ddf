"""Waves: tasks in the order they are worked, no file in two tasks of one wave."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from msgspec.structs import replace

from autopilot.model.planning.plan import Task

_WILD = re.compile(r"[*?\[{]")


def split_waves(tasks: Sequence[Task]) -> tuple[Task, ...]:
    """Sorted by wave and numbered anew from 1; a task that touches a file of its wave opens the next one.

    The order inside a wave is kept even where a task could slip into an earlier wave: what comes later in a plan may
    build on what stands before it without naming its files.
    """
    placed: list[Task] = []
    number, given = 0, 0
    together: list[Task] = []
    for task in sorted(tasks, key=lambda task: task.wave):
        if not together or task.wave != given or any(overlap(task, other) for other in together):
            number, together = number + 1, []
        given = task.wave
        together.append(task)
        placed.append(replace(task, wave=number))
    return tuple(placed)


def overlap(task: Task, other: Task) -> bool:
    """Whether two tasks list a file in common; a folder covers everything below it."""
    return any(_covers(a, b) or _covers(b, a) for a in map(_parts, task.files) for b in map(_parts, other.files))


def _covers(above: tuple[str, ...], below: tuple[str, ...]) -> bool:
    return below[: len(above)] == above


def _parts(path: str) -> tuple[str, ...]:
    """A pattern covers the folder its first wild card stands in: which files it means is known only later."""
    kept: list[str] = []
    for part in PurePosixPath(path.strip("/")).parts:
        if _WILD.search(part):
            break
        kept.append(part)
    return tuple(kept)
