"""Python functions of a suspicious shape: they always return the same answer, or swallow every exception."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autopilot.inspection.second_look import finding
from autopilot.text.python_tree import without_docstring

_AGREEING = {"__eq__": True, "__ne__": False, "__contains__": True}
_EVERYTHING = frozenset({"Exception", "BaseException"})


def find_agreement(node: ast.stmt) -> Iterator[tuple[str, str]]:
    match node:
        case ast.FunctionDef(name=name, body=body) if name in _AGREEING:
            answers = [part.value for part in ast.walk(ast.Module(body, [])) if isinstance(part, ast.Return)]
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda(body=answer)) if name in _AGREEING:
            answers = [answer]
        case _:
            return
    always = _AGREEING[name]
    if answers and all(isinstance(answer, ast.Constant) and answer.value is always for answer in answers):
        yield f"`{name}` always returns {always}", finding.AGREES


def find_swallowing(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[tuple[str, str]]:
    """Only where it is around the whole of a function: a small `try` in its midst may know what it does."""
    match without_docstring(node.body):
        case [ast.Try(body=body, handlers=[handler])] if len(body) > 1 and _swallows(handler):
            yield f"`{node.name}` swallows every exception inside it", finding.SWALLOWS


def _swallows(handler: ast.ExceptHandler) -> bool:
    match handler.type:
        case None:
            pass
        case ast.Name(id=name) if name in _EVERYTHING:
            pass
        case _:
            return False
    match handler.body:
        case [ast.Pass()] | [ast.Expr(value=ast.Constant())] | [ast.Return(value=None | ast.Constant())]:
            return True
        case _:
            return False
