"""Ways to install and test a package for Node: the tool of its lockfile first, npm where that is not installed."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from autopilot.planning.detecting.node_packages import LEFT_OUT, LOCKS, MOST
from autopilot.planning.detecting.way import Candidate, Way, make_checks

_SCRIPTS = {
    "compile": ("typecheck", "type-check", "check-types", "compile", "tsc"),
    "lint": ("lint",),
    "build": ("build",),
    # The tests alone come after the whole: what stands around them, such as an audit, may need the network.
    "test": ("test", "tests-only", "test:unit", "unit", "tests", "test:node"),
}
_TEST_FILE = re.compile(r"(?:^|/)(?:tests?/[^/]+|(?:test[-_.])?[^/]+[-_.]test|test)\.(?:[cm]?js)\Z")


# With these a test file is a program, which Node runs by itself where their own runner is too old for it.
_RUNS_ITSELF = re.compile(r"""(?:require\(|\bfrom\s)\s*["'](?:tape|tap|node:test)["']""")


def is_node_test(path: str) -> bool:
    return "node_modules/" not in path and _TEST_FILE.search(path) is not None


def node_ways(files: Mapping[str, str]) -> tuple[Way, ...]:
    package = _package(files.get("package.json", ""))
    if package is None:
        return ()
    return tuple(_way(tool, setup, source, package, files) for tool, setup, source in _setups(package, files))


def _setups(package: Mapping[str, Any], files: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    named = re.match(r"(npm|pnpm|yarn|bun)@", str(package.get("packageManager", "")))
    pinned = named[1] if named else ""
    locks = [(setup.split()[0], setup, name) for name, setup in LOCKS.items() if name in files]
    yield from sorted(locks, key=lambda lock: pinned not in ("", lock[0]))
    if pinned and not locks:
        yield pinned, f"{pinned} install", "package.json"
    if any(package.get(name) for name in ("dependencies", "devDependencies", "optionalDependencies", "workspaces")):
        yield "npm", "npm install", "package.json"
        yield "npm", "npm install --legacy-peer-deps", "package.json"
        yield "npm", "npm install --ignore-scripts", "package.json"
    else:
        yield "npm", "", "package.json"


def _way(tool: str, setup: str, source: str, package: Mapping[str, Any], files: Mapping[str, str]) -> Way:
    scripts = package.get("scripts")
    named = {name: text for name, text in scripts.items() if isinstance(text, str)} if isinstance(scripts, dict) else {}
    found = {
        check: [Candidate(_call(tool, name), "package.json") for name in names if _is_real(named.get(name, ""))]
        for check, names in _SCRIPTS.items()
    }
    tests = [path for path in files if is_node_test(path)]
    if tests and (not found["test"] or any(_RUNS_ITSELF.search(files[path]) for path in tests)):
        found["test"].append(Candidate("node --test", "the names of its test files"))
    members = _test_members(tool, files)
    if members and (_has_workspace(package, files) or not found["test"]):
        found["test"].append(Candidate(members, "package.json of its packages"))
    return Way(tool, Candidate(setup, source) if setup else None, make_checks(**found))


def _test_members(tool: str, files: Mapping[str, str]) -> str:
    """The tests of every package below the root, one after the other: what runs them all may be a tool of its own that
    tells nothing of single tests, or is not installed."""
    calls = []
    for path in sorted(files):
        folder, _, name = path.rpartition("/")
        if name != "package.json" or not folder or not LEFT_OUT.isdisjoint(folder.split("/")):
            continue
        scripts = (_package(files[path]) or {}).get("scripts")
        if isinstance(scripts, dict) and isinstance(scripts.get("test"), str) and _is_real(scripts["test"]):
            calls.append(f"(cd {shlex.quote(folder)} && {_call(tool, 'test')})")
    return " && ".join(calls) if len(calls) <= MOST else ""


def _has_workspace(package: Mapping[str, Any], files: Mapping[str, str]) -> bool:
    return bool(package.get("workspaces")) or "lerna.json" in files or "pnpm-workspace.yaml" in files


def _call(tool: str, script: str) -> str:
    return f"{tool} test" if script == "test" and tool != "bun" else f"{tool} run {script}"


def _is_real(script: str) -> bool:
    return bool(script.strip()) and "no test specified" not in script


def _package(text: str) -> dict[str, Any] | None:
    try:
        package = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return package if isinstance(package, dict) else None
