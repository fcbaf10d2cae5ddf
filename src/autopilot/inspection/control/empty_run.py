"""Calls of test tools that run no test, or report none as failed: a green of theirs says nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from autopilot.inspection.control.behind import simple_commands

_JS = (
    r"--listTests|--passWithNoTests|--pass-with-no-tests|--showConfig|--clearCache|--onlyChanged|--changed|--dry-run|"
    r"--list"
)
_MAVEN = r"-DskipTests(?:=true)?|-Dmaven\.test\.skip(?:=true)?|-Dmaven\.test\.failure\.ignore(?:=true)?"
# By tool: options with which it runs nothing, or is content with nothing.
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
_PACKAGERS = frozenset({"npm", "pnpm", "yarn", "bun"})


def runs_no_test(command: str) -> str:
    """Why no test is run by it, or ""; one call that does run some is enough."""
    calls = [
        (tool, options) for words, _ in simple_commands(command) for tool, options in _call(words) if tool in _EMPTY
    ]
    reasons = [_why_empty(tool, options) for tool, options in calls]
    return reasons[0] if reasons and all(reasons) else ""


def is_always_zero(command: str) -> str:
    """Why its status says nothing although it runs; only of a command that is this one call."""
    calls = [call for words, _ in simple_commands(command) for call in (*_call(words), ("", []))[:1]]
    if len(calls) != 1:
        return ""
    tool, options = calls[0]
    pattern = _ALWAYS_ZERO.get(tool)
    found = next((option for option in options if pattern and re.fullmatch(pattern, option)), "")
    return f"with `{found}` {tool} ends with 0 whatever it finds" if found else ""


def _why_empty(tool: str, options: Sequence[str]) -> str:
    if tool == "go test" and any(option.startswith("-bench") for option in options):
        return ""
    if tool == "gradle" and any(re.fullmatch(r"(?:-x|--exclude-task)=:?(?:\w+:)*test", option) for option in options):
        return "gradle leaves the tests out"
    for option in options:
        if re.fullmatch(_EMPTY[tool], option):
            return f"with `{option}` {tool} {'is content with no test' if _is_content(option) else 'runs no test'}"
        if _ABOUT_ITSELF.fullmatch(option) and tool not in {"make", "npm", "gradle"}:
            return f"with `{option}` {tool} only tells about itself"
    return ""


def _is_content(option: str) -> bool:
    return re.search(r"(?i)no-?tests|ifno|if-present|failIfNo", option) is not None


def _call(words: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """The test tool a simple command calls, and its options."""
    program, rest = words[0].rsplit("/", 1)[-1], list(words[1:])
    if re.fullmatch(r"python[\d.]*|pypy3?", program) and "-m" in rest[:-1]:
        at = rest.index("-m")
        program, rest = rest[at + 1], rest[at + 2 :]
    options = list(_options(rest))
    if program in {"py.test", "pytest"}:
        yield "pytest", options
    elif program in {"go", "cargo", "dotnet"} and rest[:1] and rest[0] in {"test", "nextest"}:
        yield f"{program} test", options
    elif program == "node" and "--test" in rest:
        yield "node --test", options
    elif program in {"mvnw", "mvn"} or program in {"gradlew", "gradle"}:
        yield program.removesuffix("w"), options
    elif program in _PACKAGERS and "--" in rest:
        yield "jest", list(_options(rest[rest.index("--") + 1 :]))  # or another tool with the same words
    elif program in _PACKAGERS:
        yield "npm", options
    elif program in _EMPTY or program in _ALWAYS_ZERO:
        yield program, options


def _options(rest: Sequence[str]) -> Iterator[str]:
    for index, word in enumerate(rest):
        if word in _JOINED and index + 1 < len(rest):
            yield f"{word}={rest[index + 1]}"
        else:
            yield word
