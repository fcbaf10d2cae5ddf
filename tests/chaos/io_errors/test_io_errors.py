"""A write, sync, rename or creation that fails loses nothing that was acknowledged and stops no later run.

EIO once, as a bad sector gives it; ENOSPC from then on, as a full disk does, until somebody makes room.

covers: T7, T7.journal, T7.projections, T7.blobs, R-IO
"""

from __future__ import annotations

import errno
import random
from pathlib import Path

import pytest

from tests.chaos.io_errors.trying import Failure, Laboratory
from tests.chaos.level import LEVEL
from tests.chaos.power_loss.perform import PIECES
from tests.chaos.power_loss.pieces.landing import LandingPiece

TRIED = {**PIECES, "landing": LandingPiece(leftovers=["src/gone.py", "new/deep/one.txt"])}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("error", [errno.EIO, errno.ENOSPC], ids=errno.errorcode.get)
@pytest.mark.parametrize("name", TRIED)
def test_a_call_that_fails_loses_nothing_and_stops_no_later_run(
    name: str, error: int, place: Path, rng: random.Random
) -> None:
    laboratory = Laboratory(name, TRIED[name], place)
    undisturbed = laboratory.try_out(Failure(0))
    assert (undisturbed.gave_up, undisturbed.faults) == (False, ())
    calls = range(1, undisturbed.calls + 1)
    tried = calls if LEVEL.failing_calls is None else sorted(rng.sample(calls, min(len(calls), LEVEL.failing_calls)))
    outcomes = {call: laboratory.try_out(Failure(call, error, lasting=error == errno.ENOSPC)) for call in tried}
    gave_up = sum(outcome.gave_up for outcome in outcomes.values())
    print(f"{name}, {errno.errorcode[error]}: {len(outcomes)} of {len(calls)} calls failed, {gave_up} gave up")
    assert {call: outcome.faults for call, outcome in outcomes.items() if outcome.faults} == {}
    assert gave_up > 0, "no failure was ever noticed: nothing was injected"
