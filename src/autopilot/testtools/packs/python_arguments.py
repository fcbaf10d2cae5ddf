"""How Python's test tools are called: through the interpreter, through coverage, or by their own name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from autopilot.text.commands.wrappers import program

_PYTHON = re.compile(r"(?:python|pypy)[\d.]*")
_VALUED = frozenset({"-W", "-X", "--check-hash-based-pycs"})
_COVERAGE_VALUED = frozenset(
    {"--source", "--include", "--omit", "--rcfile", "--data-file", "--context", "--concurrency"}
)
TEST_FILE = re.compile(r"test_[^/]*\.py|[^/]*_test\.py")


def is_python(word: str) -> bool:
    return _PYTHON.fullmatch(program(word)) is not None


def module_at(arguments: Sequence[str]) -> int | None:
    """The place of the module's name in ``python -m pytest`` or ``coverage run -m pytest``."""
    place = 0
    if arguments and is_python(arguments[0]):
        found = _behind_m(arguments, 1, _VALUED)
        if found is None or arguments[found] != "coverage":
            return found
        place = found
    if (
        arguments[place : place + 1]
        and program(arguments[place]) == "coverage"
        and arguments[place + 1 : place + 2] == ["run"]
    ):
        return _behind_m(arguments, place + 2, _COVERAGE_VALUED)
    return None


def _behind_m(arguments: Sequence[str], place: int, valued: frozenset[str]) -> int | None:
    while place < len(arguments) and arguments[place].startswith("-"):
        if arguments[place] == "-m":
            return place + 1 if place + 1 < len(arguments) else None
        if arguments[place] in {"-c", "-"}:
            return None
        place += 2 if arguments[place] in valued else 1
    return None


def folder_for(paths: Sequence[str], selected: Sequence[str]) -> str:
    """Where a test file of the project stands that this call would run, or any; "" for the project's own folder."""
    chosen = [word.partition("::")[0].removeprefix("./").rstrip("/") for word in selected]
    tests = sorted(path for path in paths if TEST_FILE.fullmatch(PurePosixPath(path).name))
    for word in chosen:
        if word.endswith(".py"):
            return _parent(word)
        below = [path for path in tests if path.startswith(f"{word}/")]
        if below or any(path.startswith(f"{word}/") for path in paths):
            return _parent(below[0]) if below else word
    return _parent(tests[0]) if tests else ""


def _parent(path: str) -> str:
    folder = str(PurePosixPath(path).parent)
    return "" if folder == "." else folder
