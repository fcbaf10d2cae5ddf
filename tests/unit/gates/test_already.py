"""A green test file before the work does not show that the work is there. covers: TRI, ALREADY."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from autopilot.gates.already import (
    Held,
    all_hold,
    describe_held,
    find_held,
    held_before,
    is_left,
    is_there,
    shows_that_it_is_there,
)
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.testing import Grade, Tally
from autopilot.model.planning.criterion import Criterion, Form, Strength
from tests.unit.making import make_brief, make_criterion, make_observation, make_task

TESTS = Tally("pytest", Grade.REPORT, passed=3)


@pytest.mark.parametrize(
    ("command", "tests", "shown"),
    [
        ("python3 -c 'import shop; shop.total([1])'", None, True),
        ("make test", None, False),  # the project's own
        ("pytest -q", TESTS, False),
        ("pytest -q tests/test_shop.py", TESTS, False),
        ("go test ./shop", TESTS, False),
        ("node --test shop.test.js", TESTS, False),
        ("pytest -q tests/test_shop.py::test_total", TESTS, True),
        ("pytest -q -k total tests", TESTS, True),
        ("go test -run TestTotal ./shop", TESTS, True),
        ("node --test --test-name-pattern=total", TESTS, True),
        ("rspec spec/shop_spec.rb:12", TESTS, True),
    ],
)
def test_a_whole_file_of_green_tests_shows_nothing(command: str, tests: Tally | None, shown: bool) -> None:
    base = replace(make_observation("1.c1"), command=command, tests=tests)
    assert shows_that_it_is_there(base, ["make test"]) is shown
    assert not shows_that_it_is_there(replace(base, seen=Seen.FAILED), [])


CRITERIA = tuple(Criterion(f"phase.c{n}", f"It does {n}", Form.COMMAND, command=f"./do {n}") for n in (1, 2))


def _seen(*passed: bool) -> list[Observation]:
    ended = (Seen.PASSED if each else Seen.FAILED for each in passed)
    return [make_observation(c.id, seen, command=c.command) for c, seen in zip(CRITERIA, ended, strict=False)]


def test_what_holds_before_the_work_is_named_and_a_phase_of_which_all_is_shown_is_told_apart() -> None:
    assert find_held(CRITERIA, _seen(True, False), []) == Held(CRITERIA[:1])
    assert find_held(CRITERIA, _seen(True, True), []) == Held(CRITERIA, is_whole=True)
    assert find_held(CRITERIA, _seen(True, True), ["./do 2"]) == Held(CRITERIA), "a check of the project shows nothing"
    assert find_held(CRITERIA, _seen(False, False), []) == find_held((), (), []) == Held()
    assert describe_held("3", CRITERIA[0]).startswith("phase 3: `./do 1` (exit status 0) holds already")


@pytest.mark.parametrize(
    ("passed", "strength", "there", "whole", "left"),
    [
        ((True, True), Strength.COMMAND, True, True, False),
        ((True, True), Strength.GREP, False, True, False),  # that words are there shows little
        ((True, False), Strength.COMMAND, False, False, True),
    ],
)
def test_a_task_is_there_when_more_than_a_search_shows_all_of_it(
    passed: tuple[bool, bool], strength: Strength, there: bool, whole: bool, left: bool
) -> None:
    asked = [replace(make_criterion(f"01-01.c{n}"), strength=strength) for n in (1, 2)]
    task = make_task("01-01", *asked)
    red = [
        make_observation(c.id, Seen.PASSED if green else Seen.FAILED, strength=strength)
        for c, green in zip(asked, passed, strict=True)
    ]
    assert is_there(task, red, ()) is held_before(task, red) is there
    assert (all_hold(make_brief(), [task], red), is_left(task, red)) == (whole, left)
    assert not is_there(replace(task, type="checkpoint:human-verify"), red, ())
    assert not held_before(task, ()) and not all_hold(make_brief(), [task], ()), "nothing was seen"
