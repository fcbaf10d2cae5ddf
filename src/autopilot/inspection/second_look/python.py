"""Findings in Python code, by its syntax tree."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from autopilot.inspection.second_look import finding
from autopilot.inspection.second_look.finding import Finding
from autopilot.inspection.second_look.python_calls import SHARED, STEERING, Found, find_in_call
from autopilot.inspection.second_look.python_names import Aliases, Place, aliases, dotted, places
from autopilot.inspection.second_look.python_shapes import find_agreement, find_swallowing
from autopilot.inspection.second_look.strings import find_in_string

_TOOLS = re.compile(r"(?:_?pytest|nose2?|unittest|mock)(?:\..*)?")
_TEST_WORD = re.compile(r"(?:py)?tests?\b|nose")
_USES = ast.Call | ast.Assign | ast.Compare | ast.Subscript | ast.keyword | ast.BinOp


def find_in_python(tree: ast.Module) -> Iterator[Finding]:
    known = aliases(tree)
    for node, place in places(tree):
        if isinstance(node, ast.stmt | ast.expr):
            for found in _find(node, place, known):
                # Of a function that has a suspicious shape, its first line is as good as its last.
                yield Finding(node.lineno, node.end_lineno or node.lineno, *found)
        if isinstance(node, _USES):
            yield from _find_strings(node)


def _find(node: ast.AST, place: Place, known: Aliases) -> Iterator[Found]:
    match node:
        case ast.Call():
            yield from find_in_call(node, place, known)
        case ast.Raise(exc=ast.Name(id="SystemExit") as raised):
            yield from find_in_call(ast.Call(raised, [], []), place, known)
        case ast.Import() | ast.ImportFrom() if not place.guarded:
            yield from _find_tool(node)
        case ast.Compare():
            yield from _find_detection(node, known)
        case ast.Assign(targets=targets):
            yield from find_agreement(node)
            patched = [name for target in targets if (name := _patched(target, known))]
            yield from [(f"replaces `{name}`", finding.PATCHES) for name in patched[:1]]
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            yield from find_agreement(node)
            yield from find_swallowing(node)


def _find_tool(node: ast.Import | ast.ImportFrom) -> Iterator[Found]:
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    else:
        names = [node.module or ""] if node.level == 0 else []
    for name in names:
        if _TOOLS.fullmatch(name):
            yield f"product code imports `{name}`", finding.TOOL
        elif re.fullmatch(r"(?:tests|conftest|test_\w+)(?:\..*)?", name):
            yield f"product code imports `{name}` of the tests", finding.READS


def _find_detection(node: ast.Compare, known: Aliases) -> Iterator[Found]:
    """``"pytest" in sys.modules``, ``"pytest" in sys.argv[0]``"""
    parts = [part for side in (node.left, *node.comparators) for part in ast.walk(side)]
    if {"sys.modules", "sys.argv"}.isdisjoint(dotted(part, known) for part in parts):
        return
    for part in parts:
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and _TEST_WORD.search(part.value):
            yield f"checks whether it is being tested (`{part.value[:40]}`)", finding.TESTS
            return


def _patched(target: ast.expr, known: Aliases) -> str:
    match target:
        case ast.Subscript(value=value) if (name := dotted(value, known)) in {"sys.modules", "__builtins__"}:
            return name
        case ast.Attribute() if (name := dotted(target, known)) and (SHARED.fullmatch(name) or name in STEERING):
            return name
        case _:
            return ""


def _find_strings(node: ast.AST) -> Iterator[Finding]:
    """Suspicious strings that code uses: not those in a docstring."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Constant) and isinstance(child.value, str) and (found := find_in_string(child.value)):
            yield Finding(child.lineno, child.end_lineno or child.lineno, *found)
