"""Bisection and repeats are arithmetic: tried on every case there is room for.

covers: DEBUG
"""

from __future__ import annotations

import math

import pytest

from autopilot.model.debugging.bisection import next_candidate, suspects
from autopilot.model.debugging.repeats import LUCK, MOST_GREENS, greens_wanted, luck_of, runs_wanted
from autopilot.model.debugging.session import Candidate, Repeats


@pytest.mark.parametrize("count", [1, 2, 3, 7, 8, 200])
def test_the_first_bad_commit_is_found_in_as_many_tests_as_the_logarithm_allows(count: int) -> None:
    for first in range(count):
        tested: dict[int, Candidate] = {}
        while (index := next_candidate(count, tested)) is not None:
            tested[index] = Candidate.BAD if index >= first else Candidate.GOOD
        assert suspects(count, tested) == (first,)
        assert len(tested) <= math.ceil(math.log2(count)) + 1


def test_commits_that_cannot_be_tested_are_passed_over_and_stay_suspects() -> None:
    count, first = 20, 11
    tested: dict[int, Candidate] = {}
    while (index := next_candidate(count, tested)) is not None:
        skips = index in (9, 10)
        tested[index] = Candidate.SKIPPED if skips else Candidate.BAD if index >= first else Candidate.GOOD
    assert suspects(count, tested) == (9, 10, 11)


def test_greens_are_wanted_until_luck_is_ruled_out() -> None:
    assert greens_wanted(Repeats(3, 3)) == 1
    assert greens_wanted(Repeats(20, 3)) == 29
    assert greens_wanted(Repeats(10_000, 1)) == MOST_GREENS
    for failures in range(1, 20):
        before = Repeats(20, failures)
        wanted = greens_wanted(before)
        assert luck_of(before, wanted) <= LUCK < luck_of(before, wanted - 1)


def test_a_steady_bug_is_run_three_times_and_one_that_wavers_twenty() -> None:
    assert [runs_wanted(Repeats(*seen)) for seen in ((0, 0), (3, 3), (3, 1), (20, 3), (40, 1))] == [3, 0, 17, 0, 0]
    runs = Repeats(0, 0)
    while more := runs_wanted(runs):
        runs = Repeats(runs.runs + more, 0)
    assert runs.runs == 60
