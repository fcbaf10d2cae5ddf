"""What the standard parser says of a Python text: definitions, classes and imports, to compare the map with.

Last lines are not compared: comments after the last statement are part of a block to the grammar, and not to ``ast``.
"""

from __future__ import annotations

import ast
import warnings

from autopilot.model.repomap.facts import FileFacts

Rows = dict[str, list[tuple[object, ...]]]


def rows_by_ast(text: bytes) -> Rows | None:
    """None when it is no Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    rows: Rows = {"functions": [], "classes": [], "imports": []}
    _collect(tree, "", False, rows)
    return {kind: sorted(found) for kind, found in rows.items()}


def rows_of_map(facts: FileFacts) -> Rows:
    functions = [(item.line, item.owner, item.name, item.is_method) for item in facts.functions]
    classes = [(item.line, item.owner, item.name, len(item.extends)) for item in facts.classes]
    imports = [(item.line, item.source, pair) for item in facts.imports for pair in _pairs(item.names, item.bound)]
    return {"functions": sorted(functions), "classes": sorted(classes), "imports": sorted(imports)}


def _pairs(names: tuple[str, ...], bound: tuple[str, ...]) -> list[tuple[str, str]]:
    return list(zip(names, bound or ("",), strict=True))


def _collect(node: ast.AST, owner: str, in_class: bool, rows: Rows) -> None:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            is_class = isinstance(child, ast.ClassDef)
            if isinstance(child, ast.ClassDef):
                rows["classes"].append((child.lineno, owner, child.name, len(child.bases)))
            else:
                rows["functions"].append((child.lineno, owner, child.name, in_class))
            _collect(child, f"{owner}.{child.name}".lstrip("."), is_class, rows)
            continue
        if isinstance(child, ast.Import):
            rows["imports"] += ((child.lineno, a.name, ("*", a.asname or a.name)) for a in child.names)
        elif isinstance(child, ast.ImportFrom):
            source = "." * child.level + (child.module or "")
            rows["imports"] += (
                (child.lineno, source, (a.name, "" if a.name == "*" else a.asname or a.name)) for a in child.names
            )
        _collect(child, owner, in_class, rows)
