"""What is red before any work, who may accept it, and which phase is about it. CRIT, INV-7"""

from __future__ import annotations

from typing import Any

import pytest

from autopilot.gates.baseline import Goal, Red, find_red, is_accepted, is_aimed_at, is_green_again
from autopilot.model.evidence.observation import Observation, Seen, Trouble
from autopilot.model.evidence.testing import Grade, TestReport
from tests.unit.gates.reports import report
from tests.unit.making import make_observation

FAILED, PASSED, TIMED_OUT = Seen.FAILED, Seen.PASSED, Seen.TIMED_OUT
MISSING: dict[str, Any] = {"trouble": Trouble.NOT_RUN, "reason": "ruff is not installed"}
X, Y = "tests/test_a.py::test_x", "tests/test_a.py::test_y[1]"


def ids(seen: Observation, tests: TestReport | None = None, written: frozenset[str] = frozenset()) -> list[str]:
    return [red.id for red in find_red([seen], {seen.subject: tests} if tests else {}, written)]


@pytest.mark.parametrize(
    ("seen", "tests", "expected"),
    [
        (make_observation("test", PASSED), report(f"ok {X}"), []),
        (make_observation("test", FAILED), report(f"ok {X}", f"red {Y}", f"skip {X}b"), [Y]),
        (
            make_observation("test", FAILED),
            report(loading=("tests/test_b.py: No module named b",)),
            ["tests/test_b.py"],
        ),
        (
            make_observation("test", FAILED),
            report(loading=("unresolved import `disk::parse_size`", 'could not compile `disk` (test "size")')),
            ["test"],
        ),
        (make_observation("test", FAILED), report(), []),  # no test was written yet: nothing is red
        (make_observation("test", FAILED), report(f"ok {X}"), ["test"]),  # such as a demand on coverage
        (make_observation("test", FAILED), None, ["test"]),
        (make_observation("test", FAILED), report(problem="cut off"), ["test"]),
        (make_observation("test", FAILED), report(grade=Grade.EXIT), ["test"]),
        (make_observation("test", TIMED_OUT), report(f"red {X}"), ["test"]),
        (make_observation("lint", FAILED), None, []),
        (make_observation("build", TIMED_OUT), None, []),
    ],
)
def test_red_tests_are_found_by_their_ids_and_findings_of_linters_stop_nothing(
    seen: Observation, tests: TestReport | None, expected: list[str]
) -> None:
    assert ids(seen, tests) == expected


def test_a_check_that_cannot_run_stops_a_run_unless_nobody_asked_for_it() -> None:
    lint, test = (make_observation(name, FAILED, **MISSING) for name in ("lint", "test"))
    assert ids(lint, written=frozenset({"lint"})) == ["lint"]
    assert ids(lint) == [], "it was only detected"
    assert ids(test) == ["test"], "without tests nothing shows that what worked still works"


@pytest.mark.parametrize(
    ("accepted", "expected"),
    [
        ((), False),
        (("all",), True),
        (("test",), True),
        ((Y,), True),
        (("tests/test_a.py::test_y",), True),
        (("tests/test_a.py",), True),
        (("tests/",), True),
        (("tests/test_a",), False),
        (("lint", X), False),
    ],
)
def test_red_is_accepted_by_id_or_by_what_it_belongs_to(accepted: tuple[str, ...], expected: bool) -> None:
    assert is_accepted(Red(Y, "test"), accepted) is expected


def test_a_dotted_id_is_accepted_by_its_module_and_by_the_file_that_its_tool_says() -> None:
    dotted = Red("tests.test_a.Old.test_x", "test", file="tests/test_a.py")
    for word in ("tests.test_a", "tests.test_a.Old", "tests/test_a.py", "tests"):
        assert is_accepted(dotted, (word,)), word
    assert not is_accepted(dotted, ("tests.test_b",))


