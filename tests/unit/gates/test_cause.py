"""A refused phase names what was run, seen and expected, and each cause once (GATE)."""

from __future__ import annotations

from typing import Any

import pytest

from autopilot.gates.cause import describe_causes
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.verdict import Outcome, Verdict
from autopilot.model.planning.criterion import Criterion, Expectation, Form, Want
from tests.unit.making import make_observation

HELLO = Expectation(Want.CONTAINS, text="hello")
FAILED = "the check failed after the change"


def memo(id: str = "01-01.c1", expectation: Expectation = HELLO, text: str = "The memo is there") -> Criterion:
    return Criterion(id, text, Form.COMMAND, "cat memo.txt", expectation)


def ran(subject: str = "01-01.c1", seen: Seen = Seen.FAILED, **fields: Any) -> Observation:
    return make_observation(subject, seen, **{"command": "cat memo.txt", "exit_code": 0, **fields})


def red(*subjects: str) -> list[Verdict]:
    return [Verdict(subject, Outcome.FAIL, FAILED) for subject in subjects]


@pytest.mark.parametrize(
    ("expectation", "fields", "described"),
    [
        (HELLO, {"excerpt": "nope\n"}, '`cat memo.txt` printed "nope", expected text containing "hello"'),
        (HELLO, {"excerpt": ""}, '`cat memo.txt` printed nothing, expected text containing "hello"'),
        (HELLO, {"excerpt": "x" * 99}, f'`cat memo.txt` printed "{"x" * 79}…", expected text containing "hello"'),
        (Expectation(Want.EQUALS, 3), {"excerpt": "2\n"}, '`cat memo.txt` printed "2", expected 3'),
        (Expectation(Want.AT_MOST, 3), {"excerpt": "4\n"}, '`cat memo.txt` printed "4", expected at most 3'),
        (
            Expectation(),
            {"excerpt": "no such file\n", "exit_code": 1},
            '`cat memo.txt` exited 1 and printed "no such file", expected exit status 0',
        ),
        (Expectation(), {"excerpt": "F\nline 2", "exit_code": 1}, "`cat memo.txt` exited 1, expected exit status 0"),
        (Expectation(), {"seen": Seen.TIMED_OUT}, "`cat memo.txt` timed out, expected exit status 0"),
    ],
)
def test_a_failed_criterion_is_told_by_its_words_and_what_was_seen(
    expectation: Expectation, fields: dict[str, Any], described: str
) -> None:
    told = describe_causes(red("01-01.c1"), Outcome.FAIL, [memo(expectation=expectation)], (), [ran(**fields)])
    assert told == f"The memo is there: {described}"


def test_one_cause_under_three_names_is_told_once() -> None:
    criteria = [memo(), memo("phase.c1", text="There is a memo")]
    seen = [ran(excerpt="nope"), ran("phase.c1", excerpt="nope")]
    told = describe_causes(red("01-01.c1", "script:01-01", "phase.c1"), Outcome.FAIL, criteria, (), seen)
    assert told == 'The memo is there: `cat memo.txt` printed "nope", expected text containing "hello"'


def test_what_was_not_decided_by_a_command_keeps_its_reason() -> None:
    verdicts = [*red("01-01.c1"), Verdict("M:01-01.c1", Outcome.FAIL, "still green"), *red("task 01-02")]
    told = describe_causes(verdicts, Outcome.FAIL, [memo()], (), [ran(seen=Seen.PASSED)])
    assert told == f"The memo is there: {FAILED}; The memo is there: still green; task 01-02: {FAILED}"


@pytest.mark.parametrize(
    ("before", "told"),
    [
        (127, "test: `pytst` exited 127 (command not found), before the work too"),
        (0, "test: `pytst` exited 127 (command not found)"),
    ],
)
def test_a_check_that_failed_before_the_work_too_says_so(before: int, told: str) -> None:
    then = [ran("test", Seen.FAILED if before else Seen.PASSED, command="pytst", exit_code=before)]
    now = [ran("test", command="pytst", exit_code=127)]
    assert describe_causes(red("test"), Outcome.FAIL, (), then, now) == told


def test_of_many_causes_the_first_are_told() -> None:
    assert describe_causes(red("a", "b", "c", "d"), Outcome.FAIL, (), (), ()) == "; ".join(
        [*(f"{name}: {FAILED}" for name in "abc"), "and 1 more"]
    )
