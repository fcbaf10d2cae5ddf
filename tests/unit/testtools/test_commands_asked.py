"""A command is spelled so that its test tools leave reports, and is otherwise left as it is. covers: T8, T8.R"""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.testtools.instrument import Asked, ask_for_reports, put_canary

FILES = {
    "package.json": {
        "scripts": {
            "test": "jest --ci",
            "unit": "npm run test",
            "both": "tsc -p . && vitest run",
            "lint": "eslint .",
            "hooked": "jest",
            "prehooked": "rm -rf out",
            "loop": "npm run loop",
        }
    },
    "app/package.json": {"scripts": {"test": "node --test test/*.test.js"}},
}
MAKEFILE = """\
PYTHON = python3
.PHONY: test both wait-for
test:
\t@python -m pytest -q tests
both:
\techo first
\tcd app && npm test
var:
\t$(PYTHON) -m pytest
plain:
\tpytest -q
after: test
\tpytest -q
ignored:
\t-pytest -q
"""


def read(path: str) -> str | None:
    if path == "Makefile":
        return MAKEFILE
    return json.dumps(FILES[path]) if path in FILES else None


def ask(command: str) -> Asked | None:
    return ask_for_reports(command, read, "/home/me/project")


def asked(command: str) -> Asked:
    found = ask(command)
    assert found is not None, command
    return found


PYTEST = '--junitxml="$AUTOPILOT_REPORTS"/1.xml -o junit_family=xunit1'
MARK = '$(pwd -P >"$AUTOPILOT_REPORTS"/1.pwd)'


@pytest.mark.parametrize(
    ("command", "spelled"),
    [
        ("pytest", f"pytest {PYTEST} {MARK}"),
        ("pytest -q tests/test_a.py::test_b[1]", f"pytest {PYTEST} -q tests/test_a.py::test_b[1] {MARK}"),
        ("FOO=1 timeout 60 pytest -q", f"FOO=1 timeout 60 pytest {PYTEST} -q {MARK}"),
        ("python3.11 -W error -m pytest -q", f"python3.11 -W error -m pytest {PYTEST} -q {MARK}"),
        (".venv/bin/python -m pytest", f".venv/bin/python -m pytest {PYTEST} {MARK}"),
        ("uv run --extra dev pytest -q", f"uv run --extra dev pytest {PYTEST} -q {MARK}"),
        ("uv run -m pytest -q", f"uv run -m pytest {PYTEST} -q {MARK}"),
        ("poetry run pytest -q", f"poetry run pytest {PYTEST} -q {MARK}"),
        ("hatch run pytest -q", f"hatch run pytest {PYTEST} -q {MARK}"),
        ("coverage run --branch -m pytest -q", f"coverage run --branch -m pytest {PYTEST} -q {MARK}"),
        ("cd app && pytest -q 2>&1 | tail -3", f"cd app && pytest {PYTEST} -q {MARK} 2>&1 | tail -3"),
        ("pytest 2>err.txt -k 'a or b'", f"pytest {PYTEST} -k 'a or b' {MARK} 2>err.txt"),
        ('pytest "$DIR"/tests -q', f'pytest {PYTEST} "$DIR"/tests -q {MARK}'),
        ("pytest --rootdir=$PWD tests/*_test.py", f"pytest {PYTEST} --rootdir=$PWD tests/*_test.py {MARK}"),
        ('pytest -k "it\'s" # all', f"pytest {PYTEST} -k 'it'\"'\"'s' {MARK} # all"),
        ("if ! pytest -q; then exit 3; fi", f"if ! pytest {PYTEST} -q {MARK}; then exit 3; fi"),
        ("cat <<E\npytest\nE\npytest -q", f"cat <<E\npytest\nE\npytest {PYTEST} -q {MARK}"),
        ("npx jest --ci", f'npx jest --json --outputFile="$AUTOPILOT_REPORTS"/1.json --ci {MARK}'),
        ("c8 --100 jest", f'c8 --100 jest --json --outputFile="$AUTOPILOT_REPORTS"/1.json {MARK}'),
        ("nyc --lines 9 jest", f'nyc --lines 9 jest --json --outputFile="$AUTOPILOT_REPORTS"/1.json {MARK}'),
        (
            "vitest run --reporter=dot a",
            'vitest run --reporter=dot a --reporter=json --outputFile.json="$AUTOPILOT_REPORTS"/1.json ' + MARK,
        ),
    ],
)
def test_only_the_call_of_the_tool_is_replaced(command: str, spelled: str) -> None:
    assert asked(command).command == spelled


@pytest.mark.parametrize(
    ("command", "runners", "folders"),
    [
        ("cd app && npm test", ["node:test"], ["app"]),
        ("npm test", ["jest"], [""]),
        ("npm run unit", ["jest"], [""]),
        ("npm run both", ["vitest"], [""]),
        ("npm test -- -t name", ["jest"], [""]),
        ("yarn test", ["jest"], [""]),
        ("yarn jest", ["jest"], [""]),
        ("pnpm run test", ["jest"], [""]),
        ("make test", ["pytest"], [""]),
        ("make both", ["node:test"], ["app"]),
        ("make plain", ["pytest"], [""]),
        ("bash -lc 'cd app && pytest'", ["pytest"], ["app"]),
        ("(cd app && npm test) && pytest", ["node:test", "pytest"], ["app", ""]),
        ("cd app; cd ..; python -m unittest", ["unittest"], [""]),
        ("cd /home/me/project/app && pytest", ["pytest"], ["app"]),
        ('cd "$(git rev-parse --show-toplevel)" && pytest', ["pytest"], [""]),
        ("python3 -m unittest discover -s tests", ["unittest"], [""]),
        ("node --import tsx --test src/*.test.ts", ["node:test"], [""]),
        ("node --experimental-vm-modules node_modules/.bin/jest", ["jest"], [""]),
    ],
)
def test_a_command_is_followed_to_the_tool_it_calls(command: str, runners: list[str], folders: list[str]) -> None:
    calls = asked(command).calls
    assert [call.pack.name for call in calls] == runners
    assert [call.folder for call in calls] == folders
    assert [call.name for call in calls] == [str(index + 1) for index in range(len(calls))]


