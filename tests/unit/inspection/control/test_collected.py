"""Which files among the tests the project's own test tools would run. covers: T8.S"""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from autopilot.gates.evidence.control import undeclared
from autopilot.inspection.control.changes import control_changes
from autopilot.inspection.control.collected import read_collected
from autopilot.model.evidence.control import ControlKind
from autopilot.model.git import Change

PYTEST = "pytest -q -o python_files='[Tt]est*.py *_test.py'"


def package(**scripts: str) -> str:
    return json.dumps({"name": "shelf", "scripts": scripts})


def mocha(**settings: object) -> dict[str, str]:
    return {"package.json": json.dumps({"scripts": {"test": "mocha"}, "mocha": settings})}


COLLECTED: tuple[tuple[str, dict[str, str], str], ...] = (
    (PYTEST, {}, "tests/TestInitials.py"),
    ("python -m unittest discover -s tests -p 'Test*.py'", {}, "tests/TestInitials.py"),
    ("cd app && python -m unittest discover -p 'Test*.py'", {}, "app/tests/TestInitials.py"),
    ("pytest", {"setup.cfg": "[tool:pytest]\npython_files = check_*.py\n"}, "tests/check_initials.py"),
    ("tox", {"tox.ini": "[pytest]\npython_files =\n    *Test.py\n"}, "tests/deep/InitialsTest.py"),
    ("pytest", {"pyproject.toml": '[tool.pytest.ini_options]\npython_files = ["Check*.py"]\n'}, "tests/CheckIt.py"),
    ("npm test", {"package.json": package(test="nyc mocha test/**/* -r ./test/before")}, "test/specs/initials.js"),
    ("npm test", {"package.json": package(test="npm run unit", unit="tape 'test/**/*.js'")}, "test/unit/initials.js"),
    ("npm test", {"package.json": package(test="tap test/unit"), "test/unit/a.js": ""}, "test/unit/initials.js"),
    ("npm test", {"package.json": package(test="mocha --recursive")}, "test/deep/initials.js"),
    ("npm test", {"package.json": package(test="node --test test/suites/*.mjs")}, "test/suites/initials.mjs"),
    ("npm test", mocha(spec="test/suites/**/*.js"), "test/suites/initials.js"),
    ("mocha", {".mocharc.json": '{\n  // all\n  "spec": ["test/specs/*.ts"]\n}'}, "test/specs/initials.ts"),
    ("mocha", {".mocharc.yml": "recursive: true\nspec:\n  - 'test/specs/*.js'\n"}, "test/specs/initials.js"),
    ("mocha", {"test/mocha.opts": "--recursive\n"}, "test/specs/initials.js"),
    ("make test", {"Makefile": "test:\n\t@./node_modules/.bin/mocha test/specs/*.js\n"}, "test/specs/initials.js"),
    (
        "npm test",
        {"package.json": package(test="lerna run test"), "packages/a/package.json": package(test="mocha test/specs")}
        | {"packages/a/test/specs/other.js": ""},
        "packages/a/test/specs/initials.js",
    ),
    (
        "npm test",
        {
            "package.json": package(test="lerna exec npm test --scope a"),
            "packages/a/package.json": package(test="mocha test/**/*"),
        },
        "packages/a/test/specs/initials.js",
    ),
    (
        "npm test --workspaces",
        {"package.json": "{}", "packages/a/package.json": package(test="tape test/specs/*.js")},
        "packages/a/test/specs/initials.js",
    ),
)
NOT_COLLECTED: tuple[tuple[str, dict[str, str], str], ...] = (
    ("pytest", {}, "tests/TestInitials.py"),
    ("cd app && pytest -o python_files='Test*.py'", {}, "tests/TestInitials.py"),
    (PYTEST, {}, "tests/helpers.py"),
    ("npm test", {"package.json": package(test="mocha test/**/* -r ./test/before")}, "test/before.js"),
    ("npm test", {"package.json": package(test="mocha --require test/lib/setup test/**/*.js")}, "test/lib/setup.js"),
    ("npm test", {"package.json": package(test="mocha test/*.js")}, "test/specs/initials.js"),
    ("npm test", {"package.json": package(start="mocha test/**")}, "test/specs/initials.js"),
    ("npm test", {"package.json": "not json"}, "test/specs/initials.js"),
    ("mocha", {".mocharc.json": "{"}, "test/specs/initials.js"),
    ("pytest", {"setup.cfg": "python_files\n", "pyproject.toml": "python_files = ["}, "tests/TestInitials.py"),
)


def collects(command: str, files: Mapping[str, str], path: str) -> bool:
    return read_collected([command], files.get, tuple(files)).has(path)


@pytest.mark.parametrize(("command", "files", "path"), COLLECTED)
def test_what_the_projects_command_or_settings_name_is_collected(
    command: str, files: dict[str, str], path: str
) -> None:
    assert collects(command, files, path)


@pytest.mark.parametrize(("command", "files", "path"), NOT_COLLECTED)
def test_what_none_of_them_names_is_not(command: str, files: dict[str, str], path: str) -> None:
    assert not collects(command, files, path)


def added(command: str, path: str, *, after: Mapping[str, str] | None = None) -> tuple[ControlKind | None, bool]:
    """What a new file is, and whether it may come without a word of the plan."""
    texts = {path: "x = 1\n", **(after or {})}
    collected = read_collected([command], {}.get, ())
    change = Change(path, "A", "000000", "100644")
    found = control_changes([change], {}.get, texts.get, collected=collected)
    return (found[0].kind if found else None), not undeclared(found, ())


def test_a_new_file_that_the_tool_collects_is_a_test_and_one_that_it_does_not_is_data() -> None:
    assert added(PYTEST, "tests/TestInitials.py") == (ControlKind.TEST, True)
    assert added("pytest", "tests/TestInitials.py") == (ControlKind.FIXTURE, False)
    assert added("mocha 'test/**/*.js'", "test/specs/initials.js") == (ControlKind.TEST, True)
    assert added("mocha 'test/**/*.js'", "test/specs/answers.json") == (ControlKind.FIXTURE, False)


def test_no_pattern_makes_a_test_of_the_product_or_of_what_steers_tests() -> None:
    assert added("mocha '**/*.js'", "lib/initials.js") == (None, True)
    assert added("pytest -o python_files='*.py'", "shelf/initials.py") == (None, True)
    assert added("pytest -o python_files='*.py'", "tests/conftest.py")[0] is ControlKind.SUPPORT
    assert added("mocha '**/*.js'", "test/setup.js")[0] is ControlKind.SUPPORT
    assert added("pytest -o python_files='*.py'", "tests/shelf.py", after={"shelf.py": ""})[0] is ControlKind.SUPPORT
