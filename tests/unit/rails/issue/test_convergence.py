"""Which rail ends a convergence, and which goes before another (AL-4, AL-5)."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.model.issue.issue import AuditRow, HaltReason, HaltRow, OracleState
from autopilot.rails.issue.convergence import fingerprint, first_halt, is_over, is_same, is_stuck, state_fingerprint

# covers: AL-4, AL-5, ISSUE-RAILS
HALTED = HaltRow("HALT", "atdd", "stuck", "[]", "")


def rows(written: str, step: str = "atdd") -> list[AuditRow | HaltRow]:
    """Small letters are failures by their fingerprint, capitals what passed, ``!`` a halt; ``x:a`` is of step x."""
    made: list[AuditRow | HaltRow] = []
    for word in written.split():
        named, _, mark = word.rpartition(":")
        verdict = "PASS" if mark.isupper() else "FAIL"
        made.append(HALTED if mark == "!" else AuditRow(1, named or step, verdict, mark.lower(), ""))
    return made


@pytest.mark.parametrize(
    ("written", "step", "same"),
    [
        ("", "", False),
        ("a", "", False),
        ("a a", "", True),
        ("a b", "", False),
        ("a a b", "", False),
        ("b a a", "", True),
        ("a P a", "", True),  # something passed in between, and it is the same failure still
        ("a A", "", False),  # what passed is no failure, whatever its fingerprint
        ("A A", "", False),
        ("a ! a", "", True),  # a halt is no iteration
        ("a x:a", "", True),  # of all steps
        ("a x:a", "atdd", False),
        ("a x:b a", "atdd", True),
        ("a a", "other", False),
    ],
)
def test_the_last_two_failures_of_a_step_are_compared(written: str, step: str, same: bool) -> None:
    assert is_same(rows(written), step) is same


@pytest.mark.parametrize(
    ("written", "window", "step", "stuck"),
    [
        ("", 3, "", False),
        ("a", 3, "", False),
        ("a a", 3, "", False),  # fewer than the window has places: nothing is said yet
        ("a a", 2, "", True),
        ("a b c", 3, "", False),
        ("a b a", 3, "", True),  # there and back again
        ("a a a", 3, "", True),
        ("a a b", 3, "", True),
        ("a b c a", 3, "", False),  # seen before, but not in the window
        ("a b c a", 4, "", True),
        ("a P b P a", 3, "", True),
        ("a P b", 3, "", False),
        ("a ! b ! a", 3, "", True),
        ("a b x:a", 3, "", True),
        ("a b x:a", 3, "atdd", False),
        ("a x:c b x:c a", 3, "atdd", True),
        ("a", 1, "", False),
    ],
)
def test_a_failure_that_comes_back_within_the_window_is_going_in_circles(
    written: str, window: int, step: str, stuck: bool
) -> None:
    assert is_stuck(rows(written), window, step) is stuck


@pytest.mark.parametrize(
    ("current", "limit", "over"), [(0, 1, False), (3, 4, False), (4, 4, True), (5, 4, True), (0, 0, True)]
)
def test_the_last_iteration_is_reached_at_the_limit(current: int, limit: int, over: bool) -> None:
    assert is_over(current, limit) is over


@pytest.mark.parametrize(
    ("history", "iteration", "tripped", "halt"),
    [
        ("a b c", 3, (), None),
        ("a b a", 8, (HaltReason.DRIFT, HaltReason.INTEGRITY, HaltReason.UNVERIFIABLE), HaltReason.DRIFT),
        ("a a a", 8, (HaltReason.UNVERIFIABLE, HaltReason.INTEGRITY), HaltReason.INTEGRITY),
        ("a a a", 8, (HaltReason.UNVERIFIABLE,), HaltReason.UNVERIFIABLE),
        ("a a a", 8, (), HaltReason.MAX_ITERATIONS),
        ("a a a", 7, (), HaltReason.SAMENESS),
        ("a b a", 7, (), HaltReason.STUCK),
        ("x:a a", 2, (), None),  # of the step alone
    ],
)
def test_one_rail_goes_before_another(
    history: str, iteration: int, tripped: Sequence[HaltReason], halt: HaltReason | None
) -> None:
    assert first_halt(rows(history), "atdd", iteration, 8, tripped) == halt


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("", ""),
        ("  one \t\r\n\v\f two\n", "one two"),
        ("one two", "one two"),
        ("one\u00a0two", "one\u00a0two"),  # no blank of the C locale
        ("größe\n", "größe"),
    ],
)
def test_a_fingerprint_is_of_the_words_and_not_of_the_blanks_between_them(text: str, folded: str) -> None:
    assert fingerprint(text) == sha256(folded.encode()).hexdigest()


def test_bytes_that_are_no_text_have_the_fingerprint_that_the_shell_gives_them() -> None:
    escaped = b" a \t b\n\n c\xff ".decode("utf-8", "surrogateescape")
    assert fingerprint(escaped) == "76abb54acd87569fa25157116825f867103cb6f20a0cb941183e996b9957acd1"


def test_the_state_is_written_as_workflows_write_it() -> None:
    state = OracleState(red_observed=True, coverage_ok=False, uncovered=("AC-2",))
    written = '{"redObserved":true,"atGreen":false,"coverageOk":false,"uncovered":["AC-2"]}'
    assert state_fingerprint(state) == sha256(written.encode()).hexdigest()


states = st.builds(
    OracleState,
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.sets(st.sampled_from("abc"), max_size=3).map(lambda found: tuple(sorted(found))),
    st.sets(st.sampled_from("abc"), max_size=3).map(lambda found: tuple(sorted(found))),
)


@given(states, states)
def test_two_states_have_one_fingerprint_only_when_they_are_one(one: OracleState, other: OracleState) -> None:
    assert (state_fingerprint(one) == state_fingerprint(other)) is (one == other)


def test_the_order_of_what_fails_is_no_progress() -> None:
    assert state_fingerprint(OracleState(failing=("a", "b"))) == state_fingerprint(OracleState(failing=("b", "a")))
