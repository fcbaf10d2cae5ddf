"""How often must a reproduction pass before a fix counts? As often as chance needs to be ruled out."""

from __future__ import annotations

import math

from autopilot.model.debugging.session import Repeats

LUCK = 0.01  # the chance we accept that so many greens came by luck
STEADY_RUNS = 3  # a bug that is there every time has to show itself so often
MEASURED_RUNS = 20  # of one that wavers
MOST_MEASURED = 60  # of one that has not shown itself at all
MOST_GREENS = 400


def runs_wanted(seen: Repeats) -> int:
    """How many more runs say whether, and how often, the reproduction fails; 0 when enough is known."""
    if seen.runs < STEADY_RUNS:
        return STEADY_RUNS - seen.runs
    if seen.is_steady:
        return 0
    goal = MEASURED_RUNS if seen.failures else MOST_MEASURED
    return max(0, min(goal, seen.runs - seen.runs % MEASURED_RUNS + MEASURED_RUNS) - seen.runs)


def greens_wanted(before: Repeats) -> int:
    """Greens in a row that leave at most one chance in a hundred that nothing changed, by the rate of before."""
    if before.is_steady or not before.failures:
        return 1
    rate = before.failures / before.runs
    return min(MOST_GREENS, math.ceil(math.log(LUCK) / math.log(1 - rate)))


def luck_of(before: Repeats, greens: int) -> float:
    """How likely so many greens in a row are if nothing changed."""
    return (1 - before.failures / before.runs) ** greens if before.runs else 1.0
