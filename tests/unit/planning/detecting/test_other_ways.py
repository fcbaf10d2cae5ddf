"""Ways of other ecosystems, of monorepos, and what lines of CI say. covers: INV-7"""

from __future__ import annotations

import json

import pytest

from autopilot.planning.detecting.packages import find_packages, worth_reading
from autopilot.planning.detecting.witnesses import command_lines


def describe(files: dict[str, str]) -> list[tuple[str, str, str]]:
    """Name, setup and first test command of every way of the root."""
    ways = find_packages(files).get("", ())
    found = ((way, way.candidates("test")) for way in ways)
    return [
        (way.name, way.setup.command if way.setup else "", tests[0].command if tests else "") for way, tests in found
    ]


@pytest.mark.parametrize(
    ("files", "first"),
    [
        ({"Cargo.toml": "", "src/lib.rs": ""}, ("cargo", "cargo fetch", "cargo test")),
        ({"go.mod": ""}, ("go", "go mod download", "go test ./...")),
        ({"pom.xml": ""}, ("maven", "mvn -q -B dependency:go-offline test -DskipTests", "mvn -q -B -o test")),
        ({"build.gradle.kts": "", "gradlew": ""}, ("gradle", "./gradlew testClasses", "./gradlew test --offline")),
        ({"a.sln": ""}, ("dotnet", "dotnet restore", "dotnet test --no-restore")),
        ({"Gemfile": "", "spec/a_spec.rb": ""}, ("bundler", "bundle install", "bundle exec rspec")),
        ({"composer.json": "{}"}, ("composer", "composer install --no-interaction", "composer test")),
        ({"mix.exs": ""}, ("mix", "mix deps.get", "mix test")),
        ({"justfile": "test *args:\n  x\n"}, ("make", "", "just test")),
        ({"Makefile": "check:\n\tx\n"}, ("make", "", "make check")),
        ({"package.json": "{}", "test/a.js": ""}, ("npm", "", "node --test")),
        ({"bin/a.sh": "", "test/a.bats": ""}, ("shell", "", "bats test")),
        ({"a.sh": "", "test/run.sh": "", "test/test-a.sh": ""}, ("shell", "", "bash test/run.sh")),
        ({"test/test-a.sh": "", "test/test b.sh": ""}, ("shell", "", "bash test/test-a.sh")),
        ({"test/test-a.sh": "", "test/test-b.sh": ""}, ("shell", "", "bash test/test-a.sh && bash test/test-b.sh")),
        (
            {
                "package.json": json.dumps(
                    {"packageManager": "pnpm@9", "devDependencies": {"a": "1"}, "scripts": {"test": "x"}}
                )
            },
            ("pnpm", "pnpm install", "pnpm test"),
        ),
    ],
)
def test_the_usual_commands_of_an_ecosystem_are_tried_first(files: dict[str, str], first: tuple[str, str, str]) -> None:
    assert describe(files)[0] == first


def test_test_files_that_are_programs_are_run_by_node_where_their_runner_does_not_work() -> None:
    package = json.dumps({"scripts": {"test": "tap test/*.js"}})
    found = {
        text: [
            one.command for one in find_packages({"package.json": package, "test/a.js": text})[""][0].candidates("test")
        ]
        for text in ("var test = require('tape');", "exports['a'] = function () {};")
    }
    assert list(found.values()) == [["npm test", "node --test"], ["npm test"]]


def test_the_tests_alone_are_tried_where_the_whole_script_may_need_more_than_them() -> None:
    scripts = {"test": "tape", "posttest": "audit", "tests-only": "tape", "test:browser": "x", "unit": "tape"}
    (way,) = find_packages({"package.json": json.dumps({"scripts": scripts})})[""]
    assert [one.command for one in way.candidates("test")] == ["npm test", "npm run tests-only", "npm run unit"]


def test_npm_is_tried_where_the_lockfiles_own_tool_may_be_missing() -> None:
    package = json.dumps({"dependencies": {"a": "1"}, "scripts": {"test": "x"}})
    assert [setup for _, setup, _ in describe({"package.json": package, "pnpm-lock.yaml": ""})][:2] == [
        "pnpm install --frozen-lockfile",
        "npm install",
    ]


def test_packages_of_a_monorepo_without_a_manifest_in_its_root_are_checked_in_their_folders() -> None:
    files = {
        "api/go.mod": "",
        "web/package.json": json.dumps({"scripts": {"test": "x"}}),
        "web/node_modules/b/package.json": "{}",
    }
    found = find_packages(files)
    assert list(found) == ["api", "web"]
    assert found["web"][0].candidates("test")[0].command == "cd web && npm test"


def test_the_name_of_a_folder_is_no_shell() -> None:
    (way,) = find_packages({"a;echo x >y/go.mod": ""})["a;echo x >y"]
    assert way.candidates("test")[0].command == "cd 'a;echo x >y' && go test ./..."


def test_lines_of_ci_are_read_in_every_form() -> None:
    files = {
        ".github/workflows/a.yml": "  - run: one\n    run: |\n      two\n\n      three\n    env: 1\n  - run: 'four'\n",
        ".travis.yml": "install: pip install x\nscript:\n  - five\n  - six\nnotify: no\n",
        "tox.ini": "[testenv]\ncommands =\n  seven {posargs}\n[testenv:b]\ncommands = no\n",
        "noxfile.py": 'def tests(session):\n    session.run("eight", "-q")\n',
        "README.md": "# A\n```sh\n$ nine\n```\nno\n",
    }
    assert [line.command for line in command_lines(files)] == [
        *("one", "two", "three", "four", "pip install x", "five", "six", "seven", "eight -q", "nine"),
    ]


def test_only_files_that_say_something_about_commands_are_read() -> None:
    paths = (
        "a.py",
        "setup.py",
        "docs/x.md",
        ".github/workflows/ci.yml",
        "tests/test_a.py",
        "requirements/test.txt",
        "b/go.mod",
    )
    assert set(worth_reading(paths)) == set(paths) - {"a.py", "docs/x.md"}
