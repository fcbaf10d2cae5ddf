"""Commands from manifests. covers: INV-7"""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.model.policy import Commands
from autopilot.planning.detecting.node_packages import MOST
from autopilot.planning.detecting.packages import find_packages, first_commands

VENV = "python3 -m venv .venv && .venv/bin/pip install"


def package(scripts: dict[str, str], **more: object) -> str:
    return json.dumps({"scripts": scripts, **more})


@pytest.mark.parametrize(
    ("files", "commands"),
    [
        ({}, Commands()),
        (
            {"tests/test_a.py": "", "a.py": ""},
            Commands(compile="python3 -m compileall -q tests", test="python3 -m unittest discover -s tests"),
        ),
        (
            {"tests/test_a.py": "", "tests/__init__.py": "", "src/a/b.py": ""},
            Commands(compile="python3 -m compileall -q src tests", test="python3 -m unittest discover -s tests -t ."),
        ),
        (
            {"pyproject.toml": '[project]\nname="a"\n[tool.pytest.ini_options]\n[tool.ruff]\n', "tests/a.py": ""},
            Commands(
                setup=f"{VENV} -e . pytest ruff",
                compile=".venv/bin/python -m compileall -q tests",
                lint=".venv/bin/python -m ruff check .",
                test=".venv/bin/python -m pytest -q",
            ),
        ),
        (
            {"requirements.txt": "flask\n", "requirements-dev.txt": "pytest==8\nmypy\n"},
            Commands(
                setup=f"{VENV} -r requirements-dev.txt -r requirements.txt",
                compile=".venv/bin/python -m mypy .",
                test=".venv/bin/python -m pytest -q",
            ),
        ),
        (
            {
                "pyproject.toml": '[project]\ndependencies=["x"]\n[project.optional-dependencies]\ndev=["pytest"]\n',
                "uv.lock": "",
            },
            Commands(
                setup="uv sync --frozen --all-extras --all-groups",
                compile="uv run --no-sync python -m compileall -q -x '/\\.' .",
                test="uv run --no-sync python -m pytest -q",
            ),
        ),
        (
            {"setup.cfg": "[tool:pytest]\n[flake8]\n", "setup.py": ""},
            Commands(
                setup=f"{VENV} -e . flake8 pytest",
                compile=".venv/bin/python -m compileall -q -x '/\\.' .",
                lint=".venv/bin/python -m flake8 --extend-exclude .venv",
                test=".venv/bin/python -m pytest -q",
            ),
        ),
        (
            {
                "package.json": package(
                    {"test": "vitest", "lint": "eslint", "build": "tsc", "typecheck": "tsc"}, devDependencies={"x": "1"}
                ),
                "pnpm-lock.yaml": "",
            },
            Commands(
                setup="pnpm install --frozen-lockfile",
                compile="pnpm run typecheck",
                lint="pnpm run lint",
                build="pnpm run build",
                test="pnpm test",
            ),
        ),
        ({"package.json": package({"test": 'echo "Error: no test specified" && exit 1'})}, Commands()),
        ({"package.json": package({"test": "node --test"})}, Commands(test="npm test")),
        ({"bin/a": "", "test/test-a.sh": ""}, Commands()),
        (
            {"package.json": package({"test": "x"}, dependencies={"a": "1"}), "package-lock.json": "{}"},
            Commands(setup="npm ci", test="npm test"),
        ),
        (
            {"Makefile": "CC := gcc\ntest: build\n\tx\nbuild:\n\ty\n.PHONY: test\n"},
            Commands(build="make build", test="make test"),
        ),
        (
            {"Makefile": "test:\n\nlint:\n", "package.json": package({"test": "x"})},
            Commands(lint="make lint", test="npm test"),
        ),
    ],
)
def test_commands_follow_from_manifests(files: dict[str, str], commands: Commands) -> None:
    assert first_commands(files) == commands


NAMES = st.sampled_from(
    ["pyproject.toml", "package.json", "Makefile", "setup.cfg", "requirements.txt", "tests/test_a.py"]
)
TEXTS = st.text() | st.sampled_from(
    ["[]", '{"scripts": 3}', '{"scripts": {"test": 1}}', "[project]\ndependencies=3", "[tool]\npoetry=1"]
)


@given(st.dictionaries(NAMES, TEXTS))
def test_any_manifest_is_read_without_a_traceback(files: dict[str, str]) -> None:
    assert isinstance(first_commands(files), Commands)


NEEDS = '{"dependencies": {"x": "1"}}'
WEB = "(cd web && npm ci || echo web could not be set up)"


@pytest.mark.parametrize(
    ("files", "setup"),
    [
        ({"web/package.json": NEEDS, "web/package-lock.json": ""}, WEB),
        ({"web/package.json": NEEDS}, WEB.replace("npm ci", "npm install")),
        (
            {"apps/web/package.json": NEEDS, "apps/web/pnpm-lock.yaml": ""},
            "(cd apps/web && pnpm install --frozen-lockfile",
        ),
        (
            {"package.json": NEEDS, "package-lock.json": "", "web/package.json": NEEDS, "web/yarn.lock": ""},
            "npm ci && (cd web",
        ),
        (
            {"requirements.txt": "x", "web/package.json": NEEDS, "web/package-lock.json": ""},
            f"-r requirements.txt && {WEB}",
        ),
        ({"a b/package.json": NEEDS}, "(cd 'a b' && npm install || echo 'a b' could not be set up)"),
    ],
)
def test_set_up_installs_each_package_that_the_root_does_not_reach(files: dict[str, str], setup: str) -> None:
    assert setup in (first_commands(files).setup or "")


