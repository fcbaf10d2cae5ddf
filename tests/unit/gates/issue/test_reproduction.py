"""A bug is shown by a new test that fails by itself, every time, beside tests that say what they said.

covers: AL-3, AL-4
"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from autopilot.gates.issue.oracle import Ran, judge_oracle
from autopilot.gates.issue.reproduction import Brought, cover_by_reproduction, judge_reproduction
from autopilot.model.evidence.objection import Layer, Objection, Weight
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.testing import TestReport
from autopilot.model.issue.issue import Cause
from tests.unit.gates.reports import report
from tests.unit.making import make_observation

FILE = "tests/test_bug.py"
TEST = f"{FILE}::test_empty"
CAUSE = Cause("C", "words.py:6 takes text[0]", TEST, (FILE,))
BROUGHT = Brought((FILE,))
OTHER = "tests/test_a.py::test_a"
BASE = report(f"ok {OTHER}")
NOW = report(f"ok {OTHER}", f"red {TEST} | '' != None")
ALONE = report(f"red {TEST}")


def ran(told: TestReport | None, seen: Seen | None = None) -> Ran:
    is_red = told is not None and any(result.ended.value == "failed" for result in told.results)
    return Ran(make_observation("at", seen or (Seen.FAILED if is_red else Seen.PASSED)), told)


def findings(
    cause: Cause | None = CAUSE,
    base: TestReport | None = BASE,
    now: TestReport | None = NOW,
    shown: tuple[TestReport | None, ...] = (ALONE, ALONE),
    brought: Brought = BROUGHT,
) -> list[str]:
    """What is left to mend; it holds if and only if that is nothing, and no person is called for it at once."""
    oracle = judge_reproduction(cause, ran(base), ran(now), [ran(each) for each in shown], brought)
    assert oracle.state.holds == (not oracle.findings)
    assert not oracle.state.is_unverifiable
    assert bool(oracle.state.failing) == bool(oracle.findings)
    return [f"{finding.evidence_ref}: {finding.detail}" for finding in oracle.findings]


def test_a_test_that_fails_by_itself_every_time_shows_the_bug() -> None:
    assert findings() == []


@pytest.mark.parametrize("line", [f"red {TEST}", f"err {TEST}", f"red {TEST}[a]", f"red {FILE}::Bug::test_empty"])
def test_an_assertion_and_an_error_inside_the_test_or_one_of_its_cases_are_red(line: str) -> None:
    told = report(line)
    assert findings(now=report(f"ok {OTHER}", line), shown=(told,)) == []


@pytest.mark.parametrize(
    ("told", "words"),
    [
        (report(f"ok {TEST}"), "the reproduction passes: the bug is not shown"),
        (report(f"skip {TEST}"), "skipped, not executed"),
        (report(f"xfail {TEST}"), "expected to fail, not executed"),
        (report(f"load {TEST} | ImportError: no words"), "import what is missing inside the test"),
        (report(loading=(f"{FILE}: ModuleNotFoundError: no words",)), "import what is missing inside the test"),
        (report(f"red {FILE}::test_other"), "it was not run; use the name that the test tool reports"),
        (report(problem="it is cut off"), "it was not run: it is cut off"),
        (None, "reported no single test"),
    ],
)
def test_what_is_not_red_by_itself_is_no_reproduction(told: TestReport | None, words: str) -> None:
    assert any(words in found for found in findings(now=told, shown=(told,)))


def test_a_reproduction_that_fails_now_and_then_is_for_the_flaky_route() -> None:
    (found,) = findings(shown=(ALONE, report(f"ok {TEST}")))
    assert "it passed in 1 of 2 runs" in found and "flaky route" in found


@pytest.mark.parametrize(
    ("cause", "words"),
    [
        (None, "the reply contains no cause"),
        (replace(CAUSE, kind="D"), "'D' is not one of A, B, C"),
        (replace(CAUSE, kind=""), "'nothing' is not one of A, B, C"),
        (replace(CAUSE, text=" "), "say what is wrong"),
        (replace(CAUSE, test=""), "names no test"),
        (replace(CAUSE, test=FILE), "names no test"),
        (replace(CAUSE, files=()), "name the files of the reproduction"),
        (replace(CAUSE, files=(FILE, "words.py")), "words.py is not a test file of the reproduction"),
    ],
)
def test_a_cause_a_person_is_to_agree_with_has_to_be_whole(cause: Cause | None, words: str) -> None:
    assert any(words in found for found in findings(cause))


def test_all_that_came_with_the_reproduction_is_named_for_it_is_pinned() -> None:
    (found,) = findings(brought=Brought((FILE, "tests/data/empty.json")))
    assert "tests/data/empty.json is part of the reproduction and is not named" in found


def test_the_test_stands_in_a_file_that_is_named() -> None:
    cause = replace(CAUSE, files=("tests/test_b.py",))
    assert any("another file" in found for found in findings(cause, brought=Brought(("tests/test_b.py",))))


@pytest.mark.parametrize(
    ("now", "words"),
    [
        ((f"red {OTHER}",), "red, and not red at the base"),
        ((f"skip {OTHER}",), "skipped or expected to fail"),
        ((), "no longer exist"),
    ],
)
def test_a_test_that_was_there_still_says_what_it_said(now: tuple[str, ...], words: str) -> None:
    assert any(words in found for found in findings(now=report(*now, f"red {TEST}")))


def test_what_was_red_before_is_nobodys_doing() -> None:
    old = f"red {OTHER}"
    assert findings(base=report(old), now=report(old, f"red {TEST}")) == []


def test_what_else_is_red_where_the_bug_is_shown_would_keep_the_fix_red() -> None:
    old = f"red {FILE}::test_old"
    told = report(old, f"red {TEST}")
    (found,) = findings(base=report(old), now=told, shown=(told,))
    assert found.startswith(f"{FILE}::test_old: other tests than the reproduction are red")


def test_tests_that_were_there_may_only_be_added_to() -> None:
    (found,) = findings(brought=Brought((FILE,), rewritten=(FILE,)))
    assert "lines of existing tests were removed" in found


def test_other_changes_of_what_judges_are_refused() -> None:
    objection = Objection(Layer.CHANGE, "issue", "conftest.py was changed", "conftest.py")
    flag = replace(objection, weight=Weight.FLAG)
    assert findings(brought=Brought((FILE,), objections=(flag,))) == []
    assert len(findings(brought=Brought((FILE,), objections=(objection,)))) == 1


@pytest.mark.parametrize(
    ("red", "green", "holds"),
    [
        (report(f"red {TEST}"), report(f"ok {TEST}"), True),
        (report(f"red {TEST}"), report(f"red {TEST}"), False),
        (report(f"ok {TEST}"), report(f"ok {TEST}"), False),
        (report(f"red {TEST}"), report(f"skip {TEST}"), False),
        (report(f"red {TEST}"), report(f"ok {OTHER}"), False),
        (report(f"red {TEST}"), report(f"ok {TEST}", f"red {OTHER}"), False),
        (report(f"load {TEST}"), report(f"ok {TEST}"), False),
        (report(f"red {TEST}", f"ok {OTHER}"), report(f"ok {TEST}", f"ok {OTHER}"), True),
    ],
)
def test_a_fix_turns_the_reproduction_from_red_to_green(red: TestReport, green: TestReport, holds: bool) -> None:
    oracle = judge_oracle(ran(red), ran(green), cover_by_reproduction(TEST, green))
    assert oracle.state.holds is holds


def test_a_fix_whose_reproduction_was_never_red_goes_to_a_person() -> None:
    green = report(f"ok {TEST}")
    oracle = judge_oracle(ran(green), ran(green), cover_by_reproduction(TEST, green))
    assert oracle.state.is_unverifiable and not oracle.fixable
