"""A command on one test file alone, where its tool can select it.

covers: AL-3
"""

from __future__ import annotations

import pytest

from autopilot.testtools.commands.narrowing import narrow, narrow_to

FILES = {"Makefile": "test:\n\tpytest -q\n", "package.json": '{"scripts": {"test": "jest"}}'}


@pytest.mark.parametrize(
    ("command", "path", "alone"),
    [
        ("pytest -q", "tests/test_a.py", "pytest -q tests/test_a.py"),
        ("pytest -q tests -k fast", "tests/test_a.py", "pytest -q tests/test_a.py"),
        ("python3 -m unittest discover -s tests", "tests/test_a.py", "unittest discover -s tests -p test_a.py"),
        ("cd app && pytest", "app/tests/test_a.py", "cd app && pytest tests/test_a.py"),
        ("go test ./...", "pkg/a_test.go", "go test ./pkg"),
        ("make test", "tests/test_a.py", "pytest -q tests/test_a.py"),
        ("npm test", "a.test.js", "--runTestsByPath a.test.js"),
    ],
)
def test_only_the_file_is_run(command: str, path: str, alone: str) -> None:
    narrowed = narrow(command, FILES.get, path)
    assert narrowed is not None and alone in narrowed


@pytest.mark.parametrize(
    ("command", "path"),
    [
        ("./check.sh", "tests/test_a.py"),
        ("pytest && npm test", "tests/test_a.py"),
        ("cd app && pytest", "tests/test_a.py"),
        ("for i in 1 2; do pytest; done", "tests/test_a.py"),
        ("ctest --output-junit out.xml", "tests/test_a.py"),
    ],
)
def test_where_nobody_can_say_which_tool_has_the_file_there_is_no_such_command(command: str, path: str) -> None:
    assert narrow(command, FILES.get, path) is None


@pytest.mark.parametrize(
    ("command", "alone"),
    [
        ("pytest -q", "pytest -q tests/test_a.py tests/test_b.py"),
        ("node --test", "--test tests/test_a.py tests/test_b.py"),
        ("vendor/bin/phpunit", None),  # takes one file
    ],
)
def test_several_files_are_run_where_the_tool_takes_them(command: str, alone: str | None) -> None:
    narrowed = narrow_to(command, FILES.get, ["tests/test_a.py", "tests/test_b.py"])
    assert narrowed is None if alone is None else narrowed is not None and alone in narrowed
