"""What decides that an issue is done: red, green and coverage, each by what was run.

covers: AL-3, AL-4, ISSUE-RED, ISSUE-GREEN, ISSUE-SABOTAGE
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from autopilot.gates.issue.coverage import Coverage
from autopilot.gates.issue.oracle import Ran, flag_unasked, judge_earlier, judge_oracle
from autopilot.model.evidence.objection import Layer, Objection, Weight
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.testing import By, Ended, Grade, TestReport, TestResult
from autopilot.model.evidence.verdict import Outcome, Verdict
from autopilot.model.issue.issue import Link

ONE, TWO = "tests/test_a.py::test_at_001", "tests/test_a.py::test_at_002"
LINKS = (Link("AT-001", ("AC-1",), (ONE,)), Link("AT-002", ("AC-2",), (TWO,)))
COVERED = Coverage(True, (), LINKS, ())


def ran(*ends: tuple[str, Ended, By | None], loading: str = "", grade: Grade = Grade.REPORT) -> Ran:
    results = tuple(TestResult(id, ended, by, "tests/test_a.py") for id, ended, by in ends)
    red = loading or any(ended is Ended.FAILED for _, ended, _ in ends)
    report = TestReport("pytest", grade, results, loading=(loading,) if loading else ())
    return Ran(Observation("at", "pytest", "c" * 40, Seen.FAILED if red else Seen.PASSED), report)


def failed(id: str, by: By = By.ASSERTION) -> tuple[str, Ended, By | None]:
    return id, Ended.FAILED, by


def passed(id: str) -> tuple[str, Ended, By | None]:
    return id, Ended.PASSED, None


GREEN = ran(passed(ONE), passed(TWO))
RED = ran(failed(ONE), failed(TWO, By.ERROR))


@pytest.mark.parametrize(
    ("red", "observed", "fixable"),
    [
        (RED, True, False),
        (ran(failed(ONE), passed(TWO)), False, False),
        (ran(passed(ONE), passed(TWO)), False, False),
        (ran(loading="tests/test_a.py: ModuleNotFoundError"), False, True),
        (ran(failed(ONE, By.LOADING), failed(TWO, By.LOADING)), False, False),
        (ran(failed(ONE)), False, False),
        (ran(failed(ONE, By.UNKNOWN), failed(TWO, By.UNKNOWN)), False, False),
        (ran(failed(ONE, By.UNKNOWN), failed(TWO, By.UNKNOWN), grade=Grade.TEXT), True, False),
        (Ran(Observation("at", "x", "c" * 40, Seen.FAILED)), False, False),
        (Ran(Observation("at", "x", "c" * 40, Seen.TIMED_OUT)), False, False),
    ],
)
def test_red_is_a_test_of_every_acceptance_test_that_failed_by_itself(red: Ran, observed: bool, fixable: bool) -> None:
    oracle = judge_oracle(red, GREEN, COVERED)
    assert oracle.state.red_observed is observed
    assert oracle.fixable is fixable
    assert oracle.state.holds is observed
    assert bool(oracle.findings) is not observed


@pytest.mark.parametrize(
    ("message", "is_red"),
    [
        ("ModuleNotFoundError: No module named 'intervals'", True),
        ("ImportError: cannot import name 'merge' from 'intervals'", True),
        ("Cannot find module './intervals' from 'intervals.test.js'", True),
        ("SyntaxError: invalid syntax", False),
        ("fixture 'intervals' not found", False),
    ],
)
def test_an_import_inside_the_test_of_what_is_not_there_yet_is_red(message: str, is_red: bool) -> None:
    """It is what the agent is asked for where the file of the tests could not be loaded."""
    results = tuple(TestResult(id, Ended.FAILED, By.LOADING, "tests/test_a.py", message) for id in (ONE, TWO))
    observation = Observation("at", "pytest", "c" * 40, Seen.FAILED)
    red = Ran(observation, TestReport("unittest", Grade.REPORT, results))
    assert judge_oracle(red, GREEN, COVERED).state.red_observed is is_red


def compiled(*ends: tuple[str, Ended, By | None], loading: str = "") -> Ran:
    found = ran(*ends, loading=loading)
    assert found.report is not None
    return Ran(found.seen, replace(found.report, runner="go test"))


def test_what_does_not_compile_without_the_work_is_red_where_it_fails_with_constants_in_its_place() -> None:
    """No test of Go or Rust can import inside itself what is not there yet."""
    red = compiled(loading="./a_test.go:6:12: undefined: Shout")
    both, first, none = (
        compiled(failed(ONE, By.UNKNOWN), failed(TWO)).report,
        compiled(failed(ONE), passed(TWO)).report,
        compiled(passed(ONE), passed(TWO)).report,
    )
    assert both and first and none
    oracle = judge_oracle(red, GREEN, COVERED, mutated=[none, both])
    assert not oracle.state.red_observed, "a test that may fail for any reason is not red by itself"
    oracle = judge_oracle(red, GREEN, COVERED, mutated=[first, compiled(failed(TWO)).report or none])
    assert oracle.state.red_observed
    assert oracle.by_constants == {ONE, TWO}
    unred = judge_oracle(red, GREEN, COVERED, mutated=[first])
    assert [finding.evidence_ref for finding in unred.findings] == ["AT-002"]
    assert not judge_oracle(red, GREEN, COVERED, mutated=[none]).state.red_observed
    assert not judge_oracle(red, GREEN, COVERED).state.red_observed
    assert not judge_oracle(ran(loading="no module"), GREEN, COVERED, mutated=[first]).state.red_observed


def test_a_test_that_a_panic_kept_from_running_is_red_and_flagged() -> None:
    red, panicked = compiled(loading="undefined: Shout"), compiled(failed(ONE)).report
    assert panicked
    assert judge_oracle(red, GREEN, COVERED, mutated=[panicked]).state.red_observed
    (flag,) = flag_unasked(red, LINKS, [panicked])
    assert (flag.subject, flag.weight) == ("AT-002", Weight.FLAG)
    assert "panicked" in flag.description


def test_a_regression_that_a_person_approved_need_not_have_been_red() -> None:
    red = ran(failed(ONE), passed(TWO))
    assert judge_oracle(red, GREEN, COVERED, kept=frozenset({"AT-002"})).state.holds
    assert not judge_oracle(red, GREEN, COVERED, kept=frozenset({"AT-001"})).state.holds


@pytest.mark.parametrize(
    ("green", "objections", "checks", "is_green"),
    [
        (GREEN, (), (), True),
        (ran(passed(ONE), failed(TWO)), (), (), False),
        (Ran(Observation("at", "x", "c" * 40, Seen.TIMED_OUT)), (), (), False),
        (GREEN, (Objection(Layer.CHANGE, "issue", "conftest.py was changed"),), (), False),
        (GREEN, (Objection(Layer.SABOTAGE, "at", "green with constants"),), (), False),
        (GREEN, (Objection(Layer.LOOK, "issue", "odd", weight=Weight.FLAG),), (), True),
        (GREEN, (), (Verdict("lint", Outcome.FAIL, "the command failed"),), False),
        (GREEN, (), (Verdict("lint", Outcome.PASS, "green"),), True),
    ],
)
def test_green_is_every_test_and_nothing_that_speaks_against_it(
    green: Ran, objections: tuple[Objection, ...], checks: tuple[Verdict, ...], is_green: bool
) -> None:
    state = judge_oracle(RED, green, COVERED, objections, checks).state
    assert state.at_green is is_green and state.holds is is_green


def test_tests_that_were_never_red_are_not_held_against_green_so_that_a_person_is_asked_at_once() -> None:
    never = judge_oracle(ran(passed(ONE), passed(TWO)), GREEN, COVERED, (Objection(Layer.SABOTAGE, "at", "vacuous"),))
    assert never.state.is_unverifiable and not never.fixable


@given(st.booleans(), st.booleans(), st.booleans())
def test_no_term_stands_for_another(red: bool, green: bool, covered: bool) -> None:
    coverage = COVERED if covered else Coverage(False, ("AC-3",), LINKS, ())
    state = judge_oracle(RED if red else ran(passed(ONE)), GREEN if green else ran(failed(ONE)), coverage).state
    assert state.holds is (red and green and covered)


@pytest.mark.parametrize(
    ("seen", "weight"),
    [(Seen.PASSED, None), (Seen.FAILED, Weight.REFUSE), (Seen.TIMED_OUT, Weight.REFUSE), (Seen.NOTHING, Weight.OURS)],
)
def test_a_test_that_was_changed_since_it_was_red_holds_as_it_was(seen: Seen, weight: Weight | None) -> None:
    objections = judge_earlier(Ran(Observation("earlier:at", "x", "c" * 40, seen)), ("tests/test_a.py",))
    assert [objection.weight for objection in objections] == ([weight] if weight else [])


def missing(id: str) -> TestResult:
    return TestResult(id, Ended.FAILED, By.ERROR, "tests/test_a.py", "AttributeError: no attribute 'shout'")


@pytest.mark.parametrize(
    ("red", "noticed", "flagged"),
    [
        ((missing(ONE), missing(TWO)), (ONE,), ["AT-002"]),
        ((missing(ONE), missing(TWO)), (ONE, TWO), []),
        ((missing(ONE), TestResult(TWO, Ended.FAILED, By.ASSERTION, "")), (ONE,), []),
        ((missing(ONE), TestResult(TWO, Ended.PASSED, None, "")), (ONE,), []),
    ],
)
def test_a_test_that_asks_only_whether_a_name_is_there_is_pointed_out(
    red: tuple[TestResult, ...], noticed: tuple[str, ...], flagged: list[str]
) -> None:
    before = Ran(GREEN.seen, TestReport("pytest", Grade.REPORT, red))
    mutated = ran(*map(failed, noticed)).report
    assert mutated is not None
    flags = list(flag_unasked(before, LINKS, [mutated]))
    assert [flag.subject for flag in flags] == flagged
    assert all(flag.weight is Weight.FLAG for flag in flags)
    assert not list(flag_unasked(before, LINKS, []))  # without constants nothing is known
