"""Bats, prove, and lines that any command prints: which tests ran, and how they ended.

covers: ISSUE-KINDS, T8.R, AL-3
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.model.evidence.testing import By, Ended, Grade, TestReport
from autopilot.testtools.formats.printed import read_printed
from autopilot.testtools.packs.bats_pack import Bats
from autopilot.testtools.packs.prove_pack import Prove
from autopilot.testtools.registry import PACKS
from autopilot.text.file_kind import is_test
from tests.unit.testtools.recording import ends, recorded


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("bats tests", "bats"),
        ("npx bats --tap tests/a.bats", "bats"),
        ("test/bats/bin/bats -r tests", "bats"),
        ("bats --count tests", ""),
        ("bats", ""),
        ("bats -F junit tests", ""),
        ("prove", "prove"),
        ("prove -lv t", "prove"),
        ("prove --dry t", ""),
        ("bash tests/acceptance/run.sh", ""),
    ],
)
def test_a_call_is_known_by_one_pack_or_none(command: str, name: str) -> None:
    assert [pack.name for pack in PACKS if pack.knows(command.split())] == ([name] if name else [])


def test_a_file_of_bats_is_a_test_wherever_it_lies() -> None:
    assert is_test("acceptance/cart.bats") and not is_test("acceptance/cart.sh")


def bats(stream: str, output: str = "") -> TestReport:
    return Bats().read({"1.tap": stream.encode()}, output)


def test_the_stream_of_bats_names_the_file_of_every_test() -> None:
    report = Bats().read({"1.tap": recorded("bats-1.8.tap")}, "")
    cart = "/home/me/shop/tests/cart.bats::"
    assert ends(report) == {
        f"{cart}AT-001 adds": "passed",
        f"{cart}AT-002 is wrong": "assertion",
        f"{cart}raises": "error",
        f"{cart}waits": "skipped",
        f"{cart}speaks of # skip": "passed",
    }
    assert (report.problem, [line.split(":")[0] for line in report.loading]) == ("", ["/home/me/shop/tests/unset.bats"])
    assert {result.file for result in report.results} == {"/home/me/shop/tests/cart.bats"}


@pytest.mark.parametrize(
    ("stream", "expected", "problem"),
    [
        ("1..2\nok 1 adds in 4ms\nok 2 waits in 0ms # skip later\n", {"adds": "passed", "waits": "skipped"}, ""),
        ("1..1\nbegin 1 a\nnot ok 1 a # TODO b\n", {"a": "expected to fail"}, ""),
        ("1..2\nbegin 1 a\nok 1 a\n", {"a": "passed"}, "2 tests were planned and 1 reported"),
        ("1..1\nbegin 1 a\nok 1 a\nok 1 a\n", {"a": "passed"}, "1 tests were planned and 2 reported"),
        (
            "1..2\nbegin 1 a\nok 1 a\nok 2 b\n",
            {"a": "passed"},
            "1 lines look like results of tests that had not started",
        ),
        ("1..1\nbegin 1 a\nok 1 ab\n", {}, "1 lines look like results of tests that had not started"),
        ("1..1\nbegin 1 a\nok 1 a\nnot ok 1 a\n", {"a": "assertion"}, "1 tests were planned and 2 reported"),
        ("1..1\nbegin 1 a\nok 1 a\nBail out! disk\n", {"a": "passed"}, "the tests bailed out: disk"),
        ("begin 1 a\nok 1 a\n", {"a": "passed"}, "bats did not report how many tests there are"),
        (
            "1..1\nbegin 1 a\nok 1 a\nnot ok 2 teardown_file failed\n",
            {"a": "passed", "teardown_file failed": "assertion"},
            "",
        ),
        ("1..0\n", {}, ""),
    ],
)
def test_a_stream_of_bats_has_to_add_up(stream: str, expected: dict[str, str], problem: str) -> None:
    report = bats(stream)
    assert (ends(report), report.problem) == (expected, problem)


def test_bats_without_output_is_a_problem_unless_it_says_what_is_missing() -> None:
    assert bats("").problem == "bats printed no result"
    report = bats("", 'Error: Test file "/a.bats" does not exist\n')
    assert (report.problem, report.loading) == ("", ('Error: Test file "/a.bats" does not exist',))


def prove(listing: str, *taps: str) -> TestReport:
    files = {f"1-{number}.tap": tap.encode() for number, tap in enumerate(taps, 1)}
    return Prove().read({"1.files": listing.encode(), **files}, "")


def test_prove_keeps_the_tests_of_each_file_apart() -> None:
    inner = "# Subtest: x\n    1..1\n    not ok 1 - in\nok 2 - x\n"
    report = prove(
        "t/a.t\nt/b.sh\nt/c.t\n",
        f"ok 1 - adds\n{inner}1..2\n",
        "1..1\nnot ok 1 - adds\n# got 2\n",
        "1..0 # SKIP no net\n",
    )
    assert ends(report) == {"t/a.t::adds": "passed", "t/a.t::x": "passed", "t/b.sh::adds": "assertion"}
    assert (report.problem, report.loading, report.results[2].message) == ("", (), "got 2")


@pytest.mark.parametrize(
    ("tap", "problem", "loading"),
    [
        ("", "", 1),
        ("1..2\nok 1\n", "t/a.t: 2 tests were planned and 1 reported", 0),
        ("ok 1\n", "t/a.t: the file did not report how many tests it has", 0),
        ("1..1\nok 1\nBail out!  no\n", "t/a.t: the tests bailed out: no", 0),
    ],
)
def test_a_file_of_prove_without_tests_is_loading_and_one_cut_short_a_problem(
    tap: str, problem: str, loading: int
) -> None:
    report = prove("t/a.t\n", tap)
    assert (report.problem, len(report.loading)) == (problem, loading)


def test_prove_that_left_nothing_is_a_problem() -> None:
    assert Prove().read({}, "").problem == "prove left no report"
    assert prove("").problem == "prove ran no test file"


PRINTED = [
    ("ok 1 - AT-001 adds\nnot ok 2 - AT-002 sorts\n", {"AT-001 adds": "passed", "AT-002 sorts": "assertion"}, ""),
    ("1..1\nok 1\n", {"test 1": "passed"}, ""),
    ("ok - by a dash\n", {"by a dash": "passed"}, ""),
    (
        "ok 1 a # SKIP no net\nok 2 b # skipped: x\nnot ok 3 c # TODO d\n",
        {"a": "skipped", "b": "skipped", "c": "expected to fail"},
        "",
    ),
    ("ok 1 a \\# skip is its name\n", {"a # skip is its name": "passed"}, ""),
    ("PASS: AT-001 adds\nFAIL: AT-002 sorts\n", {"AT-001 adds": "passed", "AT-002 sorts": "assertion"}, ""),
    ("\x1b[32mPASS: a\x1b[0m\r\n  SKIP: b\nXFAIL: c\n", {"a": "passed", "b": "skipped", "c": "expected to fail"}, ""),
    ("PASS: a\nFAIL: a\n", {"a": "assertion"}, ""),
    ("ok 1 - a\nFAIL: a\n", {"a": "assertion"}, ""),
    ("ok 1 - a\nok 2 - a\n", {"a": "passed", "a (2)": "passed"}, ""),
    ("1..2\nok 1 a\n", {"a": "passed"}, "2 tests were planned and 1 reported"),
    ("1..1\nok 1 a\n1..1\nok 1 b\n", {"a": "passed", "b": "passed"}, ""),
    ("ok 1 a\nBail out! disk is full\n", {"a": "passed"}, "the tests bailed out: disk is full"),
    ("1..0 # SKIP no net\n", {}, ""),
    ("# Subtest: x\n    ok 1 - within\nok 1 - x\n", {"x": "passed"}, ""),
]


@pytest.mark.parametrize(("output", "expected", "problem"), PRINTED)
def test_printed_lines_are_results(output: str, expected: dict[str, str], problem: str) -> None:
    report = read_printed(f"some words first\n{output}and some behind\n")
    assert report is not None
    assert (ends(report), report.problem, report.grade) == (expected, problem, Grade.TEXT)


@pytest.mark.parametrize(
    "output",
    [
        "",
        "ok then\nok\nokay 1\n",
        "PASS\nFAIL\n",
        "PASSED: 3\nFAIL: 0\n",
        "the FAIL: line\n",
        "1..9\n",
        "SKIP: this host\n",
    ],
)
def test_other_words_are_no_result(output: str) -> None:
    assert read_printed(output) is None


def test_why_a_printed_test_failed_is_told_with_it() -> None:
    report = read_printed("not ok 1 - a\n# expected 3\n# got 4\nok 2 - b\n# fine\n")
    assert report is not None
    assert [(r.ended, r.by, r.message) for r in report.results] == [
        (Ended.FAILED, By.ASSERTION, "expected 3\ngot 4"),
        (Ended.PASSED, None, ""),
    ]


LINES = st.lists(
    st.sampled_from(["ok 1 - a", "not ok 2 - b", "1..2", "PASS: c", "FAIL: a", "# skip", "Bail out!", "x"])
)


@given(LINES, st.integers(0, 9))
def test_a_failed_line_is_never_lost(lines: list[str], at: int) -> None:
    report = read_printed("\n".join([*lines[:at], "FAIL: it", *lines[at:]]))
    assert report is not None
    assert "it" in report.of(Ended.FAILED)
