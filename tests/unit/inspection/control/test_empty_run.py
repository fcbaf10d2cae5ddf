"""Criteria that run no test, lose its status on the way, or are judged by their own work. covers: T8.P"""

from __future__ import annotations

import json

import pytest

from autopilot.inspection.control.empty_run import is_always_zero, runs_no_test
from autopilot.inspection.control.hidden_status import hidden_status
from autopilot.model.planning.complaint import Severity
from autopilot.model.planning.criterion import Criterion, Expectation, Form, Want
from autopilot.model.planning.plan import Task
from autopilot.planning.lint.plan_rules import Scope, lint_plan


@pytest.mark.parametrize(
    "command",
    [
        "pytest --collect-only tests",
        "python -m pytest --co -q",
        "cd app && pytest --setup-plan",
        "pytest --version",
        "npx jest --listTests",
        "jest --passWithNoTests",
        "npx vitest run --passWithNoTests",
        "vitest list",
        "npm test -- --passWithNoTests",
        "npm run test --if-present",
        "mocha --dry-run",
        "npx playwright test --list",
        "go test -list . ./...",
        "go test -run '^$' ./...",
        "go test -run=XXX ./...",
        "go test -c",
        "cargo test --no-run",
        "cargo test -- --list",
        "cargo nextest run --no-tests=pass",
        "mvn -q -DskipTests verify",
        "./mvnw test -Dmaven.test.skip=true",
        "mvn test -Dtest=Foo -DfailIfNoTests=false",
        "./gradlew build -x test",
        "gradle test --dry-run",
        "rspec --dry-run",
        "vendor/bin/phpunit --list-tests",
        "ctest -N",
        "dotnet test --list-tests",
        "tox --notest",
        "nox -l",
        "make -n test",
        "bats --count test",
        "timeout 60 poetry run pytest --co",
    ],
)
def test_a_call_that_runs_no_test_is_found(command: str) -> None:
    assert runs_no_test(command)


@pytest.mark.parametrize(
    "command",
    [
        "pytest -q tests/test_a.py",
        "pytest -k 'a and not b' --maxfail=1",
        "pytest --co -q && pytest -q",
        "node --test",
        "npm test",
        "npm ci",
        "npx jest --ci -t name",
        "vitest run list.test.ts",
        "go test -run '^$' -bench . ./...",
        "go test ./... -run TestA",
        "cargo test --lib",
        "mvn -q test",
        "./gradlew test -x lint",
        "make test",
        "grep -- --co notes.txt",
        "python app.py --version",
        "echo '--collect-only'",
        "",
    ],
)
def test_a_call_that_runs_tests_is_left_alone(command: str) -> None:
    assert runs_no_test(command) == ""


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("ruff check --exit-zero .", True),
        ("python -m flake8 --exit-zero", True),
        ("pylint --exit-zero src", True),
        ("golangci-lint run --issues-exit-code 0", True),
        ("make -i test", True),
        ("rspec --failure-exit-code 0", True),
        ("mvn -fn test", True),
        ("gofmt -l .", True),
        ("ruff check .", False),
        ("ruff check --exit-zero . && pytest", False),
        ('test -z "$(gofmt -l .)"', False),
        ("make test", False),
    ],
)
def test_a_status_that_is_always_zero_is_found(command: str, found: bool) -> None:
    assert bool(is_always_zero(command)) is found


def package(**scripts: str) -> dict[str, str]:
    return {"package.json": json.dumps({"scripts": scripts})}


@pytest.mark.parametrize(
    ("command", "files"),
    [
        ("npm test", package(test="jest || true")),
        ("npm test", package(test="npm run unit", unit="vitest run; exit 0")),
        ("npm test", package(test="jest | tee log")),
        ("cd web && yarn lint", {"web/package.json": package(lint="eslint . || echo no")["package.json"]}),
        ("npm run lint", package(lint="ruff check --exit-zero")),
        ("make test", {"Makefile": "test:\n\t-pytest\n"}),
        ("make test", {"Makefile": "test:\n\t@pytest || true\n"}),
        ("make check", {"Makefile": "check: unit\n\nunit:\n\tpytest 2>&1 | tail -3\n"}),
        ("composer test", {"composer.json": '{"scripts": {"test": ["phpunit || true"]}}'}),
        ("sh check.sh", {"check.sh": "#!/bin/sh\npytest\nexit 0\n"}),
        ("bash scripts/test.sh", {"scripts/test.sh": "set -e\npytest -q || true\nruff check .\n"}),
        ("./test.sh", {"test.sh": "set -e\npytest | tee out\nruff check .\n"}),
    ],
)
def test_a_failure_that_is_lost_on_the_way_is_found(command: str, files: dict[str, str]) -> None:
    assert "hides a failure" in hidden_status(command, files.get)


