"""Files that a package leaves out: those of the project whose manifest says that users do not get them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import PurePosixPath

from msgspec import Struct

from autopilot.inspection.packaging.npm import read_npm
from autopilot.inspection.packaging.setuptools import read_setuptools
from autopilot.text.file_kind import is_test

Read = Callable[[str], str | None]


class Package(Struct, frozen=True):
    """``holds`` answers None where the manifest does not say."""

    manifest: str
    holds: Callable[[str], bool | None]
    suffixes: tuple[str, ...]  # of its code


def read_packages(read: Read, paths: frozenset[str]) -> tuple[Package, ...]:
    """Of the folder of the project: what further folders publish is not looked at."""
    found: list[Package] = []
    if (text := read("package.json")) and (npm := read_npm(text)):
        found.append(Package("package.json", npm, (".js", ".mjs", ".cjs", ".ts")))
    if setuptools := read_setuptools(read, paths):
        found.append(Package("pyproject.toml" if "pyproject.toml" in paths else "setup.py", setuptools, (".py",)))
    return tuple(found)


def find_left_out(package: Package, needed: Iterable[str], code: Mapping[str, str]) -> dict[str, str]:
    """Of ``needed`` what the package leaves out, with the code in it that names it: by an import of a module, or by
    the name of a file of data in a text."""
    found: dict[str, str] = {}
    for path in sorted(needed):
        if is_test(path) or package.holds(path) is not False:
            continue
        pattern = _named(path, package)
        if by := next((other for other, text in code.items() if other != path and pattern.search(text)), ""):
            found[path] = by
    return found


def _named(path: str, package: Package) -> re.Pattern[str]:
    place = PurePosixPath(path)
    if not path.endswith(package.suffixes):
        return re.compile(rf"[\"'`/]{re.escape(place.name)}[\"'`]")
    if path.endswith(".py"):
        module = place.parent.name if place.stem == "__init__" else place.stem
        return re.compile(rf"^[ \t]{{0,40}}(?:from|import) [^\n]{{0,200}}?\b{re.escape(module)}\b", re.MULTILINE)
    start = r"\b(?:from|import|require) ?\(? ?[\"'`][^\"'`\n]{0,200}?/"
    return re.compile(rf"{start}{re.escape(place.stem)}(?:\.\w{{1,5}})?[\"'`]")
