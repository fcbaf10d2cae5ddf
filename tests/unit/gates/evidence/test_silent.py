"""Single new tests that notice no change of the work are shown. covers: T8.M"""

from __future__ import annotations

import pytest

from autopilot.gates.evidence.idle import NewTests, judge_silent, silent_tests
from autopilot.gates.evidence.sabotage import Trial
from autopilot.model.evidence.objection import Weight
from autopilot.model.evidence.observation import Seen
from tests.unit.gates.reports import report

FILE = "tests/test_new.py"
A, B = f"{FILE}::test_a", f"{FILE}::test_b"
CASES = (f"{FILE}::test_c[1]", f"{FILE}::test_c[2]")


def trial(*lines: str) -> Trial:
    return Trial("every changed function returns None", Seen.FAILED, report(*lines))


@pytest.mark.parametrize(
    ("ids", "mutated", "reverted", "silent"),
    [
        ((A, B), [trial(f"red {A}", f"ok {B}")], [], (B,)),
        ((A, B), [trial(f"red {A}", f"ok {B}"), trial(f"ok {A}", f"red {B}")], [], ()),
        ((A, B), [trial(f"red {A}")], [], ()),  # it did not run there, which says nothing of it
        ((A, B), [], [trial(f"red {A}", f"ok {B}")], ()),  # nor does it where no constant was tried
        ((A, B), [trial(f"red {A}", f"ok {B}")], [trial(f"red {B}")], ()),  # by an assertion, without the work
        (CASES, [trial(f"ok {CASES[0]}", f"red {CASES[1]}")], [], ()),  # a case speaks for its test
        (CASES, [trial(*(f"ok {case}" for case in CASES))], [], (f"{FILE}::test_c",)),
    ],
)
def test_a_test_is_silent_that_ran_with_constants_and_noticed_none(
    ids: tuple[str, ...], mutated: list[Trial], reverted: list[Trial], silent: tuple[str, ...]
) -> None:
    new = NewTests(FILE, ids, report(*(f"ok {id}" for id in ids)), is_new=True)
    assert silent_tests(new, mutated, reverted) == silent


def test_a_silent_test_is_shown_and_refuses_nothing() -> None:
    new = NewTests(FILE, (A, B), report(f"ok {A}", f"ok {B}"), is_new=True)
    (flag,) = judge_silent("phase", new, (B,))
    assert flag.weight is Weight.FLAG
    assert flag.where == FILE
    assert flag.description == f"a new test notices no change of the work: {B}"
    assert judge_silent("phase", new, ()) == ()
