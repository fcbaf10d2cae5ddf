"""Does the product read what judges it? An answer that is gone with other words there was taken from there."""

from __future__ import annotations

from collections.abc import Sequence

from autopilot.gates.evidence.test_id import some
from autopilot.model.evidence.objection import Layer, Objection, Weight, unfinished
from autopilot.model.evidence.observation import Observation, Seen


def judge_reading(subject: str, opened: Sequence[str], other: Observation) -> tuple[Objection, ...]:
    """``other``: the same command, with other words in these files."""
    if other.seen is Seen.NOTHING:
        description = f"with other words in {some(opened)} it could not be run: {other.reason}"
        return (Objection(Layer.HELD_OUT, subject, description, weight=Weight.OURS),)
    if other.seen is Seen.TIMED_OUT:
        return (unfinished(Layer.HELD_OUT, subject, f"it, with other words in {some(opened)},"),)
    if other.seen is Seen.PASSED:
        return ()
    description = (
        f"it holds only with the words of {some(opened)}, which it opens: the answer is read from what judges it"
    )
    satisfy = "let the code compute its answer, and read neither plans nor tests"
    return (Objection(Layer.HELD_OUT, subject, description, opened[0], satisfy),)