@pytest.mark.parametrize(
    ("command", "files"),
    [
        ("npm test", package(test="jest", clean="rm -rf x || true")),
        ("npm test", {}),
        ("npm test", {"package.json": "{"}),
        ("make test", {"Makefile": "test:\n\t-rm -rf out\n\tpytest\n"}),
        ("make test", {"Makefile": "test:\n\tset -o pipefail; pytest | tee log\n"}),
        ("sh check.sh", {"check.sh": "set -e\nrm x || true\npytest\necho ok\n"}),
        ("sh check.sh", {"check.sh": "failed=0\npytest || failed=1\nexit $failed\n"}),
        ("sh check.sh", {"check.sh": "set -eo pipefail\npytest | tee log\n"}),
        ("sh serve.sh", {"serve.sh": "node server.js &\necho started\n"}),
        ("pytest", {}),
    ],
)
def test_scripts_that_pass_a_failure_on_are_left_alone(command: str, files: dict[str, str]) -> None:
    assert hidden_status(command, files.get) == ""


def said(
    command: str, ours: bool, files: dict[str, str], listed: tuple[str, ...], want: Want = Want.EXIT
) -> list[Severity]:
    criterion = Criterion(
        "1.c1",
        "works",
        Form.COMMAND,
        command=command,
        expectation=Expectation(want, 1 if want is not Want.EXIT else 0),
        line=4,
    )
    task = Task(
        "1", "T", complexity="simple", files=listed, action="a", criteria=(criterion,), done="d", path="P.md", line=2
    )
    scripts = {"1": 'pytest && echo "PASS: works" || { echo "FAIL: works"; exit 1; }'} if ours else {}
    found = lint_plan([task], scripts, ours, Scope(read=files.get))
    return [one.severity for one in found if one.text.startswith("1.c1: ")]


@pytest.mark.parametrize(("ours", "severity"), [(True, Severity.BLOCKER), (False, Severity.WARNING)])
@pytest.mark.parametrize(
    ("command", "files"),
    [
        ("pytest --co tests", {}),
        ("npm test", package(test="jest || true")),
        ("bash scripts/check.sh", {}),
        ("sh tools/verify_all.sh", {}),
    ],
)
def test_such_a_criterion_blocks_our_plans_and_warns_in_the_users(
    ours: bool, severity: Severity, command: str, files: dict[str, str]
) -> None:
    assert said(command, ours, files, ("src/a.py", "`scripts/check.sh`", "tools/verify_all.sh")) == [severity]


@pytest.mark.parametrize("ours", [True, False])
@pytest.mark.parametrize(
    ("command", "files"),
    [
        ("bash scripts/check.sh", {"scripts/check.sh": "pytest"}),  # it is there, and pinned
        ("bash scripts/other.sh", {}),  # not the task's to write: then it is red until somebody does
        ("bash tests/test_cli.sh", {}),  # a test
        ("python src/a.py", {}),  # the product
        ("pytest tests/test_a.py", {}),
    ],
)
def test_a_judge_that_is_not_of_its_own_making_is_left_alone(ours: bool, command: str, files: dict[str, str]) -> None:
    assert said(command, ours, files, ("src/a.py", "scripts/check.sh", "tests/test_a.py")) == []


def test_a_count_of_collected_tests_only_warns() -> None:
    assert said("pytest --co -q | grep -c test_", True, {}, ("a.py",), Want.AT_LEAST) == [Severity.WARNING]


def test_without_the_projects_files_nothing_is_said_of_them() -> None:
    criterion = Criterion("1.c1", "works", Form.COMMAND, command="npm test", line=4)
    task = Task(
        "1", "T", complexity="simple", files=("a",), action="a", criteria=(criterion,), done="d", path="P.md", line=2
    )
    assert lint_plan([task], {}, False, Scope()) == ()
