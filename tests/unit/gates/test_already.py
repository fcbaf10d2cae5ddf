"""A green test file before the work does not show that the work is there. covers: TRI, ALREADY."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from autopilot.gates.already import shows_that_it_is_there
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.testing import Grade, Tally
from tests.unit.making import make_observation

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
