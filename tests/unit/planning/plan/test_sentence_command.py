"""Sentences that are commands, and many that only look like it. covers: CRIT"""

from __future__ import annotations

import pytest

from autopilot.model.planning.criterion import Form, Kind
from autopilot.model.policy import Commands
from autopilot.planning.plan.criterion import parse_criterion

COMMANDS = Commands(compile="npm run typecheck", lint="npm run lint", build="npm run build", test="npm test")


def command_of(sentence: str, commands: Commands = COMMANDS) -> str:
    return parse_criterion(sentence, "phase.c1", 3, commands)[0].command


@pytest.mark.parametrize(
    ("sentence", "command"),
    [
        ("`pnpm lint` passes", "pnpm lint"),
        ("`npm run build` succeeds without errors", "npm run build"),
        ("`npx tsc --noEmit` exits with code 0.", "npx tsc --noEmit"),
        ("Running `uv run pytest -q` is green", "uv run pytest -q"),
        ("`cd web && pnpm --filter api test` passes", "cd web && pnpm --filter api test"),
        ("`npm run lint && npm run test:unit` exits 0", "npm run lint && npm run test:unit"),
        ("`cargo test -p core` still passes", "cargo test -p core"),
        ("`./scripts/verify.sh` succeeds", "./scripts/verify.sh"),
        ("`make check` passes without lint failures (exit code 0)", "make check"),
        ("Typecheck passes", "npm run typecheck"),
        ("**TypeScript compiles without errors**", "npm run typecheck"),
        ("No type errors", "npm run typecheck"),
        ("Lint passes", "npm run lint"),
        ("Linting is clean", "npm run lint"),
        ("All tests pass", "npm test"),
        ("All existing tests continue to pass", "npm test"),
        ("The full test suite passes.", "npm test"),
        ("The project builds without errors", "npm run build"),
        ("Production build succeeds", "npm run build"),
    ],
)
def test_a_whole_sentence_about_a_check_is_its_command(sentence: str, command: str) -> None:
    criterion, complaints = parse_criterion(sentence, "phase.c1", 3, COMMANDS)
    assert (criterion.form, criterion.kind, criterion.command, complaints) == (Form.COMMAND, Kind.KEEP, command, ())
    assert criterion.text == sentence


@pytest.mark.parametrize(
    "sentence",
    [
        "`README.md` passes",
        "`TeaService` is green",
        "`build.sh` succeeds",
        "`npm run dev` succeeds",
        "`npm run lint --fix` passes",
        "`npm test -- --watch` passes",
        "`npm test || true` passes",
        "`npm test; rm -rf x` passes",
        "`npm test && curl tea` passes",
        "`npm test > log` passes",
        "`npm test $(rm x)` passes",
        "`rm -rf x` succeeds",
        "`terraform apply` succeeds",
        "`make deploy` succeeds",
        "`./deploy.sh` succeeds",
        "`docker compose up` succeeds",
        "`pnpm lint` passes with no warnings",
        "`pnpm lint` passes with no new errors",
        "`eslint .` passes",
        "`cd web && eslint .` passes",
        "`python -m pytest` passes",
        "Lint passes with no new errors",
        "Lint passes with no new warnings",
        "All tests pass without new failures",
        "`pnpm test` passes in CI",
        "`pnpm test` passes with 80% coverage",
        "`pnpm test` fails",
        "`pnpm test` does not pass",
        "Lint passes with zero warnings",
        "All E2E tests pass",
        "All 42 tests pass",
        "All tests pass and coverage is 80%",
        "The test passes",
        "Tests exist",
        "No test passes",
        "The build passes validation",
        "The user passes",
    ],
)
def test_a_sentence_that_says_more_or_something_else_stays_prose(sentence: str) -> None:
    criterion, _ = parse_criterion(sentence, "phase.c1", 3, COMMANDS)
    assert (criterion.form, criterion.command) == (Form.PROSE, "")


@pytest.mark.parametrize("sentence", ["Typecheck passes", "Lint passes", "All tests pass", "The app builds"])
def test_without_a_configured_command_nothing_is_guessed(sentence: str) -> None:
    assert command_of(sentence, Commands()) == ""


@pytest.mark.parametrize(
    ("sentence", "command"),
    [
        ("`eslint .` passes", "node_modules/.bin/eslint ."),
        ("`eslint src --quiet` passes", "node_modules/.bin/eslint src --quiet"),
        ("`pytest` is green", ".venv/bin/python -m pytest"),
        ("`python -m pytest tests/test_tea.py` passes", ".venv/bin/python -m pytest tests/test_tea.py"),
        ("`CI=1 tsc --noEmit && eslint .` passes", "CI=1 npx tsc --noEmit && node_modules/.bin/eslint ."),
        ("`npx eslint .` passes", "npx eslint ."),
        ("`pnpm lint && eslint .` passes", "pnpm lint && node_modules/.bin/eslint ."),
        ("`black --check .` passes", "uv run black --check ."),
        ("`jest` passes", ""),
        ("`isort --check .` passes", ""),
        ("`ruff check .` passes", ""),
        ("`cd web && eslint .` passes", ""),
        ("`mypy src && eslint .` passes", ""),
    ],
)
def test_a_tool_by_itself_is_called_as_a_configured_check_calls_it(sentence: str, command: str) -> None:
    commands = Commands(
        compile="npx tsc -p .",
        lint="node_modules/.bin/eslint --config jest . && uv run black --check src",
        build="cd x && mypy y",
        test=".venv/bin/python -m pytest -q",
    )
    assert command_of(sentence, commands) == command


def test_a_look_at_the_syntax_is_no_check_of_types() -> None:
    commands = Commands(compile="python3 -m compileall -q src")
    assert command_of("Typecheck passes", commands) == ""
    assert command_of("The code compiles", commands) == "python3 -m compileall -q src"


def test_a_mark_of_the_author_decides_the_kind() -> None:
    criterion, _ = parse_criterion("[new] `uv run pytest tests/test_tea.py` passes", "phase.c1", 3, COMMANDS)
    assert (criterion.kind, criterion.command) == (Kind.NEW, "uv run pytest tests/test_tea.py")