SUITE = "pytest -q"


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        (Goal("make test_x pass again"), True),
        (Goal("a new page"), False),
        (Goal("", turns_green=("pytest tests/test_a.py",)), True),
        (Goal("", turns_green=("pytest './tests/'",)), True),
        (Goal("", turns_green=(SUITE,)), True),
        (Goal("", turns_green=("pytest -k test_x",)), True),
        (Goal("", turns_green=(f"pytest {X}",)), True),
        (Goal("", turns_green=("pytest tests/test_a.py::test_z",)), False),
        (Goal("", turns_green=("pytest tests/test_other.py",)), False),
        (Goal("", commands=(SUITE,)), False),  # beside others it only keeps watch
    ],
)
def test_a_red_test_that_a_phase_names_or_runs_is_where_that_phase_starts(goal: Goal, expected: bool) -> None:
    assert is_aimed_at(Red(X, "test"), [goal], SUITE) is expected


@pytest.mark.parametrize(
    ("id", "line", "suite", "expected"),
    [
        ("tests.test_a.Old.test_x", "python3 -m unittest tests.test_a", "python3 -m unittest", True),
        ("tests.test_a.Old.test_x", "python3 -m unittest -v tests.test_a.Old", "python3 -m unittest", True),
        ("tests.test_a.Old.test_x", "python3 -m unittest tests.test_ab", "python3 -m unittest", False),
        ("tests.test_ab.Old.test_x", "python3 -m unittest tests.test_a", "python3 -m unittest", False),
        ("example.org/release/version", "go test ./version", "go test ./...", True),
        ("example.org/release/version", "go test ./version/...", "go test ./...", True),
        ("example.org/release/version/semver", "go test ./version/...", "go test -race ./...", True),
        ("example.org/release/version", "go test -run Compare ./...", "go test ./...", True),
        ("example.org/release/version", "go test ./release/version", "go test ./...", True),
        ("example.org/release/version", "go test ./version/semver", "go test ./...", False),
        ("example.org/release/version", "go test ./other", "go test ./...", False),
        ("test", "cargo test --offline --test size", "cargo test --offline", True),
        ("test", "cargo test --offline-ish", "cargo test --offline", False),
        ("test", "cargo build", "cargo test", False),
    ],
)
def test_a_criterion_that_runs_a_part_of_the_suite_aims_at_it_in_the_words_of_its_tool(
    id: str, line: str, suite: str, expected: bool
) -> None:
    assert is_aimed_at(Red(id, "test"), [Goal("", turns_green=(line,))], suite) is expected


def test_a_check_that_cannot_run_is_aimed_at_by_a_criterion_that_runs_it() -> None:
    assert is_aimed_at(Red("test", "test", is_not_run=True), [Goal("", commands=(SUITE,))], SUITE)
    assert not is_aimed_at(Red("test", "test", is_not_run=True), [Goal("install pytest")], SUITE)
    assert not is_aimed_at(Red("test", "test"), [Goal("", commands=(SUITE,))], SUITE), "red, but it runs"


ONE = Red(X, "test", is_single=True)


@pytest.mark.parametrize(
    ("red", "seen", "tests", "by_chance"),
    [
        (ONE, PASSED, report(f"ok {X}"), True),
        (ONE, FAILED, report(f"ok {X}", f"red {Y}"), True),  # another is red: that says nothing of this one
        (ONE, FAILED, report(f"red {X}"), False),
        (ONE, PASSED, report(f"skip {X}"), False),
        (ONE, PASSED, report(f"ok {Y}"), False),  # it did not run
        (ONE, PASSED, report(f"ok {X}", f"red {X}"), False),  # two of one name
        (ONE, PASSED, None, False),
        (ONE, FAILED, report(f"ok {X}", problem="cut off"), False),
        (Red("test", "test"), PASSED, None, True),
        (Red("test", "test"), FAILED, None, False),
        (Red("tests/test_b.py", "test"), PASSED, report(f"ok {X}"), True),  # it can be loaded now
    ],
)
def test_red_by_chance_is_what_another_run_of_the_same_commit_shows_green(
    red: Red, seen: Seen, tests: TestReport | None, by_chance: bool
) -> None:
    assert is_green_again(red, make_observation("test", seen), tests) is by_chance
