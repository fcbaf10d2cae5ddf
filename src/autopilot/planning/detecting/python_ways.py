"""Ways to install and test a Python project: its own tool, then an environment with all it asks for, then with less."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from autopilot.planning.detecting.python_needs import Needs, find_needs
from autopilot.planning.detecting.python_tools import is_collected, is_test_file
from autopilot.planning.detecting.tables import read_toml, table
from autopilot.planning.detecting.way import Candidate, Way, make_checks
from autopilot.planning.detecting.witnesses import DOCUMENTS, command_lines

MANIFESTS = ("pyproject.toml", "setup.py", "setup.cfg")
_PYTEST = re.compile(r"(?:python[\d.]*\s+-m\s+)?(?:pytest|py\.test)(?:\s+(.*))?\Z")
_UNITTEST = re.compile(r"python[\d.]*\s+-m\s+(unittest(?:\s+.*)?)\Z")
_SCRIPT = re.compile(r"python[\d.]*\s+((?:[\w.-]+/)*[\w.-]*test[\w.-]*\.py)\Z")
_TESTS = re.compile(r"(?:\A|/)(?:tests?|test_\w+\.py|\w+_test\.py)/?\Z")
_FILE = re.compile(r"\.py\b")
_UNITTEST_OF_ONE = re.compile(r"-m unittest (?!discover\b)\S")
_SHELL = re.compile(r"[;|&$`<>(){}\\]")
_RUNNERS = re.compile(r"(?:(?:uv|poetry|pdm|hatch|pipenv|coverage)\s+run\s+(?:-[\w=-]+\s+)*(?:-m\s+)?)")


def python_ways(files: Mapping[str, str]) -> tuple[Way, ...]:
    """None where nothing here is Python."""
    requirements = [name for name in files if re.fullmatch(r"requirements[\w.-]*\.txt", name)]
    if not any(name in files for name in MANIFESTS) and not requirements and not any(map(is_test_file, files)):
        return ()
    needs = find_needs(files)
    return tuple(_with_checks(way, python, needs, files) for way, python in _setups(needs, files))


def _setups(needs: Needs, files: Mapping[str, str]) -> Iterator[tuple[Way, str]]:
    """Each with the words that start its Python."""
    if "uv.lock" in files:
        yield Way("uv", Candidate("uv sync --frozen --all-extras --all-groups", "uv.lock")), "uv run --no-sync python"
    if "poetry.lock" in files:
        with_groups = "poetry install --no-interaction --all-extras"
        yield Way("poetry", Candidate(with_groups, "poetry.lock")), "poetry run python"
    is_package = _is_package(files)
    declares = is_package and (_dependencies(files) or needs.extras)
    if not declares and not needs.packages and not needs.requirements:
        yield Way("the system's Python"), "python3"
        if not is_package:
            return
    yield from _environments(needs, is_package=is_package, python=_interpreter(files))


def _environments(needs: Needs, *, is_package: bool, python: str) -> Iterator[tuple[Way, str]]:
    """With everything that is asked for; then without what may be broken or meant for other things."""
    named = f".[{','.join(needs.extras)}]"
    beside = [f"-e {shlex.quote(f'./{folder}')}" for folder in needs.packages_beside]
    own = [*beside, f"-e {shlex.quote(named)}" if needs.extras else "-e ."] if is_package else []
    bare = [*beside, "-e ."] if is_package else []
    files = [f"-r {shlex.quote(name)}" for name in needs.requirements]
    packages = [shlex.quote(name) for name in needs.packages]
    tool = ["pytest"] if needs.pytest else []
    found: dict[str, None] = {}
    for wanted in ([*own, *files, *packages], [*own, *packages], [*bare, *files, *tool], [*bare, *tool], tool):
        found.setdefault(" ".join(wanted))
    for arguments in filter(None, found):
        setup = f"{python} -m venv .venv && .venv/bin/pip install {arguments}"
        yield Way("a virtual environment", Candidate(setup, needs.source)), ".venv/bin/python"


def _is_package(files: Mapping[str, str]) -> bool:
    """Whether pip can install the tree itself."""
    project = read_toml(files.get("pyproject.toml", ""))
    if "setup.py" in files or table(project, "project").get("name") or table(project, "tool", "poetry").get("name"):
        return True
    return "build-system" in project or "[metadata]" in files.get("setup.cfg", "")


def _dependencies(files: Mapping[str, str]) -> bool:
    project = read_toml(files.get("pyproject.toml", ""))
    poetry = set(table(project, "tool", "poetry", "dependencies")) - {"python"}
    given = "install_requires" in files.get("setup.py", "") + files.get("setup.cfg", "")
    return bool(table(project, "project").get("dependencies") or poetry or given or _has_src(files))


def _interpreter(files: Mapping[str, str]) -> str:
    """The version the project pins; tried like everything else, so one that is not installed is not written."""
    pinned = re.match(r"(?:cpython-)?(3\.[0-9]{1,2})", files.get(".python-version", "").strip())
    return f"python{pinned[1]}" if pinned else "python3"


def _with_checks(way: Way, python: str, needs: Needs, files: Mapping[str, str]) -> Way:
    lint = [Candidate(f"{python} -m ruff check .", needs.source)] if "ruff" in needs.tools else []
    lint += [Candidate(f"{python} -m flake8 --extend-exclude .venv", needs.source)] if "flake8" in needs.tools else []
    types = [Candidate(f"{python} -m mypy .", needs.source)] if "mypy" in needs.tools else []
    folders = " ".join(_source_folders(files))
    # Hidden folders hold the installed packages of others.
    scope = folders or r"-x '/\.' ."
    compiles = [*types, Candidate(f"{python} -m compileall -q {scope}", folders or "its layout")]
    return replace(way, checks=make_checks(compile=compiles, lint=lint, test=_tests(python, needs, files)))


def _source_folders(files: Mapping[str, str]) -> list[str]:
    folders = {path.split("/", 1)[0] for path in files if path.endswith(".py") and "/" in path}
    return (
        [name for name in ("src", "tests", "test") if name in folders]
        if "src" in folders
        else sorted(
            name for name in folders if re.fullmatch(r"\w+", name) and name not in ("docs", "doc", "examples", "build")
        )
    )


def _tests(python: str, needs: Needs, files: Mapping[str, str]) -> Iterator[Candidate]:
    """What CI and tox call, started by this Python, then what the layout suggests.

    What may be a part comes last: single test files, and whatever documents show as an example.
    """
    named = list(_named(python, files))
    single = [candidate for candidate in named if candidate.source in DOCUMENTS or _runs_one_file(candidate.command)]
    yield from (candidate for candidate in named if candidate not in single)
    if needs.pytest:
        yield Candidate(f"{python} -m pytest -q", needs.source)
        yield from _not_collected(python, files)
    yield from _discovered(python, files)
    yield from single


def _named(python: str, files: Mapping[str, str]) -> Iterator[Candidate]:
    for line in command_lines(files):
        command = _RUNNERS.sub("", line.command)
        if _SHELL.search(command):  # the end of a line such as `… || true` would decide, and not the tests
            continue
        if found := _PYTEST.match(command):
            yield Candidate(" ".join([f"{python} -m pytest -q", *_paths(found[1] or "", files)]), line.source)
        elif found := _UNITTEST.match(command) or _SCRIPT.match(command):
            prefix = "-m " if found[1].startswith("unittest") else ""
            yield Candidate(f"{python} {prefix}{found[1]}", line.source)


def _not_collected(python: str, files: Mapping[str, str]) -> Iterator[Candidate]:
    """Tests in files that pytest does not look for, such as `package/tests.py` and `tests/TestParser.py`."""
    tests = [path for path in sorted(files) if is_test_file(path) and not path.endswith("conftest.py")]
    if tests and not any(map(is_collected, tests)):
        yield Candidate(f"{python} -m pytest -q -o python_files='[Tt]est*.py *_test.py'", tests[0])


def _discovered(python: str, files: Mapping[str, str]) -> Iterator[Candidate]:
    for folder in ("tests", "test"):
        if found := [path for path in files if path.startswith(f"{folder}/") and is_test_file(path)]:
            top = " -t ." if f"{folder}/__init__.py" in files else ""
            pattern = " -p 'Test*.py'" if all("/Test" in path for path in found) else ""
            yield Candidate(f"{python} -m unittest discover -s {folder}{top}{pattern}", f"{folder}/")
    if inside := next((path for path in sorted(files) if is_test_file(path) and _is_in_package(path, files)), ""):
        yield Candidate(f"{python} -m unittest discover", inside)
    if beside := next((path for path in sorted(files) if is_test_file(path) and "/" not in path), ""):
        pattern = "" if beside.startswith("test") else " -p '*_test.py'"
        yield Candidate(f"{python} -m unittest discover{pattern}", beside)


def _is_in_package(path: str, files: Mapping[str, str]) -> bool:
    """Whether discovery from the root gets there: every folder on the way is a package. `tests` has its own call."""
    parts = path.split("/")[:-1]
    ways = ["/".join(parts[: count + 1]) for count in range(len(parts))]
    return bool(parts) and parts[0] not in ("test", "tests") and all(f"{way}/__init__.py" in files for way in ways)


def _paths(arguments: str, files: Mapping[str, str]) -> list[str]:
    """Of a call of pytest only the paths of tests: its other options may need plugins, and none is needed."""
    try:
        given = shlex.split(arguments, comments=True)
    except ValueError:
        return []
    known = {path.split("/", 1)[0] for path in files}
    return [shlex.quote(path) for path in given if _TESTS.search(path) and path.split("/", 1)[0] in known]


def _runs_one_file(command: str) -> bool:
    _, is_pytest, arguments = command.partition("pytest ")
    return bool(is_pytest and _FILE.search(arguments)) or _UNITTEST_OF_ONE.search(command) is not None


def _has_src(files: Mapping[str, str]) -> bool:
    """What lies in `src/` can only be imported when it is installed."""
    return any(path.startswith("src/") and path.endswith(".py") for path in files)
