"""Go packages that judge without being tests: only tests import them, and they are given tests, or compare.

In a folder ``vendor`` it is enough that only tests reach a package: what was vendored is not edited in passing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from autopilot.inspection.control.behind import ReadText
from autopilot.text.file_kind import is_test

_IMPORT = re.compile(r'^import\s{1,9}(?:[\w.]{1,60}\s{1,9})?"([^"\n]{1,300})"', re.MULTILINE)
_IMPORTS = re.compile(r"^import\s{0,9}\(", re.MULTILINE)
_QUOTED = re.compile(r'"([^"\n]{1,300})"')
_MODULE = re.compile(r'^module[ \t]{1,9}"?([^\s"]{1,300})', re.MULTILINE)
_FUNCTION = re.compile(r"^func \w{1,80}(?:\[[^\]\n]{0,200}\])?\(([^)\n]{0,400})\)([^{\n]{0,200})", re.MULTILINE)
_A_TEST = re.compile(r"\btesting\.TB?\b|\bTestingT\b")
_COMPARED = re.compile(r"\b(?:got|want|wanted|expected|actual)\b")
MOST_STEPS = 20
_ANSWERS = re.compile(r"\b(?:bool|error|string)\b")


def judging_go(changed: Collection[str], paths: Collection[str], read: ReadText) -> tuple[str, ...]:
    """Of the changed files those of such packages, as the pin has them. ``paths`` are all of the project."""
    sources = [path for path in changed if path.endswith(".go") and not is_test(path)]
    folders = {_folder(path) for path in sources}
    inside = {folder: [path for path in paths if _is_code(path) and _folder(path) == folder] for folder in folders}
    candidates = {
        folder
        for folder, files in inside.items()
        if _is_vendored(folder) or any(_judges(read(path) or "") for path in files)
    }
    project = _Project(paths, read) if candidates else None
    judging = {folder for folder in candidates if project and project.is_only_for_tests(folder)}
    return tuple(path for path in sources if _folder(path) in judging or _is_all_for_tests(read(path) or ""))


def _judges(text: str) -> bool:
    for parameters, results in _FUNCTION.findall(text):
        if _A_TEST.search(parameters) or (len(set(_COMPARED.findall(parameters))) > 1 and _ANSWERS.search(results)):
            return True
    return False


def _is_all_for_tests(text: str) -> bool:
    """A file of the product whose functions can only be called by tests."""
    given = [parameters for parameters, _ in _FUNCTION.findall(text)]
    return bool(given) and all(map(_A_TEST.search, given)) and "\nfunc (" not in text


class _Project:
    """Who imports which package."""

    def __init__(self, paths: Collection[str], read: ReadText) -> None:
        manifests = [path for path in paths if path.rsplit("/", 1)[-1] == "go.mod"]
        named = ((path, _MODULE.search(read(path) or "")) for path in manifests)
        self._modules = {_folder(path): found[1] for path, found in named if found}
        self._users: dict[str, list[str]] = {}
        for path in paths:
            for name in _imported(read(path) or "") if path.endswith(".go") else ():
                self._users.setdefault(name, []).append(path)

    def is_only_for_tests(self, folder: str, above: frozenset[str] = frozenset()) -> bool:
        """Directly, or through others that are. Its own tests do not count: those use every package."""
        users = [path for path in self._users.get(self._name(folder), ()) if _folder(path) != folder]
        around = {_folder(path) for path in users if not is_test(path)}
        if not users or len(above) > MOST_STEPS or around & above:  # a text may have circles, Go has none
            return False
        return all(self.is_only_for_tests(user, above | {folder}) for user in around)

    def _name(self, folder: str) -> str:
        """By which it is imported."""
        if _is_vendored(folder):
            return f"/{folder}".rpartition("/vendor/")[2]
        parts = folder.split("/") if folder else []
        for count in range(len(parts), -1, -1):
            module = self._modules.get("/".join(parts[:count]))
            if module:
                return "/".join([module, *parts[count:]])
        return folder


def _imported(text: str) -> Iterator[str]:
    yield from _IMPORT.findall(text)
    blocks = [rest.partition("\n)")[0] for rest in _IMPORTS.split(text)[1:]]
    yield from (name for block in blocks for name in _QUOTED.findall(block))


def _is_code(path: str) -> bool:
    return path.endswith(".go") and not path.endswith("_test.go")


def _is_vendored(folder: str) -> bool:
    return "/vendor/" in f"/{folder}/"


def _folder(path: str) -> str:
    return path.rpartition("/")[0]
