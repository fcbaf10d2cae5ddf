"""Which tools a Python project tests itself with, and the plugins their options and imports ask for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from autopilot.planning.detecting.tables import table
from autopilot.planning.detecting.witnesses import command_lines

TOOLS = frozenset({"pytest", "ruff", "flake8", "mypy"})
_MARKS = {
    "pytest": ("pytest.ini", "[tool:pytest]"),
    "ruff": ("ruff.toml", "[ruff]"),
    "flake8": (".flake8", "[flake8]"),
    "mypy": ("mypy.ini", "[mypy]"),
}
# Imported by tests, asked for by an option, or a fixture of theirs: the package that brings it.
_IMPORTED = {
    "ddt": "ddt",
    "freezegun": "freezegun",
    "httpretty": "httpretty",
    "hypothesis": "hypothesis",
    "mock": "mock",
    "parameterized": "parameterized",
    "pytest_asyncio": "pytest-asyncio",
    "pytest_mock": "pytest-mock",
    "requests_mock": "requests-mock",
    "responses": "responses",
    "vcr": "vcrpy",
}
_OPTIONS = {
    "--asyncio-mode": "pytest-asyncio",
    "--benchmark": "pytest-benchmark",
    "--black": "pytest-black",
    "--cov": "pytest-cov",
    "--doctest-plus": "pytest-doctestplus",
    "--flake8": "pytest-flake8",
    "--mypy": "pytest-mypy",
    "--numprocesses": "pytest-xdist",
    "--randomly": "pytest-randomly",
    "--reruns": "pytest-rerunfailures",
    "--snapshot": "syrupy",
    "--timeout": "pytest-timeout",
    "-n auto": "pytest-xdist",
    "asyncio_mode": "pytest-asyncio",
}
_FIXTURES = {"benchmark": "pytest-benchmark", "httpserver": "pytest-httpserver", "mocker": "pytest-mock"}
# What developers and CI install for other things than tests: packaging, releases, documents, style, their own comfort.
# fmt: off
_NOT_FOR_TESTS = frozenset({
    "pip", "setuptools", "wheel", "build", "twine", "flit", "cibuildwheel", "virtualenv", "hatch", "poetry", "uv",
    "pdm", "pip-tools", "check-manifest", "tox", "tox-gh", "tox-gh-actions", "tox-uv", "nox", "codecov", "coveralls",
    "bumpversion", "bump2version", "bumpver", "commitizen", "towncrier", "zest-releaser", "python-semantic-release",
    "pre-commit", "black", "isort", "pylint", "pyright", "bandit", "safety", "autopep8", "autoflake", "yapf",
    "pyupgrade", "ipython", "ipdb", "jupyter", "notebook", "furo", "pdoc", "pydoctor", "docutils",
    "recommonmark", "myst-parser",
})
# fmt: on
_DOCUMENTS = ("sphinx", "mkdocs")  # with all their themes and plugins
_IMPORT = re.compile(r"^[ \t]*(?:import|from)[ \t]+([A-Za-z_]\w*)", re.MULTILINE)
_PARAMETERS = re.compile(r"\bdef test_\w*\(([^)]{0,500})\)")
_PLAIN_TEST = re.compile(r"^(?:async )?def test_", re.MULTILINE)
_TEST_FILE = re.compile(
    r"(?:^|/)(?:test_[^/]*|[^/]*_test|tests?|conftest)\.py\Z|(?:^|/)tests?/(?:[^/]+/)*Tests?[A-Z][^/]*\.py\Z"
)
_SETTINGS = ("pyproject.toml", "pytest.ini", "setup.cfg", "tox.ini")


def find_tools(project: Mapping[str, Any], files: Mapping[str, str], declared: Iterable[str]) -> frozenset[str]:
    """By declaration, by a settings file or section, by what CI calls, and pytest by tests that only it can run."""
    names = {re.split(r"[^\w-]", entry.strip(), maxsplit=1)[0].lower() for entry in declared}
    names |= set(table(project, "tool"))
    for tool, (file, section) in _MARKS.items():
        is_section = any(section in files.get(name, "") for name in ("setup.cfg", "tox.ini"))
        if file in files or f".{file}" in files or is_section:
            names.add(tool)
    if any("pytest" in line.command for line in command_lines(files)) or "[pytest]" in files.get("tox.ini", ""):
        names.add("pytest")
    if any("pytest" in _IMPORT.findall(text) or _PLAIN_TEST.search(text) for text in _test_texts(files)):
        names.add("pytest")
    return frozenset(names & TOOLS)


def find_plugins(files: Mapping[str, str]) -> Iterator[str]:
    settings = "\n".join(files.get(name, "") for name in _SETTINGS)
    yield from (package for option, package in _OPTIONS.items() if option in settings)
    for text in _test_texts(files):
        yield from (_IMPORTED[name] for name in _IMPORT.findall(text) if name in _IMPORTED)
        given = {name for found in _PARAMETERS.findall(text) for name in re.findall(r"\w+", found)}
        yield from (package for name, package in _FIXTURES.items() if name in given)


def find_imports(files: Mapping[str, str]) -> frozenset[str]:
    """Modules that the tests name, spelled as packages are."""
    found = (name for text in _test_texts(files) for name in _IMPORT.findall(text))
    return frozenset(name.lower().replace("_", "-") for name in found)


def is_for_tests(package: str, imported: frozenset[str]) -> bool:
    """Whether tests may need it: a package of well-known other uses counts where they import it."""
    return package in imported or not (package in _NOT_FOR_TESTS or package.startswith(_DOCUMENTS))


def is_test_file(path: str) -> bool:
    return _TEST_FILE.search(path) is not None


def is_collected(path: str) -> bool:
    """Whether pytest finds it by itself."""
    return re.search(r"(?:^|/)(?:test_[^/]*|[^/]*_test)\.py\Z", path) is not None


def _test_texts(files: Mapping[str, str]) -> list[str]:
    return [text for path, text in files.items() if text and is_test_file(path)]