@pytest.mark.parametrize(
    "files",
    [
        {"package.json": '{"workspaces": ["web"]}', "web/package.json": NEEDS},
        {"pnpm-workspace.yaml": "", "web/package.json": NEEDS},
        {"web/package.json": "{}"},
        {"web/package.json": "not json"},
        {"web/package.json": "[]"},
        {"examples/a/package.json": NEEDS},
        {"docs/package.json": NEEDS, "docs/package-lock.json": ""},
        {"tests/fixtures/package.json": NEEDS},
    ],
)
def test_members_of_a_workspace_packages_without_needs_and_examples_are_left_to_others(files: dict[str, str]) -> None:
    assert "cd " not in (first_commands(files).setup or "")


def test_a_package_with_a_lockfile_of_its_own_is_no_member_and_there_is_an_end_to_packages() -> None:
    own = {"package.json": '{"workspaces": ["a"]}', "web/package.json": NEEDS, "web/package-lock.json": ""}
    assert first_commands(own).setup == f"npm install && {WEB}"
    many = {f"p{number}/package.json": NEEDS for number in range(30)}
    assert (first_commands(many).setup or "").count("npm install") == MOST


TESTED = '{"scripts": {"test": "mocha"}}'
ALONE = '{"scripts": {"test": "echo no test specified"}}'


@pytest.mark.parametrize(
    ("files", "candidates"),
    [
        (
            {"package.json": '{"workspaces": ["packages/*"], "scripts": {"test": "lerna run test"}}'}
            | {"packages/b/package.json": TESTED, "packages/a/package.json": TESTED, "packages/c/package.json": ALONE},
            ["npm test", "(cd packages/a && npm test) && (cd packages/b && npm test)"],
        ),
        (
            {"package.json": '{"private": true}', "web/package.json": TESTED, "examples/x/package.json": TESTED},
            ["(cd web && npm test)"],
        ),
        ({"package.json": TESTED, "web/package.json": TESTED}, ["npm test"]),
        (
            {"package.json": '{"workspaces": ["*"]}'} | {f"p{n}/package.json": TESTED for n in range(20)},
            [],
        ),
    ],
)
def test_the_packages_of_a_workspace_are_tested_one_by_one_where_the_root_fails(
    files: dict[str, str], candidates: list[str]
) -> None:
    way = find_packages(files)[""][0]
    assert [candidate.command for candidate in way.candidates("test")] == candidates


PY = {"pyproject.toml": "[project]\nname = 'a'\n", "tests/test_a.py": "def test_a(): pass\n"}


def below(folder: str, files: dict[str, str]) -> dict[str, str]:
    return {f"{folder}/{path}": text for path, text in files.items()}


@pytest.mark.parametrize(
    ("files", "folders"),
    [
        ({"package.json": TESTED, **below("backend", PY)}, ["", "backend"]),
        ({**PY, "web/package.json": TESTED}, ["", "web"]),
        ({**PY, "docs/package.json": TESTED, "website/package.json": TESTED}, [""]),
        ({**PY, "web/package.json": NEEDS}, [""]),
        ({**PY, **below("plugins/one", PY)}, [""]),
        ({"package.json": TESTED, "backend/pyproject.toml": "[project]\nname = 'a'\n"}, [""]),
        ({"go.mod": "module a", "a_test.go": "", "v3/go.mod": "module a/v3", "v3/b_test.go": ""}, ["", "v3"]),
        ({"go.mod": "module a", "a_test.go": "", "tools/go.mod": "module t"}, [""]),
        (
            {"package.json": TESTED, **below("api", PY), **below("api/inner", {"setup.py": "", "tests/test_b.py": ""})},
            ["", "api"],
        ),
    ],
)
def test_a_package_that_the_roots_commands_do_not_reach_has_an_answer_of_its_own(
    files: dict[str, str], folders: list[str]
) -> None:
    found = find_packages(files)
    assert list(found) == folders
    assert all(way.folder == folder for folder, ways in found.items() for way in ways)


def test_the_setup_of_a_package_of_its_own_is_not_the_roots() -> None:
    found = find_packages({**PY, "web/package.json": '{"scripts": {"test": "mocha"}, "dependencies": {"a": "1"}}'})
    assert all("cd web" not in way.setup.command for way in found[""] if way.setup)
    assert next(way.setup.command for way in found["web"] if way.setup) == "cd web && npm install"


@pytest.mark.parametrize(
    ("manifest", "command"),
    [
        ("[workspace]\nmembers = ['a']\n[package]\n", "cargo test --workspace"),
        ("[package]\nname = 'a'\n", "cargo test"),
    ],
)
def test_cargo_tests_all_members_of_a_workspace(manifest: str, command: str) -> None:
    assert find_packages({"Cargo.toml": manifest})[""][0].candidates("test")[0].command == command
