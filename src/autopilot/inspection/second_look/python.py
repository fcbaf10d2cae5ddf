"""Sights in Python code, found in its syntax tree."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from autopilot.inspection.second_look import sight
from autopilot.inspection.second_look.python_calls import SHARED, STEERING, Found, see_call
from autopilot.inspection.second_look.python_names import Aliases, Place, aliases, dotted, places
from autopilot.inspection.second_look.python_shapes import see_agreement, see_swallowing
from autopilot.inspection.second_look.sight import Sight
from autopilot.inspection.second_look.words import see_words

_TOOLS = re.compile(r"(?:_?pytest|nose2?|unittest|mock)(?:\..*)?")
_TEST_WORD = re.compile(r"(?:py)?tests?\b|nose")
_USES = ast.Call | ast.Assign | ast.Compare | ast.Subscript | ast.keyword | ast.BinOp


def see_python(tree: ast.Module) -> Iterator[Sight]:
    known = aliases(tree)
    for node, place in places(tree):
        if isinstance(node, ast.stmt | ast.expr):
            for found in _see(node, place, known):
                # Of a function that has a suspicious shape, its first line is as good as its last.
                yield Sight(node.lineno, node.end_lineno or node.lineno, *found)
        if isinstance(node, _USES):
            yield from _see_strings(node)


def _see(node: ast.AST, place: Place, known: Aliases) -> Iterator[Found]:
    match node:
        case ast.Call():
            yield from see_call(node, place, known)
        case ast.Raise(exc=ast.Name(id="SystemExit") as raised):
            yield from see_call(ast.Call(raised, [], []), place, known)
        case ast.Import() | ast.ImportFrom() if not place.guarded:
            yield from _see_tool(node)
        case ast.Compare():
            yield from _see_detection(node, known)
        case ast.Assign(targets=targets):
            yield from see_agreement(node)
            patched = [name for target in targets if (name := _patched(target, known))]
            yield from [(f"puts something else in the place of `{name}`", sight.PATCHES) for name in patched[:1]]
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            yield from see_agreement(node)
            yield from see_swallowing(node)


def _see_tool(node: ast.Import | ast.ImportFrom) -> Iterator[Found]:
    if isinstance(node, ast.Import):
        names = [one.name for one in node.names]
    else:
        names = [node.module or ""] if node.level == 0 else []
    for name in names:
        if _TOOLS.fullmatch(name):
            yield f"product code imports `{name}`", sight.TOOL


def _see_detection(node: ast.Compare, known: Aliases) -> Iterator[Found]:
    """``"pytest" in sys.modules``, ``"pytest" in sys.argv[0]``"""
    parts = [part for side in (node.left, *node.comparators) for part in ast.walk(side)]
    if {"sys.modules", "sys.argv"}.isdisjoint(dotted(part, known) for part in parts):
        return
    for part in parts:
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and _TEST_WORD.search(part.value):
            yield f"asks whether it is being tested (`{part.value[:40]}`)", sight.TESTS
            return


def _patched(target: ast.expr, known: Aliases) -> str:
    match target:
        case ast.Subscript(value=value) if (name := dotted(value, known)) in {"sys.modules", "__builtins__"}:
            return name
        case ast.Attribute() if (name := dotted(target, known)) and (SHARED.fullmatch(name) or name in STEERING):
            return name
        case _:
            return ""


def _see_strings(node: ast.AST) -> Iterator[Sight]:
    """Words with a meaning, where code does something with them: not in a docstring."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Constant) and isinstance(child.value, str) and (found := see_words(child.value)):
            yield Sight(child.lineno, child.end_lineno or child.lineno, *found)
