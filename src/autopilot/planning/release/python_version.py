"""The version of a Python project where no TOML says it: in setup.py, in setup.cfg, as `__version__` of a module."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from autopilot.text.python_tree import python_tree

SETUP_PY, SETUP_CFG = "setup.py", "setup.cfg"
MANIFESTS = ("pyproject.toml", SETUP_PY, SETUP_CFG)
MOST_MODULES = 20
# The module of the root itself, and of a package right below the root or below `src`.
_MODULE = re.compile(r"(?:(?:src/)?[^/]+/(?:__init__|__about__|__version__|_version|version)|[^/]+)\.py")
_NOT_PRODUCT = re.compile(
    r"(?:tests?|docs?|examples?|vendor|third_party|scripts?|tools?)/|(?:setup|conftest|noxfile)\.py"
)
_CFG = re.compile(r"^\[metadata\][^\[]*?^version[ \t]*=[ \t]*(?P<version>\d\S*)[ \t]*$", re.MULTILINE)

Place = tuple[str, int, int]  # the version, and where it starts and ends


def version_modules(paths: Iterable[str]) -> list[str]:
    """Python files that may say the version of the product."""
    found = [path for path in paths if _MODULE.fullmatch(path) and not _NOT_PRODUCT.match(path)]
    return sorted(found, key=lambda path: (path.count("/"), path))[:MOST_MODULES]


def in_setup_cfg(text: str) -> list[Place]:
    found = _CFG.search(text)
    return [(found["version"], *found.span("version"))] if found else []


def in_setup_py(text: str) -> list[Place]:
    """Written into the call, or into a name of the same file that the call uses."""
    tree = python_tree(text)
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)) if tree else ():
        if _called(call) != "setup":
            continue
        for word in (word for word in call.keywords if word.arg == "version"):
            value = word.value
            if isinstance(value, ast.Name) and tree:
                value = next(iter(_assigned(tree, value.id)), value)
            return list(_place(text, value))
    return []


def in_module(text: str) -> list[Place]:
    """``__version__ = "1.2.3"`` at the top of a module, where it is said once."""
    if "__version__" not in text:
        return []
    tree = python_tree(text)
    found = [place for value in _assigned(tree, "__version__") for place in _place(text, value)] if tree else []
    return found if len(found) == 1 else []


def _called(call: ast.Call) -> str:
    return getattr(call.func, "id", "") or getattr(call.func, "attr", "")


def _assigned(tree: ast.Module, name: str) -> Iterator[ast.expr]:
    for node in tree.body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            yield from (node.value for target in targets if isinstance(target, ast.Name) and target.id == name)


def _place(text: str, value: ast.expr) -> Iterator[Place]:
    """A string that stands there as it reads: a prefix, an escape or a join could not be changed in place."""
    if not isinstance(value, ast.Constant) or not isinstance(value.value, str) or value.lineno != value.end_lineno:
        return
    lines = text.splitlines(keepends=True)
    line = lines[value.lineno - 1] if value.lineno <= len(lines) else ""
    before = sum(map(len, lines[: value.lineno - 1])) + len(line.encode()[: value.col_offset].decode())
    for quote in ("'", '"'):
        if text.startswith(f"{quote}{value.value}{quote}", before):
            yield value.value, before + 1, before + 1 + len(value.value)
            return
