"""The pieces of a Python module that can be mutated: functions outside of functions, lambdas and values with a name."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec import Struct

from autopilot.testtools.mutants.python_values import other_value
from autopilot.text.python_tree import is_main_guard, without_docstring

_NOT_CALLED = frozenset(
    {"overload", "abstractmethod", "abstractproperty", "abstractclassmethod", "abstractstaticmethod"}
)
_LOADING = frozenset({"__all__", "__slots__", "__match_args__", "__path__"})  # another value there breaks the import

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Node = ast.stmt | ast.expr


class Piece(Struct, frozen=True):
    """The span from the start of ``first`` to the end of ``last``, and what may stand there instead."""

    first: _Node
    last: _Node
    nothing: str
    true: str
    meaning: str  # the same for pieces that do the same, whatever their comments and line breaks
    is_function: bool = True
    decorated: bool = False  # ``first`` is a decorator
    is_empty: bool = False  # a function without work of its own: worth a constant only where there is no other
    function: _Function | None = None  # None for a lambda, and for a value


def pieces(tree: ast.Module) -> Iterator[tuple[str, Piece]]:
    """With their names, by the classes around them: ``Cart.total``. Nested functions go with their outer one."""
    waiting: list[tuple[str, ast.AST]] = [("", statement) for statement in reversed(tree.body)]
    while waiting:
        around, node = waiting.pop()
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                if piece := _body(node):
                    yield around + node.name, piece
                continue
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                if piece := _value(name, value):
                    yield around + name, piece
                continue
            case ast.ClassDef():
                around += f"{node.name}."
        if is_main_guard(node):
            continue
        inner = [
            child
            for child in ast.iter_child_nodes(node)
            if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case)
        ]
        waiting += [(around, child) for child in reversed(inner)]


def _body(function: _Function) -> Piece | None:
    body = without_docstring(function.body)
    uncalled = any(_is_never_called(decorator) for decorator in function.decorator_list)
    if uncalled or all(_is_promise(statement) for statement in body):
        return None
    unwritten = all(_is_promise(statement) or _is_unwritten(statement) for statement in body)
    first: _Node = body[0]
    decorated = False
    if isinstance(first, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and first.decorator_list:
        first, decorated = first.decorator_list[0], True
    nothing, true = _constants(function)
    empty = unwritten or all(_does_nothing(statement) for statement in body)
    # What is around it (a decorator, a default, a hint) does its work whatever the body says.
    meaning = "; ".join(ast.dump(statement) for statement in body)
    return Piece(first, body[-1], nothing, true, meaning, decorated=decorated, is_empty=empty, function=function)


def _constants(function: _Function) -> tuple[str, str]:
    if function.name == "__init__":  # may return nothing but None
        return "pass", "pass"
    if _yields(function):
        # Without a yield it would be no generator any more; an async one may not return a value.
        empty = "return; yield" if isinstance(function, ast.AsyncFunctionDef) else "return None; yield"
        return empty, "yield True"
    return "return None", "return True"


def _value(name: str, value: ast.expr) -> Piece | None:
    if isinstance(value, ast.Lambda):
        return Piece(value.body, value.body, "None", "True", ast.dump(value))
    other = None if name in _LOADING else other_value(value)
    return None if other is None else Piece(value, value, other, other, ast.dump(value), is_function=False)


def _does_nothing(statement: ast.stmt) -> bool:
    match statement:
        case ast.Pass() | ast.Return(value=None) | ast.Return(value=ast.Constant(value=None)):
            return True
        case _:
            return False


def _is_promise(statement: ast.stmt) -> bool:
    """A placeholder for work that is done elsewhere: no test can notice a constant there."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _is_unwritten(statement: ast.stmt) -> bool:
    """Where this is all that was built, tests that pass ask something else than the product."""
    match statement:
        case ast.Raise(exc=ast.Name(id=name)) | ast.Raise(exc=ast.Call(func=ast.Name(id=name))):
            return name == "NotImplementedError"
        case _:
            return False


def _is_never_called(decorator: ast.expr) -> bool:
    match decorator:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in _NOT_CALLED
        case _:
            return False


def returns_value(function: _Function) -> bool:
    """Whether something comes back: by a return with a value, or item by item."""
    return _yields(function) or any(isinstance(node, ast.Return) and node.value for node in own_nodes(function))


def _yields(function: _Function) -> bool:
    return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in own_nodes(function))


def own_nodes(function: _Function) -> Iterator[ast.AST]:
    """Of its body, but not of what is defined inside."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            waiting += ast.iter_child_nodes(node)
