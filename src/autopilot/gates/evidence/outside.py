"""Does the product answer alike where it is not being tested, with nothing of its own in place of what tests use?"""

from __future__ import annotations

from collections.abc import Mapping

from autopilot.gates.evidence.test_id import some
from autopilot.model.evidence.objection import Layer, Objection, Weight

MOST_NAMED = 5


def judge_outside(subject: str, plain: Mapping[str, str], tested: Mapping[str, str]) -> tuple[Objection, ...]:
    """By test: why it failed, "" where it passed. One that fails in both runs may need more than this can give it."""
    differing = sorted(test for test, why in plain.items() if why and tested.get(test) == "")
    if not differing:
        return ()
    description = f"these pass only where a test tool runs: {some(differing)} ({plain[differing[0]]})"
    satisfy = "let the product do the same whether or not it is being tested"
    return (Objection(Layer.HELD_OUT, subject, description, differing[0], satisfy),)


def judge_replaced(subject: str, replaced: Mapping[str, str]) -> tuple[Objection, ...]:
    """``replaced``: parts of the language itself, and the files of the product whose functions stand there now."""
    satisfy = "leave the language and its library as they are: other code, and its tests, rely on them"
    return tuple(
        Objection(Layer.HELD_OUT, subject, f"{place} puts a function of its own in place of {name}", place, satisfy)
        for name, place in sorted(replaced.items())[:MOST_NAMED]
    )


def judge_unrun(subject: str, reason: str) -> Objection:
    return Objection(Layer.HELD_OUT, subject, f"it could not be run outside of the tests: {reason}", weight=Weight.OURS)
