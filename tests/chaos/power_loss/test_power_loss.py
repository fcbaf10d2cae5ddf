"""A loss of power at any instant loses nothing that was acknowledged, and leaves nothing that stops the next run.

The journal, its key, snapshots, blobs and documents keep this promise under both models of `power_cut.py`. What git
writes, in the vault and in the user's repository, keeps it where names reach the disk in their order (``JOURNALED``):
git itself promises no more.

covers: T7, T7.journal, T7.projections, T7.blobs, R-IO, R-KILL
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.chaos.level import LEVEL
from tests.chaos.power_loss.checking import check, record_piece
from tests.chaos.power_loss.perform import PIECES
from tests.chaos.power_loss.power_cut import Model

# What is checked, with its part of all states: the journal is judged in a tenth of the time that git needs.
PROMISES = (
    ("journal", Model.STRICT, 44),
    ("journal", Model.JOURNALED, 26),
    ("files", Model.STRICT, 6),
    ("files", Model.JOURNALED, 4),
    ("vault", Model.JOURNALED, 8),  # it has few states more: git writes little at a time
    ("landing", Model.JOURNALED, 12),
)
_SHARES = sum(part for _, _, part in PROMISES)


@pytest.mark.parametrize(("name", "model", "part"), PROMISES, ids=lambda value: getattr(value, "name", str(value)))
def test_nothing_acknowledged_is_lost_with_the_power(
    name: str, model: Model, part: int, place: Path, rng: random.Random
) -> None:
    piece = PIECES[name]
    recording = record_piece(name, piece, place)
    states = LEVEL.power_losses * part // _SHARES
    checked = check(recording, piece, place, model, rng, states)
    print(f"{name}, {model.name}: {checked.states} states of {len(recording.operations)} operations")
    assert checked.faults == ()
    assert checked.states == states, "there are fewer different states than this test means to try"
