"""The map from criteria to acceptance tests to executed tests, both ways; and its laws.

covers: ISSUE-COVER, AL-2, AL-3
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from autopilot.gates.issue.belonging import bears, meets
from autopilot.gates.issue.coverage import find_kept, judge_coverage
from autopilot.model.evidence.testing import By, Ended, Grade, TestReport, TestResult
from autopilot.model.issue.issue import AcceptanceTest

ONE = AcceptanceTest("AT-001", "planned", "adds", ("AC-1",))
TWO = AcceptanceTest("AT-002", "planned", "sorts", ("AC-2",), ("tests/test_a.py::test_sorts",))
BOTH = ("AC-1", "AC-2")
ADDS = "tests/test_a.py::test_at_001_adds"
SORTS = "tests/test_a.py::test_sorts"


def result(id: str, ended: Ended = Ended.PASSED, by: By | None = None) -> TestResult:
    return TestResult(id, ended, by, id.partition("::")[0] if "::" in id else "")


def report(*results: TestResult | str, problem: str = "") -> TestReport:
    told = tuple(result(each) if isinstance(each, str) else each for each in results)
    return TestReport("pytest", Grade.REPORT, told, problem)


def test_a_map_without_a_gap_is_ok_and_names_the_tests_that_passed() -> None:
    coverage = judge_coverage(BOTH, (ONE, TWO), report(ADDS, SORTS, "tests/test_a.py::test_other"))
    assert (coverage.ok, coverage.uncovered, coverage.problems) == (True, (), ())
    assert [(link.acceptance_test, link.covers, link.tests, link.problem) for link in coverage.links] == [
        ("AT-001", ("AC-1",), (ADDS,), ""),
        ("AT-002", ("AC-2",), (SORTS,), ""),
    ]


def test_a_test_that_failed_was_executed() -> None:
    coverage = judge_coverage(BOTH, (ONE, TWO), report(ADDS, result(SORTS, Ended.FAILED, By.ASSERTION)))
    assert coverage.ok
    assert coverage.links[1].tests == ()


SKIPPED = result(SORTS, Ended.SKIPPED)
UNKNOWN = replace(TWO, covers=("AC-2", "AC-9"))
NOTHING = replace(TWO, covers=())
GAPS: list[tuple[tuple[str, ...], tuple[AcceptanceTest, ...], TestReport | None, tuple[str, ...], str]] = [
    (BOTH, (ONE,), report(ADDS, SORTS), ("AC-2",), "AC-2: no acceptance test covers it"),
    (BOTH, (ONE, TWO), report(ADDS), ("AC-2",), "AC-2: none of its acceptance tests was executed (AT-002)"),
    (BOTH, (ONE, TWO), report(ADDS), ("AC-2",), f"AT-002: it names tests that were not executed: {SORTS}"),
    (BOTH, (ONE, TWO), report(ADDS, SKIPPED), ("AC-2",), f"AT-002: skipped, not executed: {SORTS}"),
    (
        BOTH,
        (ONE, TWO),
        report(ADDS, result(SORTS, Ended.XFAILED)),
        ("AC-2",),
        f"AT-002: expected to fail, not executed: {SORTS}",
    ),
    (
        BOTH,
        (ONE, TWO),
        report(ADDS, result(SORTS, Ended.FAILED, By.LOADING)),
        ("AC-2",),
        f"AT-002: it names tests that were not executed: {SORTS}",
    ),
    (BOTH, (ONE, TWO), report(SORTS), ("AC-1",), "AT-001: no executed test has its id"),
    (("AC-1",), (ONE, NOTHING), report(ADDS, SORTS), (), "AT-002: it names no acceptance criterion"),
    (BOTH, (ONE, UNKNOWN), report(ADDS, SORTS), (), "AT-002: it names ids that are not acceptance criteria: AC-9"),
    (("AC-1",), (ONE, ONE), report(ADDS), (), "AT-001: the id is declared more than once"),
    (
        ("AC-1",),
        (ONE,),
        report(ADDS, result("x::at_001_b", Ended.SKIPPED)),
        (),
        "AT-001: skipped, not executed: x::at_001_b",
    ),
    (("AC-1",), (ONE,), None, ("AC-1",), "the acceptance tests reported no single test"),
    (
        ("AC-1",),
        (ONE,),
        report(ADDS, problem="cut off"),
        ("AC-1",),
        "the report of the acceptance tests cannot be used: cut off",
    ),
    ((), (), report(ADDS), (), "no acceptance criterion is defined"),
    (BOTH, (), report(ADDS, SORTS), BOTH, "no acceptance test is declared"),
]


@pytest.mark.parametrize(("criteria", "tests", "ran", "uncovered", "saw"), GAPS, ids=[gap[-1] for gap in GAPS])
def test_a_gap_blocks_whichever_way_it_is_found(
    criteria: tuple[str, ...],
    tests: tuple[AcceptanceTest, ...],
    ran: TestReport | None,
    uncovered: tuple[str, ...],
    saw: str,
) -> None:
    coverage = judge_coverage(criteria, tests, ran)
    assert not coverage.ok
    assert coverage.uncovered == uncovered
    assert saw in [problem.evidence_ref for problem in coverage.problems]
    assert all(problem.priority == 0 for problem in coverage.problems)


def test_a_problem_of_a_test_is_shown_in_the_map() -> None:
    assert judge_coverage(BOTH, (ONE, TWO), report(ADDS, SKIPPED)).links[1].problem == f"skipped, not executed: {SORTS}"


@pytest.mark.parametrize(
    ("at", "id"),
    [
        ("AT-001", "tests/test_a.py::test_at_001_adds"),
        ("AT-001", "tests/test_a.py::test_at001"),
        ("AT-001", "tests/acceptance/test_at_001.py::test_adds"),
        ("AT-001", "tests/a.bats::AT-001: adds"),
        ("AT-001", "AT-001-adds"),
        ("AT-001", "AT 001"),
        ("AT-001", "pkg::TestAT001Adds"),
        ("AT-001", "com.shop.CartTest::testAt001"),
        ("AT-001", "t.py::test_x[AT-001]"),
        ("AT-001", "test_at_001_2_items"),
        ("AT-355-F8-1", "tests/a.bats::AT-355-F8-1 sorts"),
        ("AT-355-F8-1", "test_at_355_f8_1_sorts"),
    ],
)
def test_an_id_is_known_in_the_name_of_a_test(at: str, id: str) -> None:
    assert bears(id, at, ["AT-001", "AT-355-F8-1"])


@pytest.mark.parametrize(
    ("at", "id"),
    [
        ("AT-001", "test_at_0011"),
        ("AT-001", "AT-00"),
        ("AT-001", "AT-01"),
        ("AT-001", "AT-001a"),
        ("AT-001", "AT-001B"),
        ("AT-001", "AT-001-2 more"),
        ("AT-001", "AT-001.2"),
        ("AT-001", "test_format001"),
        ("AT-001", "cat_001"),
        ("AT-001", "FORMAT-001"),
        ("AT-1", "AT-355-F8-1"),
        ("AT-355-F8-1", "at_355_f81"),
        ("AT-355-F8", "AT-355-F8-1"),
        ("AT-355-F8", "test_at_355_f8_1_sorts"),
        ("AT-12", "AT-1-2"),
        ("AT-1-2", "AT-12"),
    ],
)
def test_another_id_is_another_test(at: str, id: str) -> None:
    assert not bears(id, at, ["AT-001", "AT-1", "AT-355-F8", "AT-355-F8-1"])


@pytest.mark.parametrize(
    ("named", "id"),
    [
        (SORTS, SORTS),
        (f"./{SORTS}", SORTS),
        (SORTS, f"{SORTS}[1-2]"),
        ("tests/test_a.py", SORTS),
        ("tests/test_a.py::TestSort", "tests/test_a.py::TestSort::test_up"),
        ("TestSort::test_up", "tests/test_a.py::TestSort::test_up[x]"),
        ("test_sorts", SORTS),
        ("test_sorts[1]", f"{SORTS}[1]"),
        ("tests/a.bats", "tests/a.bats::sorts it all"),
        ("pkg::TestSort", "pkg::TestSort/up"),
        ("TestSort", "pkg::TestSort/up"),
        ("sort.test.js > sorts", "sort.test.js > sorts > up"),
        ("tests/run.sh", "AT-002 sorts"),
        ("tests/run.sh::AT-002 sorts", "AT-002 sorts"),
    ],
)
def test_a_named_test_is_met_by_itself_its_cases_its_class_and_its_file(named: str, id: str) -> None:
    assert meets(named, result(id), "AT-002")


@pytest.mark.parametrize(
    ("named", "id"),
    [
        (SORTS, f"{SORTS}_down"),
        (f"{SORTS}[1]", f"{SORTS}[2]"),
        ("test_sorts[1]", f"{SORTS}[11]"),
        ("tests/test_b.py::test_sorts", SORTS),
        ("tests/test_b.py", SORTS),
        ("tests", SORTS),
        ("test_sort", SORTS),
        ("tests/a.bats::sorts", "tests/a.bats::sorts it all"),
        ("tests/run.sh", "AT-001 adds"),
        ("TBD", SORTS),
        ("", SORTS),
    ],
)
def test_another_test_does_not_meet_the_name(named: str, id: str) -> None:
    assert not meets(named, result(id), "AT-002")


ACS = st.sampled_from(["AC-1", "AC-2", "AC-3"])
ATS = st.builds(
    AcceptanceTest,
    st.sampled_from(["AT-001", "AT-002", "AT-002-1", "AT-003"]),
    st.just("planned"),
    st.just("x"),
    st.lists(ACS, max_size=2).map(tuple),
    st.lists(st.sampled_from(["t.py", "t.py::test_at_001", "test_x"]), max_size=2).map(tuple),
)
NAMES = st.sampled_from(
    ["t.py::test_at_001", "t.py::test_at_002_1_x", "AT-003", "u.py::test_x[1]", "u.py::test_at_002"]
)
REASONS = st.sampled_from([None, By.ASSERTION, By.ERROR, By.LOADING])
RAN = st.lists(st.builds(result, NAMES, st.sampled_from(Ended), REASONS), unique_by=lambda r: r.id).map(tuple)
CRITERIA = st.lists(ACS, max_size=3, unique=True).map(tuple)
TESTS = st.lists(ATS, max_size=4).map(tuple)


@given(CRITERIA, TESTS, RAN, st.data())
def test_to_run_less_never_covers_more(
    criteria: tuple[str, ...], tests: tuple[AcceptanceTest, ...], ran: tuple[TestResult, ...], data: st.DataObject
) -> None:
    """Taking away a test that passed or failed. One that was skipped blocks by being there."""
    gone = data.draw(st.sampled_from([r for r in ran if r.ended in (Ended.PASSED, Ended.FAILED)] or [None]))
    before = judge_coverage(criteria, tests, report(*ran))
    after = judge_coverage(criteria, tests, report(*(r for r in ran if r is not gone)))
    assert before.ok or not after.ok
    assert set(before.uncovered) <= set(after.uncovered)
    assert not judge_coverage(criteria, tests, None).ok
    assert not judge_coverage(criteria, tests, report(*ran, problem="cut off")).ok


@given(CRITERIA, TESTS, RAN)
def test_a_criterion_that_nobody_covers_is_never_ok(
    criteria: tuple[str, ...], tests: tuple[AcceptanceTest, ...], ran: tuple[TestResult, ...]
) -> None:
    coverage = judge_coverage((*criteria, "AC-4"), tests, report(*ran))
    assert not coverage.ok
    assert "AC-4" in coverage.uncovered


@given(CRITERIA, TESTS, RAN)
def test_what_is_ok_has_an_executed_test_for_every_criterion_and_no_test_put_off(
    criteria: tuple[str, ...], tests: tuple[AcceptanceTest, ...], ran: tuple[TestResult, ...]
) -> None:
    coverage = judge_coverage(criteria, tests, report(*ran))
    assert coverage.ok is (not coverage.problems)
    assert len(coverage.links) == len(tests)
    if coverage.ok:
        assert criteria and not coverage.uncovered and not any(link.problem for link in coverage.links)
        assert all(any(ac in link.covers for link in coverage.links) for ac in criteria)


@given(CRITERIA, TESTS, RAN)
def test_a_test_put_off_never_makes_it_ok(
    criteria: tuple[str, ...], tests: tuple[AcceptanceTest, ...], ran: tuple[TestResult, ...]
) -> None:
    put_off = tuple(replace(r, ended=Ended.SKIPPED, by=None) for r in ran)
    assert not judge_coverage(criteria, tests, report(*put_off)).ok


TWICE = replace(ONE, id="AT-002", covers=("AC-2",), tests=(ADDS,))


@pytest.mark.parametrize(
    ("now", "approved", "problem"),
    [
        ((replace(ONE, covers=BOTH),), (ONE, TWO), "AT-002: approved, and no longer declared"),
        ((ONE, replace(TWO, covers=("AC-1",))), (ONE, TWO), "AT-002: approved for AC-2, which it no longer names"),
        ((ONE, TWICE), (ONE, TWO), f"AT-002: it uses the same tests as AT-001: {ADDS}"),
        ((ONE, TWICE), (ONE, replace(TWO, tests=())), f"AT-002: it uses the same tests as AT-001: {ADDS}"),
    ],
)
def test_what_a_person_approved_stays_declared_and_has_tests_of_its_own(
    now: tuple[AcceptanceTest, ...], approved: tuple[AcceptanceTest, ...], problem: str
) -> None:
    coverage = judge_coverage(BOTH, now, report(ADDS, SORTS), approved)
    assert not coverage.ok
    assert problem in [finding.evidence_ref for finding in coverage.problems]


def test_more_may_come_and_what_was_approved_as_one_test_or_for_no_criterion_may_stay() -> None:
    third = replace(TWO, id="AT-003", tests=("tests/test_a.py::test_third",))
    ran = report(ADDS, SORTS, "tests/test_a.py::test_third")
    assert judge_coverage(BOTH, (ONE, TWO, third), ran, (ONE, TWO)).ok
    assert judge_coverage(BOTH, (ONE, TWICE), ran, (ONE, TWICE)).ok
    assert judge_coverage(BOTH, (ONE, TWO), ran, (replace(ONE, covers=("AC-1", "AC-9")), TWO)).ok


def test_a_regression_is_one_only_for_what_it_was_approved_for() -> None:
    old = replace(ONE, state="regression")
    assert find_kept((old, TWO), (old, TWO)) == {"AT-001"}
    assert find_kept((old, TWO), (replace(old, covers=BOTH), TWO)) == frozenset()
    assert find_kept((ONE, TWO), (old, TWO)) == frozenset()
