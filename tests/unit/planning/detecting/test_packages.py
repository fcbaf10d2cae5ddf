"""Commands from manifests. covers: INV-7"""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.model.policy import Commands
from autopilot.planning.detecting.packages import first_commands

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
