"""Files of a project that judge it without standing among its tests: what tests import to compare with.

Neither their names nor their folders tell them from the product. What does: tests import them, the product does not,
and they do nothing but assert, or hold nothing but the values that assertions use.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from autopilot.inspection.control.behind import ReadText
from autopilot.inspection.control.judging_go import judging_go
from autopilot.inspection.control.resting import data_of_tests, modules_of_tests
from autopilot.text.file_kind import is_test
from autopilot.text.python_imports import imported
from autopilot.text.python_tree import python_tree, without_docstring

_TOOLS = re.compile(r"\bAssertionError\b|^[ \t]*(?:import|from)[ \t]+(?:unittest|pytest)\b", re.MULTILINE)
_SCRIPT_ASSERTS = re.compile(r"\bassert(?:\.\w+)?\(|\bexpect\(|node:assert")
_SCRIPTS = (".js", ".mjs", ".cjs", ".ts", ".tsx", ".jsx", ".mts", ".cts")
_REQUIRED = re.compile(r"(?:from|import|require\()\s*['\"](\.{1,2}/[^'\"\n]{1,300})['\"]")
_PLUGIN = re.compile(r"-p[ =]?\s*([A-Za-z_][\w.]*)|pytest_plugins\s*=\s*[\[(]?([^\])\n]*)")
_PLUGIN_FILES = ("pytest.ini", ".pytest.ini", "tox.ini", "setup.cfg", "pyproject.toml", "conftest.py")


def helpers_of_tests(
    changed: Collection[str], paths: Collection[str], read: ReadText, opened: Collection[str] = ()
) -> tuple[str, ...]:
    """Of the changed files those that judge, as the pin has them. ``paths`` are all of the project, ``opened`` those
    that its tests opened."""
    of_go = judging_go(changed, paths, read)
    return (*of_go, *_modules(changed, paths, read), *data_of_tests(changed, paths, read, opened))


def modules_beside_tests(
    changed: Collection[str], paths: Collection[str], read: ReadText, opened: Collection[str]
) -> tuple[str, ...]:
    """Of the changed modules those that only tests load, and never by themselves: they may judge, or be the product."""
    likely = [path for path in changed if path in opened and path.endswith((".py", *_SCRIPTS))]
    if not likely:
        return ()
    code = [path for path in paths if path.endswith((".py", *_SCRIPTS))]
    by_name: dict[str, list[str]] = {}
    for path in code:
        for name in _names(path):
            by_name.setdefault(name, []).append(path)
    users = {path: [found for name in _imports(path, read) for found in by_name.get(name, ())] for path in code}
    return modules_of_tests(likely, users, read)


def _modules(changed: Collection[str], paths: Collection[str], read: ReadText) -> tuple[str, ...]:
    candidates = [path for path in changed if not is_test(path) and _may_judge(path, read(path) or "")]
    if not candidates:
        return ()
    plugins = _plugins(paths, read)
    users = {path: _imports(path, read) for path in paths if path.endswith((".py", *_SCRIPTS))}
    return tuple(path for path in candidates if path in plugins or _only_tests_use(path, users))


def _may_judge(path: str, text: str) -> bool:
    if path.endswith(".py"):
        return bool(_TOOLS.search(text)) or _only_asserts_or_holds_values(text)
    return path.endswith(_SCRIPTS) and bool(_SCRIPT_ASSERTS.search(text))


def becomes_product(path: str, old: str, new: str) -> bool:
    """A module that held nothing but values, and gets code of its own: what a task builds there is its work."""
    if not path.endswith(".py") or _functions(old):
        return False
    return any(not _only_asserts(function) for function in _functions(new))


def _functions(text: str) -> list[ast.FunctionDef]:
    tree = python_tree(text)
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)] if tree else []


def _only_asserts_or_holds_values(text: str) -> bool:
    tree = python_tree(text)
    body = without_docstring(tree.body) if tree else []
    values = (ast.Assign, ast.AnnAssign, ast.Import, ast.ImportFrom)
    # What only imports, as the front of a package does, holds nothing of its own.
    held = [node for node in body if isinstance(node, ast.Assign | ast.AnnAssign) and not _is_list_of_names(node)]
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)] if tree else []
    holds = (
        bool(held) and all(isinstance(node, values) for node in body) and all(_is_written_out(node) for node in held)
    )
    return holds or any(map(_only_asserts, functions))


def _is_written_out(node: ast.Assign | ast.AnnAssign) -> bool:
    """What is made by a call is built, as a named tuple is, and may be the product itself."""
    calls = (ast.Call, ast.Lambda, ast.ListComp, ast.DictComp, ast.SetComp, ast.GeneratorExp)
    return node.value is not None and not any(isinstance(part, calls) for part in ast.walk(node.value))


def _is_list_of_names(node: ast.Assign | ast.AnnAssign) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return any(isinstance(target, ast.Name) and target.id in ("__all__", "__version__") for target in targets)


def _only_asserts(function: ast.FunctionDef) -> bool:
    """Product code asserts too, on its way to a result or an effect."""
    nodes = [node for statement in function.body for node in ast.walk(statement)]
    effects = (ast.Yield, ast.YieldFrom, ast.AugAssign, ast.Delete)
    results = any(isinstance(node, ast.Return) and node.value is not None for node in nodes)
    stores = any(isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store) for node in nodes)
    calls = any(isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) for node in nodes)
    asserts = any(isinstance(node, ast.Assert) for node in nodes)
    return asserts and not (results or stores or calls or any(isinstance(node, effects) for node in nodes))


def _only_tests_use(path: str, users: Mapping[str, frozenset[str]]) -> bool:
    names = set(_names(path))
    using = [user for user, imports in users.items() if user != path and names & imports]
    return bool(using) and all(is_test(user) for user in using)


def _names(path: str) -> Iterator[str]:
    """Every name by which it may be imported: from any folder above it, or by its own path."""
    if not path.endswith(".py"):
        yield path
        return
    parts = path.removesuffix(".py").removesuffix("/__init__").split("/")
    yield from (".".join(parts[start:]) for start in range(len(parts)))


def _imports(path: str, read: ReadText) -> frozenset[str]:
    text = read(path) or ""
    folder = path.split("/")[:-1]
    if not path.endswith(".py"):
        return frozenset(spelled for found in _REQUIRED.findall(text) for spelled in _resolved(folder, found))
    return frozenset(
        ".".join((*(folder[: len(folder) - dots + 1] if dots else ()), *parts)) for dots, parts in imported(text)
    )


def _resolved(folder: Sequence[str], relative: str) -> Iterator[str]:
    place = list(folder)
    for part in relative.split("/"):
        if part == "..":
            place = place[:-1]
        elif part != ".":
            place.append(part)
    base = "/".join(place)
    yield base
    yield from (f"{base}{end}" for end in _SCRIPTS)
    yield from (f"{base}/index{end}" for end in _SCRIPTS)


def _plugins(paths: Collection[str], read: ReadText) -> frozenset[str]:
    """Modules that pytest's own settings name as plugins: they may change any result."""
    texts = [read(path) or "" for path in paths if path.rsplit("/", 1)[-1] in _PLUGIN_FILES]
    spelled = [word for text in texts for found in _PLUGIN.findall(text) for word in found]
    names = {name for text in spelled for name in re.findall(r"[A-Za-z_][\w.]*", text)}
    return frozenset(path for path in paths if path.endswith(".py") and names.intersection(_names(path)))
