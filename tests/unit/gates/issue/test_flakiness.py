"""A flaky test fails now and then before, and is green many times in a row after; one green run says nothing.

covers: AL-3, AL-4
"""

from __future__ import annotations

import pytest

from autopilot.gates.issue.flakiness import flag_luck, is_flaky, judge_after, judge_before, rate_of
from autopilot.model.evidence.objection import Weight
from autopilot.model.evidence.testing import Ended
from autopilot.model.issue.issue import Rate, SeedFinding

TEST = "tests/test_pick.py::test_pick"
ENDS = {"+": Ended.PASSED, "-": Ended.FAILED, "?": None}
WRONG = SeedFinding("conftest.py", "it was changed")


def ends(row: str) -> list[Ended | None]:
    return [ENDS[sign] for sign in row]


def rate(failures: int, runs: int = 10, test: str = TEST) -> Rate:
    return Rate("c1", test, runs, failures, "pytest")


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("+-+-+", ""),
        ("--+", ""),
        ("+++++", "no flakiness was observed in 5 runs: 0 failures"),
        ("++-++", "no flakiness was observed in 5 runs: 1 failure;"),
        ("-----", "it failed in all 5 runs: it is broken, not flaky; use the bugfix route"),
        ("+-?-+", "it was not executed in run 3 of 5"),
        ("", "it was not executed in any run"),
    ],
)
def test_a_test_is_flaky_that_failed_twice_and_passed_as_well(row: str, words: str) -> None:
    oracle = judge_before(TEST, ends(row), ())
    assert oracle.state.holds is (not words) and not oracle.state.is_unverifiable
    assert [finding.evidence_ref for finding in oracle.findings] == ([TEST] if words else [])
    assert not words or words in oracle.findings[0].detail
    assert oracle.state.coverage_ok is (bool(row) and "?" not in row)


def test_a_claim_that_is_not_whole_is_mended_before_a_person_is_asked() -> None:
    oracle = judge_before(TEST, ends("+-+-"), [WRONG])
    assert not oracle.state.holds and oracle.findings == (WRONG,)


def test_what_was_measured_is_told_as_it_was_run() -> None:
    told = rate_of("c1", TEST, "pytest -q", ends("+-+"))
    assert (told.text, told.command, is_flaky(told)) == ("1 of 3", "pytest -q", False)


@pytest.mark.parametrize(
    ("before", "row", "state"),  # red, green, covered
    [
        (rate(4), "+++++", (True, True, True)),
        (rate(4), "++++", (True, False, True)),  # one short
        (rate(4), "+", (True, False, True)),
        (rate(4), "++-", (True, False, True)),
        (rate(4), "++?", (True, False, False)),
        (rate(4), "", (True, False, False)),
        (rate(1), "+++++", (False, True, True)),
        (rate(10), "+++++", (False, True, True)),  # it was broken, not flaky
        (rate(4, test="another"), "+++++", (False, True, True)),
        (None, "+++++", (False, True, True)),
    ],
)
def test_done_is_as_many_greens_in_a_row_as_were_asked_for(
    before: Rate | None, row: str, state: tuple[bool, bool, bool]
) -> None:
    oracle = judge_after(TEST, before, ends(row), 5, ())
    assert (oracle.state.red_observed, oracle.state.at_green, oracle.state.coverage_ok) == state
    assert oracle.state.holds is all(state)
    assert oracle.state.is_unverifiable is (state == (False, True, True))


def test_the_run_that_failed_is_named() -> None:
    (found,) = judge_after(TEST, rate(4), ends("++-"), 5, ()).findings
    assert "failed in run 3 of 5" in found.detail


def test_what_else_broke_is_not_made_good_by_greens() -> None:
    oracle = judge_after(TEST, rate(4), ends("+++++"), 5, [WRONG])
    assert not oracle.state.at_green and oracle.state.failing == ("conftest.py",)


@pytest.mark.parametrize(("failures", "greens", "told"), [(2, 10, "11%"), (5, 10, ""), (2, 14, ""), (2, 5, "33%")])
def test_greens_that_may_be_luck_are_shown_to_whoever_merges(failures: int, greens: int, told: str) -> None:
    flags = flag_luck(TEST, rate(failures), greens)
    assert [told in flag.description and flag.weight is Weight.FLAG for flag in flags] == ([True] if told else [])
