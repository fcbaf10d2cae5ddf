"""Python without what means nothing to a test: comments, spelling, docstrings, ``pass``; and code without an effect."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from autopilot.text.python_tree import python_tree

# Calls that make a value and do nothing else. Classes, by their capital letter, are taken to do the same.
_MAKERS = re.compile(
    r"param|bool|bytes|bytearray|chr|complex|date|datetime|dict|enumerate|float|frozenset|int|len|list|max|min|object|ord|"
    r"range|repr|reversed|round|set|slice|sorted|str|sum|timedelta|timezone|tuple|zip|compile|dedent|fromisoformat"
)
_RUNS = (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)


def plain_tree(text: str) -> ast.Module | None:
    tree = python_tree(text)
    for node in ast.walk(tree) if tree else ():
        _simplify(node)
    return tree


def without_annotations(tree: ast.Module) -> None:
    """Types of parameters, results and variables. Those of a class stay: they may be its fields."""
    fields = {id(inner) for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for inner in node.body}
    for node in ast.walk(tree):
        match node:
            case ast.arg():
                node.annotation = None
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                node.returns = None
        for name in ("body", "orelse", "finalbody"):
            inner = getattr(node, name, None)
            if isinstance(inner, list):
                setattr(node, name, [_untyped(part) if id(part) not in fields else part for part in inner])


def _untyped(node: ast.AST) -> ast.AST:
    match node:
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            return ast.Assign([target], value)
        case _:
            return node


def dump(node: ast.AST | Sequence[ast.AST] | None) -> str:
    if node is None:
        return ""
    if isinstance(node, ast.AST):
        return ast.dump(node)
    return "\n".join(ast.dump(part) for part in node)


def is_plain(value: ast.expr | None) -> bool:
    """Whether nothing happens when this is evaluated, but for the value it makes."""
    return value is None or all(_is_harmless(node) for node in _evaluated(value))


def dotted(node: ast.expr) -> str:
    """``a.b.c`` as text, "" for everything that is no such name."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (left := dotted(node.value)):
        return f"{left}.{node.attr}"
    return ""


def _evaluated(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    if not isinstance(node, ast.Lambda):
        for child in ast.iter_child_nodes(node):
            yield from _evaluated(child)


def _is_harmless(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Constant() | ast.JoinedStr())):
            return True  # "-".join(…)
        case ast.Call(func=function):
            name = dotted(function)
            last = name.rpartition(".")[2]
            return name.startswith("pytest.mark.") or _MAKERS.fullmatch(last) is not None or last[:1].isupper()
        case _:
            return not isinstance(node, _RUNS)


def _simplify(node: ast.AST) -> None:
    match node:
        case ast.Constant():
            node.kind = None  # u"text"
        case ast.Module() | ast.ClassDef():
            node.body = _without_comment(node.body)
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            node.body = _without_comment(node.body)
            if isinstance(node.returns, ast.Constant) and node.returns.value is None:
                node.returns = None


def _without_comment(body: list[ast.stmt]) -> list[ast.stmt]:
    """A docstring with examples stays: they may be run."""
    match body[:1]:
        case [ast.Expr(value=ast.Constant(value=str(text)))] if ">>>" not in text:
            body = body[1:]
    return [statement for statement in body if not isinstance(statement, ast.Pass)]
