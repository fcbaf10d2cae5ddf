"""Names in Python code by what they were imported as: ``from os import _exit as bye`` makes ``bye`` ``os._exit``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec import Struct

from autopilot.text.python_tree import is_main_guard

Aliases = dict[str, str]


class Place(Struct, frozen=True):
    function: str = ""  # the innermost function around, "" at import
    guarded: bool = False  # below `if __name__ == "__main__"` or `if TYPE_CHECKING`


def places(tree: ast.Module) -> Iterator[tuple[ast.AST, Place]]:
    waiting: list[tuple[ast.AST, Place]] = [(tree, Place())]
    while waiting:
        node, place = waiting.pop()
        yield node, place
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            place = Place(node.name, place.guarded)
        elif isinstance(node, ast.Lambda):
            place = Place("lambda", place.guarded)
        elif is_main_guard(node) or _is_type_guard(node):
            place = Place(place.function, True)
        waiting += [(child, place) for child in reversed(list(ast.iter_child_nodes(node)))]


def aliases(tree: ast.Module) -> Aliases:
    known: Aliases = {}
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                known |= {alias.asname: alias.name for alias in names if alias.asname}
            case ast.ImportFrom(module=str() as module, level=0, names=names):
                known |= {alias.asname or alias.name: f"{module}.{alias.name}" for alias in names}
    return known


def dotted(node: ast.AST, known: Aliases) -> str:
    """``os.path.join``; "" for what is no plain name."""
    attributes: list[str] = []
    while isinstance(node, ast.Attribute):
        attributes.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join([known.get(node.id, node.id), *reversed(attributes)])


def _is_type_guard(node: ast.AST) -> bool:
    match node:
        case ast.If(test=ast.Name(id="TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING")):
            return True
        case _:
            return False
