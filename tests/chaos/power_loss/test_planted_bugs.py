"""The checker finds what it is made for: each planted bug, and the lack of every kind of sync.

covers: R-IO
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.chaos.power_loss.checking import check, record_piece
from tests.chaos.power_loss.disk import Disk, File, Folder
from tests.chaos.power_loss.operations import Operation, Sync, WriteOut
from tests.chaos.power_loss.perform import PIECES
from tests.chaos.power_loss.planted import PLANTED
from tests.chaos.power_loss.power_cut import Model

ENOUGH = 1_000  # states; each bug is found long before


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_bug_is_found(name: str, place: Path, rng: random.Random) -> None:
    """Even on the kinder of the two kinds of disk, on which every piece without the bug survives."""
    piece = PLANTED[name]
    checked = check(record_piece(name, piece, place), piece, place, Model.JOURNALED, rng, ENOUGH)
    print(f"found after {checked.states} states: {checked.faults}")
    assert checked.faults


def is_sync_of_a_file(operation: Operation, disk: Disk) -> bool:
    node = disk.nodes[operation.node] if isinstance(operation, Sync | WriteOut) else None
    return isinstance(node, File)


def is_sync_of_a_folder(operation: Operation, disk: Disk) -> bool:
    return isinstance(operation, Sync) and isinstance(disk.nodes[operation.node], Folder)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("is_left_out", [is_sync_of_a_file, is_sync_of_a_folder])
@pytest.mark.parametrize("name", PIECES)
def test_every_piece_needs_its_syncs(
    name: str, is_left_out: Callable[[Operation, Disk], bool], place: Path, rng: random.Random
) -> None:
    """The recording without the syncs of files, or of folders, is that of a product which forgot them."""
    piece = PIECES[name]
    recording = record_piece(name, piece, place)
    left = tuple(each for each in recording.operations if not is_left_out(each, recording.before))
    assert check(replace(recording, operations=left), piece, place, Model.JOURNALED, rng, ENOUGH).faults
