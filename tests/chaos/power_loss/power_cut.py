"""The disks that may be found after a loss of power.

Two models, both more pessimistic than the file systems they stand for:

- ``STRICT`` is what POSIX lets a program rely on: the content of a file is safe after a sync of that file, and a name
  after a sync of its folder. Everything else may be there or not, in any combination.
- ``JOURNALED`` is ext4 and XFS: names change on the disk in the order in which they were changed, and a sync of any
  file or folder makes all earlier changes of names safe. The content of a file still needs a sync of that file.

In both, a write that was not synced may be there, missing, torn at a sector, or there as zeros; a rename is never torn.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto

from msgspec import Struct

from tests.chaos.power_loss.disk import Disk
from tests.chaos.power_loss.operations import (
    Content,
    Move,
    Naming,
    Operation,
    Promise,
    Sync,
    SyncAll,
    Write,
    WriteOut,
    names_of,
)

SECTOR = 512
_SHARES = (0.05, 0.3, 0.5, 0.7, 0.95)  # of what is not synced: how much of it is found


class Model(Enum):
    STRICT = auto()
    JOURNALED = auto()


class Recording(Struct, frozen=True):
    before: Disk  # safe on the disk when the recording began; holds every node that came later, without a name
    operations: tuple[Operation, ...]


class Cut(Struct, frozen=True):
    """One loss of power: before which operation, and what is found of everything that was not safe."""

    point: int
    share: float  # 0 for nothing of it, 1 for all of it
    seed: int = 0


def every_cut(recording: Recording) -> Iterator[Cut]:
    """At each operation the least and the most that may be found."""
    for point in range(len(recording.operations) + 1):
        yield Cut(point, 0.0)
        yield Cut(point, 1.0)


def drawn_cuts(recording: Recording, rng: random.Random) -> Iterator[Cut]:
    """Without end."""
    while True:
        yield Cut(rng.randint(1, len(recording.operations)), rng.choice(_SHARES), rng.getrandbits(48))


def promised(recording: Recording, cut: Cut) -> tuple[str, ...]:
    return tuple(each.text for each in recording.operations[: cut.point] if isinstance(each, Promise))


def disk_after(recording: Recording, cut: Cut, model: Model) -> Disk:
    done = recording.operations[: cut.point]
    rng = random.Random(cut.seed)
    disk = recording.before.copy()
    safe = safe_operations(done, model)
    found = _found_names(done, safe, cut, model, rng)
    for number, operation in enumerate(done):
        if isinstance(operation, Naming):
            if number in found:
                disk.name(operation)
        elif isinstance(operation, Content):
            if number in safe:
                disk.fill(operation)
            else:
                for part in _found_parts(operation, cut.share, rng):
                    disk.fill(part)
    return disk


def safe_operations(done: Sequence[Operation], model: Model) -> frozenset[int]:
    """Those that no loss of power takes back."""
    safe: set[int] = set()
    synced: set[int] = set()  # nodes of which a sync comes later
    written_out: set[int] = set()  # nodes whose data goes to the disk before a later sync of anything
    any_later = all_later = False
    for number in range(len(done) - 1, -1, -1):
        operation = done[number]
        if isinstance(operation, SyncAll):
            any_later = all_later = True
        elif isinstance(operation, Sync):
            any_later |= not operation.only_content
            synced.add(operation.node)
        elif isinstance(operation, WriteOut):
            if any_later:
                written_out.add(operation.node)
        elif isinstance(operation, Naming):
            holder = operation.new_folder if isinstance(operation, Move) else operation.folder
            if all_later or holder in synced or (any_later and model is Model.JOURNALED):
                safe.add(number)
        elif isinstance(operation, Content):
            on_its_way = operation.node in written_out and model is Model.JOURNALED
            if all_later or operation.node in synced or on_its_way:
                safe.add(number)
    return frozenset(safe)


def _found_names(
    done: Sequence[Operation], safe: frozenset[int], cut: Cut, model: Model, rng: random.Random
) -> frozenset[int]:
    changes = [(number, each) for number, each in enumerate(done) if isinstance(each, Naming)]
    if model is Model.JOURNALED:
        last_safe = max((number for number, _ in changes if number in safe), default=-1)
        later = [number for number, _ in changes if number > last_safe]
        taken = _how_many(later, cut.share, rng)
        return frozenset([number for number, _ in changes if number <= last_safe] + later[:taken])
    return _with_earlier(changes, {number for number, _ in changes if number in safe or rng.random() < cut.share})


def _with_earlier(changes: Iterable[tuple[int, Naming]], drawn: set[int]) -> frozenset[int]:
    """What happened to one name is found in its order: a later change is there only with those before it."""
    found: set[int] = set()
    later: set[tuple[int, str]] = set()
    for number, change in reversed(list(changes)):
        if number in drawn or not later.isdisjoint(names_of(change)):
            found.add(number)
            later.update(names_of(change))
    return frozenset(found)


def _how_many(later: list[int], share: float, rng: random.Random) -> int:
    return round(len(later) * share) if share in (0.0, 1.0) else rng.randint(0, len(later))


def _found_parts(operation: Content, share: float, rng: random.Random) -> Iterator[Content]:
    if rng.random() >= share and share < 1:
        return
    if not isinstance(operation, Write) or share == 1 or rng.random() < 0.5:
        yield operation
        return
    end = operation.offset + len(operation.data)
    for start, stop in _sectors(operation.offset, end):
        fate = rng.random()
        data = operation.data[start - operation.offset : stop - operation.offset]
        if fate < 0.5:
            yield Write(operation.node, start, data)
        elif fate < 0.75:
            yield Write(operation.node, start, bytes(len(data)))


def _sectors(start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end:
        stop = min(end, (start // SECTOR + 1) * SECTOR)
        yield start, stop
        start = stop
