"""Setup of the packages below the root of a repository: those that the root's own install does not reach.

Node only. A package is one where it stands up to two folders deep, has dependencies, and is no member of a workspace:
it has a lockfile of its own, or the root declares no workspace. Examples, benchmarks, documents and fixtures are left
out.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping

MOST = 8
LOCKS = {
    "pnpm-lock.yaml": "pnpm install --frozen-lockfile",
    "yarn.lock": "yarn install --frozen-lockfile",
    "bun.lock": "bun install --frozen-lockfile",
    "bun.lockb": "bun install --frozen-lockfile",
    "package-lock.json": "npm ci",
    "npm-shrinkwrap.json": "npm ci",
}
LEFT_OUT = frozenset(
    [
        "example",
        "examples",
        "bench",
        "benchmark",
        "benchmarks",
        "demo",
        "demos",
        "doc",
        "docs",
        "website",
        "fixture",
        "fixtures",
        "test",
        "tests",
        "__tests__",
        "template",
        "templates",
        "node_modules",
        "vendor",
    ]
)


def list_installs(files: Mapping[str, str]) -> list[str]:
    """One command for each package. One that fails leaves the others: a check that needs it is then not run."""
    has_workspace = "pnpm-workspace.yaml" in files or bool(_read(files.get("package.json", "")).get("workspaces"))
    found = []
    for folder, install in _packages(files, has_workspace):
        place = shlex.quote(folder)
        found.append(f"(cd {place} && {install} || echo {place} could not be set up)")
    return found[:MOST]


def _packages(files: Mapping[str, str], has_workspace: bool) -> Iterator[tuple[str, str]]:
    for path in sorted(files):
        folder, _, name = path.rpartition("/")
        if name != "package.json" or not folder or not LEFT_OUT.isdisjoint(folder.split("/")):
            continue
        package = _read(files[path])
        install = next((command for lock, command in LOCKS.items() if f"{folder}/{lock}" in files), "")
        needs = package.get("dependencies") or package.get("devDependencies")
        if needs and (install or not has_workspace):
            yield folder, install or "npm install"


def _read(text: str) -> dict[str, object]:
    try:
        package = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return package if isinstance(package, dict) else {}
