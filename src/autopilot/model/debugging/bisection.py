"""Pure bisection: which commit is tested next, and which is the first bad one."""

from __future__ import annotations

from collections.abc import Mapping

from autopilot.model.debugging.session import Candidate


def bounds(count: int, tested: Mapping[int, Candidate]) -> tuple[int, int]:
    """The last good commit and the first bad one that are known; -1 is the good one it began with."""
    bad = min((index for index, result in tested.items() if result is Candidate.BAD), default=count - 1)
    good = max((i for i, result in tested.items() if result is Candidate.GOOD and i < bad), default=-1)
    return good, bad


def next_candidate(count: int, tested: Mapping[int, Candidate]) -> int | None:
    """The untested commit nearest to the middle; None when no other can say more."""
    good, bad = bounds(count, tested)
    middle = (good + bad) // 2
    untested = [index for index in range(good + 1, bad) if index not in tested]
    return min(untested, key=lambda index: (abs(index - middle), index), default=None)


def suspects(count: int, tested: Mapping[int, Candidate]) -> tuple[int, ...]:
    """The first bad commit; with those before it that could not be tested, of which one may be the first."""
    good, bad = bounds(count, tested)
    return tuple(range(good + 1, bad + 1))
