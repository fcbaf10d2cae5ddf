"""Tries many losses of power on one recorded piece, and tells the first that the product does not survive."""

from __future__ import annotations

import itertools
import random
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from autopilot.model.errors import AutopilotError
from tests.chaos.power_loss.disk import lay_out
from tests.chaos.power_loss.pieces.piece import Piece
from tests.chaos.power_loss.power_cut import Cut, Model, Recording, disk_after, drawn_cuts, every_cut, promised
from tests.chaos.power_loss.recorder import record

_DRAWS = 8  # for each state that is wanted: many draws give a disk that was seen before


class Fault(Struct, frozen=True):
    cut: Cut
    what: str


class Checked(Struct, frozen=True):
    states: int  # different disks, or equal ones after different promises
    faults: tuple[Fault, ...]


def record_piece(name: str, piece: Piece, place: Path) -> Recording:
    """The folder is gone afterwards: every disk is laid out where it was."""
    folder = place / "disk"
    folder.mkdir()
    piece.prepare(folder)
    program = (sys.executable, "-m", "tests.chaos.power_loss.perform", name, str(folder))
    recording = record(folder, program, place / "calls")
    shutil.rmtree(folder)
    return recording


def check(recording: Recording, piece: Piece, place: Path, model: Model, rng: random.Random, states: int) -> Checked:
    """Stops at the first fault: the others mostly have the same cause."""
    tried = 0
    for cut in itertools.islice(different_cuts(recording, model, rng, states), states):
        tried += 1
        what = judge(recording, cut, piece, place / "disk", model)
        if what:
            return Checked(tried, (Fault(cut, what),))
    return Checked(tried, ())


def judge(recording: Recording, cut: Cut, piece: Piece, folder: Path, model: Model) -> str:
    """What is wrong after this loss of power, "" for nothing."""
    lay_out(disk_after(recording, cut, model), folder)
    try:
        piece.judge(folder, promised(recording, cut))
    except (AssertionError, AutopilotError, OSError) as error:
        return f"{type(error).__name__}: {error}"
    finally:
        shutil.rmtree(folder)
    return ""


def different_cuts(recording: Recording, model: Model, rng: random.Random, states: int) -> Iterator[Cut]:
    """Half of them the least and the most that may be found, in any order; then drawn ones."""
    edges = list(every_cut(recording))
    rng.shuffle(edges)
    drawn = itertools.islice(drawn_cuts(recording, rng), states * _DRAWS)
    seen: set[tuple[bytes, int]] = set()
    for cut in itertools.chain(itertools.islice(edges, states // 2), drawn, edges[states // 2 :]):
        look = disk_after(recording, cut, model).digest(), len(promised(recording, cut))
        if look not in seen:
            seen.add(look)
            yield cut
