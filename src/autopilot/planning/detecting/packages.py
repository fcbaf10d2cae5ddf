"""The packages of a repository, and the ways to install and check each. The root alone, where it is a package."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase

from msgspec.structs import replace

from autopilot.model.policy import CHECKS, Commands
from autopilot.planning.detecting.node_packages import LEFT_OUT, list_installs
from autopilot.planning.detecting.node_ways import is_node_test, node_ways
from autopilot.planning.detecting.other_ways import other_ways, target_checks
from autopilot.planning.detecting.python_tools import is_test_file
from autopilot.planning.detecting.python_ways import python_ways
from autopilot.planning.detecting.way import Candidate, Way, make_checks, move_into
from autopilot.planning.detecting.witnesses import DOCUMENTS, is_workflow

MOST_PACKAGES = 6  # of a repository without a manifest in its root
MOST_TESTS = 40  # test files that are read for what they import
_MANIFESTS = (
    *("pyproject.toml", "setup.py", "setup.cfg", "package.json", "Cargo.toml", "go.mod", "pom.xml", "build.gradle*"),
    *("*.sln", "*.csproj", "Gemfile", "composer.json", "mix.exs", "CMakeLists.txt", "requirements.txt"),
)
_FAMILIES = {
    **dict.fromkeys(("pyproject.toml", "setup.py", "setup.cfg"), "python"),
    **{"package.json": "node", "go.mod": "go", "Cargo.toml": "cargo"},
}
# Read in the root; everything else is known by its path. Names that are not there cost one failed open each.
ROOT_FILES = (
    *(name for name in _MANIFESTS if "*" not in name),
    *("uv.lock", "poetry.lock", "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock"),
    *("bun.lockb", "pnpm-workspace.yaml", "requirements-dev.txt", "requirements-test.txt"),
    *("tox.ini", "noxfile.py", "pytest.ini", "mypy.ini", ".flake8", "ruff.toml", ".ruff.toml", ".python-version"),
    *("GNUmakefile", "makefile", "Makefile", "justfile", "Justfile", ".justfile"),
)


def worth_reading(paths: tuple[str, ...]) -> tuple[str, ...]:
    """The files whose text says something about commands."""
    known = {*ROOT_FILES, *DOCUMENTS}
    names = [path for path in paths if path in known or is_workflow(path) or _is_manifest(path)]
    names += [
        path
        for path in paths
        if re.fullmatch(r"(?:[\w.-]+/)?[\w.-]*(?:requirements|test|dev)[\w.-]*\.(?:txt|in)", path)
    ]
    tests = [path for path in paths if is_test_file(path) or is_node_test(path)]
    return (*dict.fromkeys(names), *tests[:MOST_TESTS])


def find_packages(files: Mapping[str, str]) -> dict[str, tuple[Way, ...]]:
    """By folder; "" is the root. ``files`` has the text of those worth reading, and "" for every other path."""
    if ways := _ways(files):
        others = _beside_root(files)
        own = {path: text for path, text in files.items() if not path.startswith(tuple(f"{f}/" for f in others))}
        return {"": _with_installs(ways, own), **others}
    folders = {path.rpartition("/")[0] for path in files if _is_manifest(path)}
    outer = sorted((f for f in folders if folders.isdisjoint(_above(f))), key=lambda f: (f.count("/"), f))[
        :MOST_PACKAGES
    ]
    found = {folder: tuple(move_into(way, folder) for way in _ways(_below(files, folder))) for folder in outer}
    return {folder: ways for folder, ways in found.items() if ways}


def _beside_root(files: Mapping[str, str]) -> dict[str, tuple[Way, ...]]:
    """Packages below a root that is one itself, which its commands do not reach: of another ecosystem, or a Go module
    of its own; those that have tests."""
    known = {family for name, family in _FAMILIES.items() if name in files}
    found: dict[str, tuple[Way, ...]] = {}
    for path in sorted(files, key=lambda path: (path.count("/"), path)):
        folder, _, name = path.rpartition("/")
        family = _FAMILIES.get(name, "") if folder and _is_manifest(path) else ""
        is_reached = family in known - {"go"} or any(above in found for above in (folder, *_above(folder)))
        if not family or is_reached or not LEFT_OUT.isdisjoint(folder.split("/")):
            continue
        below = _below(files, folder)
        if _has_tests(family, below) and len(found) < MOST_PACKAGES:
            found[folder] = tuple(move_into(way, folder) for way in _ways(below))
    return {folder: ways for folder, ways in found.items() if ways}


def _has_tests(family: str, files: Mapping[str, str]) -> bool:
    if family == "node":
        return any(way.candidates("test") for way in node_ways(files))
    if family == "python":
        return any(is_test_file(path) for path in files)
    ending = "_test.go" if family == "go" else ".rs"
    return any(path.endswith(ending) for path in files)


def first_commands(files: Mapping[str, str]) -> Commands:
    """What would be tried first, where nothing is tried."""
    ways = _with_installs(_ways(files), files)
    # Scripts of which only the name says that they test may do anything: they have to be tried first.
    if not ways or ways[0].name == "shell":
        return Commands(setup=" && ".join(list_installs(files)) or None)
    checks = {name: candidates[0].command for name in CHECKS if (candidates := ways[0].candidates(name))}
    return Commands(setup=ways[0].setup.command if ways[0].setup else None, **checks)


def _ways(files: Mapping[str, str]) -> tuple[Way, ...]:
    readers: tuple[Callable[[Mapping[str, str]], tuple[Way, ...]], ...] = (python_ways, node_ways, other_ways)
    found = [way for read in readers for way in read(files)]
    targets = target_checks(files)
    if not found and targets:
        return (Way("make", checks=targets),)
    return tuple(_with_targets(way, targets) for way in found)


def _with_installs(ways: tuple[Way, ...], files: Mapping[str, str]) -> tuple[Way, ...]:
    """Setup of the root installs the packages below it as well, where it does not reach them by itself."""
    installs = list_installs(files)

    def join(setup: Candidate | None) -> Candidate | None:
        commands = [*([setup.command] if setup else []), *installs]
        return Candidate(" && ".join(commands), setup.source if setup else "package.json") if commands else None

    return tuple(replace(way, setup=join(way.setup)) for way in ways) if installs else ways


def _with_targets(way: Way, targets: Mapping[str, tuple[Candidate, ...]]) -> Way:
    """A Makefile's target comes after the ecosystem's own command: it may do much more than its name says."""
    joined = {name: (*way.candidates(name), *targets.get(name, ())) for name in CHECKS}
    return replace(way, checks=make_checks(**joined))


def _above(folder: str) -> list[str]:
    parts = folder.split("/")
    return ["/".join(parts[:count]) for count in range(1, len(parts))]


def _below(files: Mapping[str, str], folder: str) -> dict[str, str]:
    return {path.removeprefix(f"{folder}/"): text for path, text in files.items() if path.startswith(f"{folder}/")}


def _is_manifest(path: str) -> bool:
    folder, _, name = path.rpartition("/")
    is_foreign = re.search(
        r"(?:^|/)(?:node_modules|vendor|third_party|\.venv|testdata|fixtures|examples?)(?:/|\Z)", folder
    )
    return folder.count("/") < 3 and not is_foreign and any(fnmatchcase(name, glob) for glob in _MANIFESTS)