@pytest.mark.parametrize(
    "command",
    [
        "",
        "echo pytest",
        "npm run lint",
        "npm run hooked",
        "npm run loop",
        "npm test --workspace=a",
        "npm run nothing",
        "make var",
        "make after",
        "make ignored",
        "make",
        "make test VERBOSE=1",
        "for f in a b; do pytest $f; done",
        "while ! pytest; do sleep 1; done",
        "pytest & wait",
        "(cd app && pytest) &",
        "pytest a || pytest b",
        "! pytest tests/test_old.py",
        "f() { pytest; }; f",
        "case x in x) pytest;; esac",
        "cd $WHERE && pytest",
        "cd .. && pytest",
        "cd /elsewhere && pytest",
        "if [ -d app ]; then cd app; fi; pytest",
        "pytest 'tests",
        "pytest $(ls",
        "cat <<E\npytest",
        "pytest --collect-only",
        "pytest --version",
        "python -m unittest -h",
        "coverage run -m unittest",
        "npx jest --watch",
        "vitest bench",
        "node test.js",
        "uv run --directory app pytest",
        "npm test -- $ARGS",
        "bash -c 'pytest tests' x $1",
        'bash -c "cd $DIR && pytest"',
    ],
)
def test_a_command_in_doubt_is_left_alone(command: str) -> None:
    assert ask(command) is None


def test_what_stands_behind_a_file_is_no_option_of_nodes() -> None:
    assert ask("node test/a.js --test") is None
    assert asked("node --test a.test.js --test-reporter=spec").command.count("--test-reporter-destination=") == 2
    assert asked("node --test --test-reporter=spec a.test.js").command.count("--test-reporter-destination=") == 2
    assert ask("node --test --test-reporter=spec --test-reporter=tap a.test.js") is None


@pytest.mark.parametrize(
    ("command", "path", "spelled"),
    [
        (
            "cd app && FOO=1 pytest -q -k slow test/test_a.py | tail -1",
            "app/test/test_autopilot_canary.py",
            "cd app && FOO=1 pytest -q test/test_autopilot_canary.py | tail -1",
        ),
        (
            "npx jest --ci -t name src | cat",
            "src/autopilot-canary.test.ts",
            "npx jest --ci --runTestsByPath src/autopilot-canary.test.ts | cat",
        ),
        (
            "python -m unittest discover -s app/test -k slow",
            "app/test/test_autopilot_canary.py",
            "python -m unittest discover -s app/test -p test_autopilot_canary.py",
        ),
        (
            "vitest run src -t name",
            "src/autopilot-canary.test.ts",
            "vitest run src/autopilot-canary.test.ts",
        ),
    ],
)
def test_a_canary_takes_the_place_of_what_was_selected(command: str, path: str, spelled: str) -> None:
    found = put_canary(command, read, ["app/test/test_a.py", "src/a.test.ts"])
    assert found is not None
    assert (found[0].path, found[1]) == (path, spelled)


@pytest.mark.parametrize(
    ("command", "pattern"),
    [
        ("python -m unittest discover -s app/test", "'test*.py'"),
        ("python -m unittest discover -s app/test -p '*_a.py'", "test_autopilot_canary.py"),
    ],
)
def test_a_search_finds_the_canary_beside_other_tests_or_the_canary_alone(command: str, pattern: str) -> None:
    found = put_canary(command, read, ["app/test/test_a.py"], beside=["app/test/test_a.py"])
    assert found is not None
    assert found[1] == f"python -m unittest discover -s app/test -p {pattern}"


def test_a_command_with_a_canary_can_be_asked_for_reports_like_any_other() -> None:
    for command in ("npm run both", "cd app && npm test", "make both", "make test"):
        found = put_canary(command, read, ["src/a.test.ts", "app/test/a.test.js"], beside=["src/a.test.ts"])
        assert found is not None
        with_canary = asked(found[1]).calls
        assert [(call.pack.name, call.folder) for call in with_canary] == [
            (call.pack.name, call.folder) for call in asked(command).calls
        ]
        assert found[0].path.removeprefix(f"{with_canary[0].folder}/") in with_canary[0].arguments


@given(st.text(alphabet="pytest npm'\"\\$(){}[]<>|&;\n#!`=-cd/.a", max_size=60))
def test_no_command_is_too_strange_to_be_asked(command: str) -> None:
    found = ask(command)
    assert found is None or "$AUTOPILOT_REPORTS" in found.command


@given(st.integers(0, 200), st.sampled_from("'\"$(){};|&\n\\`"))
def test_a_command_cut_or_broken_anywhere_never_raises(place: int, char: str) -> None:
    whole = (
        "cd app && FOO=1 timeout 9 npx jest --ci \"a $(b 'c')\" 2>&1 | tail -3; (pytest -q) && make both <<E\nx\nE\n"
    )
    ask(whole[:place])
    ask(whole[:place] + char + whole[place:])
    ask_for_reports("npm test; make test", lambda _: whole[:place] + char + whole[place:])
