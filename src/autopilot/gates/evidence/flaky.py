"""Repeats: how certain a green is when the same run is repeated."""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt

from msgspec import Struct

from autopilot.model.evidence.objection import Layer, Objection, Weight, unfinished
from autopilot.model.evidence.observation import Seen

Z = 1.959964  # of the normal distribution: 95 % lie between -Z and Z


class Runs(Struct, frozen=True):
    passed: int
    of: int

    def __str__(self) -> str:
        low, high = interval(self)
        return f"green {self.passed} of {self.of}: {low:.0%} to {high:.0%}"


def count(seen: Iterable[Seen]) -> Runs:
    """A run that our own sandbox could not do, or that did not end in time, is no run."""
    done = [result for result in seen if result not in (Seen.NOTHING, Seen.TIMED_OUT)]
    return Runs(done.count(Seen.PASSED), len(done))


def judge_repeats(subject: str, after: Runs, base: Runs | None = None) -> tuple[Objection, ...]:
    """``base`` is None for a criterion that is new; a regression test may be as fickle as it was before the work."""
    if after.passed == after.of:
        return ()
    then = f"; at the base {base}" if base is not None and base.of else ""
    if base is not None and base.passed < base.of and _is_no_worse(after, base):
        return (_object(subject, f"flaky already before the work: {after}{then}", weight=Weight.FLAG),)
    description = (
        f"identical runs give different results: {after}" if after.passed else f"red in each of {after.of} runs"
    )
    return (
        _object(
            subject,
            description + then,
            "make it deterministic: independent of races, the clock, the order of tests and random values",
        ),
    )


def judge_tries(subject: str, once: Runs, *, by_chance: bool, is_chance_meant: bool) -> tuple[Objection, ...]:
    """``once``: the same tests with one try where they have many. ``by_chance``: the code under test asks for random
    numbers; ``is_chance_meant``: the user speaks of chance in what was asked for."""
    if once.passed == once.of:
        return ()
    description = f"the tests try until it fits: with one try each they are {once}"
    satisfy = "let the code give the right answer each time, and let the tests ask once"
    certain = by_chance and not is_chance_meant
    return (_object(subject, description, satisfy, Weight.REFUSE if certain else Weight.FLAG),)


def judge_undone(subject: str, seen: Iterable[Seen]) -> tuple[Objection, ...]:
    """Runs that our own sandbox could not do, or that did not end, might have been the red ones."""
    runs = list(seen)
    undone, late = runs.count(Seen.NOTHING), runs.count(Seen.TIMED_OUT)
    if undone:
        return (_object(subject, f"{undone} of {len(runs)} runs could not be executed", weight=Weight.OURS),)
    asked = f"whether its green is luck: {late} of {len(runs)} runs"
    return (unfinished(Layer.RUN, subject, asked),) if late else ()


def interval(runs: Runs) -> tuple[float, float]:
    """Between which shares of green runs the truth lies, in 95 of 100 cases (Wilson)."""
    if runs.of <= 0:
        return 0.0, 1.0
    share, n, z2 = runs.passed / runs.of, runs.of, Z * Z
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = Z * sqrt(share * (1 - share) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    return max(0.0, middle - half), min(1.0, middle + half)


def _is_no_worse(after: Runs, base: Runs) -> bool:
    """The intervals meet, or what is there now is the better one."""
    return interval(after)[1] >= interval(base)[0]


def _object(subject: str, description: str, satisfy: str = "", weight: Weight = Weight.REFUSE) -> Objection:
    return Objection(Layer.RUN, subject, description, satisfy=satisfy, weight=weight)
