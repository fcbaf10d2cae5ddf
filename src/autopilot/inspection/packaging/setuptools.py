"""What a build by setuptools installs: the packages and modules that are listed, and the data that goes with them."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct

from autopilot.text.python_tree import python_tree

Read = Callable[[str], str | None]


class Listed(Struct, frozen=True):
    """``packages`` and ``modules`` are None where setuptools looks for them by itself."""

    packages: tuple[str, ...] | None = None
    modules: tuple[str, ...] | None = None
    data: Mapping[str, Sequence[str]] = {}
    root: str = ""  # the folder of the packages
    manifest: tuple[str, ...] = ()  # patterns of MANIFEST.in


def read_setuptools(read: Read, paths: frozenset[str]) -> Callable[[str], bool | None] | None:
    """None where another tool builds it, where it is no package, or where git says what is packed."""
    text = read("pyproject.toml") or ""
    try:
        settings = tomllib.loads(text)
    except (ValueError, RecursionError):
        return None
    backend = _table(settings.get("build-system")).get("build-backend", "setuptools")
    setup = read("setup.py") or ""
    known = "project" in settings or "setup(" in setup
    if not known or not str(backend).startswith("setuptools") or read("setup.cfg") or "scm" in text + setup:
        return None
    listed = _of_setup(setup) if "setup(" in setup else _of_settings(settings)
    if listed is None:
        return None
    if not listed.root and any(path.startswith("src/") and path.endswith(".py") for path in paths):
        listed = Listed(listed.packages, listed.modules, listed.data, "src")
    return _holds(Listed(listed.packages, listed.modules, listed.data, listed.root, _patterns(read)), paths)


def _of_settings(settings: Mapping[str, Any]) -> Listed | None:
    table = _table(_table(settings.get("tool")).get("setuptools"))
    folders = _table(table.get("package-dir"))
    if set(folders) - {""}:
        return None
    packages, modules = _names(table.get("packages")), _names(table.get("py-modules"))
    return Listed(packages, modules, _data(table.get("package-data")), str(folders.get("", "")))


def _table(value: Any) -> dict[str, Any]:
    """What is no table, where a manifest should have one, says nothing."""
    return value if isinstance(value, dict) else {}


def _names(value: Any) -> tuple[str, ...] | None:
    return tuple(name for name in value if isinstance(name, str)) if isinstance(value, list) else None


def _data(value: Any) -> dict[str, tuple[str, ...]]:
    return {str(name): _names(patterns) or () for name, patterns in _table(value).items()}


def _of_setup(text: str) -> Listed | None:
    """Of a call whose arguments are written out; one that computes its packages is asked nothing."""
    tree = python_tree(text)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)] if tree else []
    setup = next((call for call in calls if ast.unparse(call.func).endswith("setup")), None)
    given = {word.arg: word.value for word in setup.keywords if word.arg} if setup else {}
    if not given or "package_dir" in given or "cmdclass" in given or "data_files" in given:
        return None
    packages, modules, data = (_literal(given.get(name)) for name in ("packages", "py_modules", "package_data"))
    if ("package_data" in given and data is None) or ("py_modules" in given and modules is None):
        return None
    return Listed(_names(packages), _names(modules), _data(data))


def _literal(node: ast.expr | None) -> Any:
    try:
        return ast.literal_eval(node) if node is not None else None
    except (ValueError, TypeError, SyntaxError, RecursionError):
        return None


def _patterns(read: Read) -> tuple[str, ...]:
    """Of MANIFEST.in what it takes in: `include a/b.txt`, `recursive-include a *.txt`, `graft a`."""
    found: list[str] = []
    for line in (read("MANIFEST.in") or "").splitlines():
        match line.split():
            case ["include" | "global-include", *names]:
                found += [name if "/" in name or line.startswith("include") else f"*{name}" for name in names]
            case ["recursive-include", folder, *names]:
                found += [f"{folder}/*{name.lstrip('*')}" for name in names]
            case ["graft", folder]:
                found.append(f"{folder.rstrip('/')}/*")
    return tuple(found)


def _holds(listed: Listed, paths: frozenset[str]) -> Callable[[str], bool | None]:
    def holds(path: str) -> bool | None:
        inside = path.removeprefix(f"{listed.root}/") if listed.root else path
        if listed.root and inside == path:
            return None  # beside the packages: a script, a setting
        folder = PurePosixPath(inside).parent
        package = ".".join(folder.parts)
        if path.endswith(".py"):
            return _holds_module(listed, package, PurePosixPath(inside).stem)
        return _holds_data(listed, path, PurePosixPath(inside), paths)

    return holds


def _holds_module(listed: Listed, package: str, stem: str) -> bool | None:
    if package:
        return None if listed.packages is None else package in listed.packages
    return None if listed.modules is None else stem in listed.modules


def _holds_data(listed: Listed, path: str, inside: PurePosixPath, paths: frozenset[str]) -> bool | None:
    """Beside the code of a package: what lies elsewhere may be no part of the product."""
    prefix = f"{listed.root}/" if listed.root else ""
    owner = next((f for f in inside.parents if f.parts and f"{prefix}{f}/__init__.py" in paths), None)
    if owner is None:
        return None
    local, name = str(inside.relative_to(owner)), ".".join(owner.parts)
    patterns = [*listed.data.get(name, ()), *listed.data.get("*", ()), *listed.data.get("", ())]
    return any(fnmatchcase(local, p) for p in patterns) or any(fnmatchcase(path, p) for p in listed.manifest)
