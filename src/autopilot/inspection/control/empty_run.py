"""Calls of test tools that run no test, or report none as failed: their success proves nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from autopilot.inspection.control.behind import PACKAGERS, simple_commands

_JS = (
    r"--listTests|--passWithNoTests|--pass-with-no-tests|--showConfig|--clearCache|--onlyChanged|--changed|--dry-run|"
    r"--list"
)
_MAVEN = r"-DskipTests(?:=true)?|-Dmaven\.test\.skip(?:=true)?|-Dmaven\.test\.failure\.ignore(?:=true)?"
# By tool: options with which it runs nothing, or succeeds without a test.
_EMPTY = {
    "pytest": r"--collect-only|--co|--setup-plan|--setup-only|--fixtures|--markers|--suppress-no-test-exit-code",
    "jest": rf"{_JS}|-o",
    "vitest": rf"{_JS}|list",
    "mocha": _JS,
    "playwright": _JS,
    "ava": _JS,
    "node --test": r"--test-only",
    "go test": r"-(?:list|c|n|exec)(?:=.*)?|-run=(?:\^\$|XXX|NONE|xxx|none)",
    "cargo test": r"--no-run|--list|--no-tests=pass",
    "mvn": rf"{_MAVEN}|-DskipITs(?:=true)?|-DfailIfNoTests=false|-Dsurefire\.failIfNoSpecifiedTests=false",
    "gradle": r"--dry-run|-m",
    "rspec": r"--dry-run",
    "phpunit": r"--list-(?:tests|groups|suites|test-files)|--list-tests-xml",
    "bats": r"--count|-c",
    "ctest": r"-N|--show-only.*",
    "dotnet test": r"--list-tests|-t",
    "tox": r"-l|--listenvs|--notest|-n|--showconfig|list|config",
    "nox": r"-l|--list|--list-sessions",
    "prove": r"--dry|-D",
    "make": r"-n|--dry-run|--just-print|--recon|-t|--touch",
    "npm": r"--if-present|--ignore-scripts",
}
# Options with which the exit status is 0 whatever was found.
_ALWAYS_ZERO = {
    "pytest": r"--suppress-tests-failed-exit-code",
    "mocha": r"--pass-on-failing-test-suite",
    "rspec": r"--failure-exit-code=0",
    "mvn": r"-fn|--fail-never|-Dmaven\.test\.failure\.ignore(?:=true)?",
    "make": r"-i|--ignore-errors|-k?ik?",
    "ruff": r"--exit-zero|-e",
    "flake8": r"--exit-zero",
    "pylint": r"--exit-zero|--fail-under=0",
    "bandit": r"--exit-zero",
    "golangci-lint": r"--issues-exit-code=0",
    "gofmt": r"-l",
}
_ABOUT_ITSELF = re.compile(r"--version|--help|-h|-V")
# Options whose word may stand apart: read as if it were joined on.
_JOINED = frozenset({"-run", "--failure-exit-code", "--issues-exit-code", "--fail-under", "-x", "--exclude-task"})


def runs_no_test(command: str) -> str:
    """Why the command runs no test, or ""; one call that runs some is enough."""
    calls = [
        (tool, options)
        for arguments, _ in simple_commands(command)
        for tool, options in _call(arguments)
        if tool in _EMPTY
    ]
    reasons = [_why_empty(tool, options) for tool, options in calls]
    return reasons[0] if reasons and all(reasons) else ""


def is_always_zero(command: str) -> str:
    """Why the exit status of the command proves nothing; only for a command of a single call."""
    calls = [call for arguments, _ in simple_commands(command) for call in (*_call(arguments), ("", []))[:1]]
    if len(calls) != 1:
        return ""
    tool, options = calls[0]
    pattern = _ALWAYS_ZERO.get(tool)
    found = next((option for option in options if pattern and re.fullmatch(pattern, option)), "")
    return f"with `{found}` {tool} exits with 0 whatever it finds" if found else ""


def _why_empty(tool: str, options: Sequence[str]) -> str:
    if tool == "go test" and any(option.startswith("-bench") for option in options):
        return ""
    if tool == "gradle" and any(re.fullmatch(r"(?:-x|--exclude-task)=:?(?:\w+:)*test", option) for option in options):
        return "gradle excludes the tests"
    for option in options:
        if re.fullmatch(_EMPTY[tool], option):
            return f"with `{option}` {tool} {'succeeds without any test' if _accepts_none(option) else 'runs no test'}"
        if _ABOUT_ITSELF.fullmatch(option) and tool not in {"make", "npm", "gradle"}:
            return f"with `{option}` {tool} only prints information about itself"
    return ""


def _accepts_none(option: str) -> bool:
    return re.search(r"(?i)no-?tests|ifno|if-present|failIfNo", option) is not None


def _call(arguments: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """The test tool a simple command calls, and its options."""
    program, rest = arguments[0].rsplit("/", 1)[-1], list(arguments[1:])
    if re.fullmatch(r"python[\d.]*|pypy3?", program) and "-m" in rest[:-1]:
        position = rest.index("-m")
        program, rest = rest[position + 1], rest[position + 2 :]
    options = list(_options(rest))
    if program in {"py.test", "pytest"}:
        yield "pytest", options
    elif program in {"go", "cargo", "dotnet"} and rest[:1] and rest[0] in {"test", "nextest"}:
        yield f"{program} test", options
    elif program == "node" and "--test" in rest:
        yield "node --test", options
    elif program in {"mvnw", "mvn"} or program in {"gradlew", "gradle"}:
        yield program.removesuffix("w"), options
    elif program in PACKAGERS and "--" in rest:
        yield "jest", list(_options(rest[rest.index("--") + 1 :]))  # or another tool with the same options
    elif program in PACKAGERS:
        yield "npm", options
    elif program in _EMPTY or program in _ALWAYS_ZERO:
        yield program, options


def _options(rest: Sequence[str]) -> Iterator[str]:
    for index, word in enumerate(rest):
        if word in _JOINED and index + 1 < len(rest):
            yield f"{word}={rest[index + 1]}"
        else:
            yield word
