"""Does the product answer alike where it is not being tested, with nothing of its own in place of what tests use?"""

from __future__ import annotations

from collections.abc import Collection, Mapping

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


def judge_accepting(subject: str, accepting: Mapping[str, str]) -> tuple[Objection, ...]:
    """``accepting``: exceptions of the product, and their files, to which any other exception is one of theirs."""
    satisfy = "raise it where it is asked for, and let it be no other exception"
    return tuple(
        Objection(Layer.HELD_OUT, subject, f"{name} in {place} takes every exception for its own", place, satisfy)
        for name, place in sorted(accepting.items())[:MOST_NAMED]
    )


def judge_unreached(subject: str, tests: Collection[str]) -> tuple[Objection, ...]:
    """``tests`` came with the work, pass, and end before the first of their assertions."""
    if not tests:
        return ()
    description = f"none of their assertions is reached: {some(sorted(tests))}"
    satisfy = "let each new test come to its assertions, or skip it where it cannot be run"
    return (Objection(Layer.HELD_OUT, subject, description, min(tests), satisfy),)


def judge_unequal(subject: str, unequal: Mapping[str, str], existed: Collection[str]) -> tuple[Objection, ...]:
    """``unequal``: classes that this work wrote or changed, and what differed between values that they called equal.

    Equality that leaves a part out may be meant in a new class; in one that was there, tests relied on it.
    """
    satisfy = "compare everything that tests of this class ask for, as before"
    return tuple(
        Objection(
            Layer.HELD_OUT,
            subject,
            f"{place} calls values equal that differ ({differed})",
            place,
            satisfy,
            Weight.REFUSE if place in existed else Weight.FLAG,
        )
        for place, differed in sorted(unequal.items())[:MOST_NAMED]
    )


def judge_unbuilt(subject: str, unbuilt: Mapping[str, str]) -> tuple[Objection, ...]:
    """Nothing against the work: its tests may need more of their tool than we put in its place."""
    return tuple(
        Objection(
            Layer.HELD_OUT,
            subject,
            f"the tests of {package} were not called outside of their tool: {why}",
            package,
            weight=Weight.FLAG,
        )
        for package, why in sorted(unbuilt.items())[:MOST_NAMED]
    )


def judge_unrun(subject: str, reason: str) -> Objection:
    return Objection(Layer.HELD_OUT, subject, f"it could not be run outside of the tests: {reason}", weight=Weight.OURS)
