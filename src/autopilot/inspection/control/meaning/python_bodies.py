"""A test that asks for more than it did: every statement it had, in their order, and others between them."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from autopilot.inspection.control.meaning.python_plain import dotted, dump, is_plain

Function = ast.FunctionDef | ast.AsyncFunctionDef
_LEAVES: tuple[type[ast.AST], ...] = (ast.Return, ast.Raise, ast.Yield, ast.YieldFrom, ast.Break, ast.Continue)
_LEAVES += (ast.Global, ast.Nonlocal, ast.Delete)
_ENDS = frozenset({"skip", "skipTest", "xfail", "exit", "fail", "importorskip", "_exit", "abort", "kill"})
# They change what an old statement would find, or run a text as code.
_CHANGES = frozenset({"setattr", "delattr", "setitem", "delitem", "patch", "object", "start", "enter_context"})
_CHANGES |= {"exec", "eval"}
_BLOCKS = (ast.With, ast.AsyncWith, ast.For, ast.AsyncFor)


def is_extended(old: Function, new: Function) -> bool:
    """Nothing that came may end the test, or give another value to a name that an old statement reads."""
    if type(old) is not type(new) or dump([old.args, *old.decorator_list]) != dump([new.args, *new.decorator_list]):
        return False
    return old.name == new.name and old.name.startswith("test") and _extends(old.body, new.body, set(), _rows(old))


def _extends(old: Sequence[ast.stmt], new: Sequence[ast.stmt], given: set[str], rows: frozenset[str]) -> bool:
    """``given``: names with a value that the old statements did not give them."""
    met = 0
    for statement in new:
        if met < len(old) and _is_met(old[met], statement, given, rows):
            if _loaded(old[met]) & given:
                return False
            given -= _stored(old[met])
            met += 1
        elif _only_asks(statement):
            given |= _stored(statement)
        else:
            return False
    return met == len(old)


def _is_met(old: ast.stmt, new: ast.stmt, given: set[str], rows: frozenset[str]) -> bool:
    if dump(old) == dump(new):
        return True
    match old, new:
        case ast.Assign(targets=[ast.Name(id=name)]), ast.Assign(targets=[ast.Name(id=same)]) if name == same:
            return name in rows and _has_more(old.value, new.value)
        case _ if isinstance(old, _BLOCKS) and type(old) is type(new) and isinstance(new, _BLOCKS):
            return _head(old) == _head(new) and _extends(old.body, new.body, set(given), rows)
        case _:
            return False


def _head(node: ast.With | ast.AsyncWith | ast.For | ast.AsyncFor) -> str:
    if isinstance(node, ast.With | ast.AsyncWith):
        return dump(node.items)
    return dump([node.target, node.iter, *node.orelse])


def _only_asks(statement: ast.stmt) -> bool:
    nodes = list(ast.walk(statement))
    asks = isinstance(statement, ast.Assert | ast.Expr | ast.Assign | ast.With)
    if not asks or any(isinstance(node, _LEAVES) for node in nodes):
        return False
    stores = [n for n in nodes if isinstance(n, ast.Attribute | ast.Subscript) and not isinstance(n.ctx, ast.Load)]
    called = {dotted(n.func).rpartition(".")[2] for n in nodes if isinstance(n, ast.Call)}
    return not stores and called.isdisjoint(_ENDS | _CHANGES)


def _rows(test: Function) -> frozenset[str]:
    """Names of lists that are used for nothing but to go through them."""
    loaded = [n.id for n in ast.walk(test) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]
    loops = [n.iter for n in ast.walk(test) if isinstance(n, ast.For | ast.AsyncFor)]
    walked = [name for loop in loops if (name := _walked(loop))]
    return frozenset(name for name in walked if loaded.count(name) == walked.count(name))


def _walked(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="items"), args=[]):
            return name
        case _:
            return ""


def _has_more(old: ast.expr, new: ast.expr) -> bool:
    left, right = _elements(old), _elements(new)
    if not left or type(old) is not type(new):
        return False
    met = 0
    for element in right:
        if met < len(left) and element == left[met]:
            met += 1
    return met == len(left) and is_plain(new)


def _elements(node: ast.expr) -> list[str]:
    match node:
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
            return [dump(part) for part in parts]
        case ast.Dict(keys=keys, values=values):
            return [f"{dump(key)}: {dump(value)}" for key, value in zip(keys, values, strict=True)]
        case _:
            return []


def _loaded(statement: ast.stmt) -> set[str]:
    return {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


def _stored(statement: ast.stmt) -> set[str]:
    return {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
