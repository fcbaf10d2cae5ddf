"""Calls of tests without their tool: what the commands show, and what is read of their answers. covers: T8"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from autopilot.testtools.outside.outside import (
    Outside,
    read_outside,
    spell_bats_outside,
    spell_outside,
    spell_script_outside,
)

PASSED = '{"test": "a.test.js::adds", "ended": "passed", "why": ""}'
FAILED = '{"test": "a.test.js::adds", "ended": "failed", "why": "the process ended"}'
LEFT_OUT = '{"test": "a.test.js::adds", "ended": "left out", "why": ""}'
UNBUILT = '{"test": "cmd/a", "ended": "unbuilt", "why": "undefined: b"}'
REPLACED = '{"test": "replaces Math.max", "ended": "replaced", "why": "sum.js"}'


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([FAILED], Outside({"a.test.js::adds": "the process ended"})),
        ([FAILED, PASSED], Outside({"a.test.js::adds": ""})),
        ([FAILED, LEFT_OUT], Outside()),
        ([LEFT_OUT], Outside()),
        ([PASSED, REPLACED], Outside({"a.test.js::adds": ""}, {"Math.max": "sum.js"})),
        ([PASSED, UNBUILT], Outside({"a.test.js::adds": ""}, unbuilt={"cmd/a": "undefined: b"})),
        (["printed by a test", PASSED[:-1]], Outside()),
    ],
)
def test_the_last_answer_about_a_test_counts(lines: list[str], expected: Outside) -> None:
    assert read_outside("\n".join(lines)) == expected


@pytest.mark.parametrize(
    ("spell", "file", "signs"),
    [(spell_outside, "tests/test_a.py", ("pytest",)), (spell_script_outside, "test/a.test.js", ("--test", ".test."))],
)
def test_only_a_command_with_signs_names_a_test_tool(
    spell: Callable[..., str], file: str, signs: tuple[str, ...]
) -> None:
    """A program that tests start can read the command that started them."""
    plain, tested = spell([file], signs=False), spell([file], signs=True)
    for sign in signs:
        assert sign not in plain
        assert sign in tested


def test_a_file_name_is_no_part_of_the_command() -> None:
    assert "'a; touch b.test.js'" in spell_script_outside(["a; touch b.test.js"], signs=True)


def test_a_command_that_calls_bats_tests_names_neither_bats_nor_a_file() -> None:
    """Its signs are in the processes that it starts."""
    assert not {"bats", "test/a"} & set(re.findall(r"bats|test/a", spell_bats_outside(["test/a.bats"], signs=True)))
