"""Calls that Python tests write out with their results, so that they can be asked outside of any test.

Only of tests that are nothing but such calls: no fixture, nothing set up before, nothing patched. What they ask is then
the same wherever it is asked.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from autopilot.model.evidence.example import Example
from autopilot.text.python_tree import python_tree, without_docstring

_EQUALITIES = (
    "assertEqual",
    "assertListEqual",
    "assertDictEqual",
    "assertTupleEqual",
    "assertMultiLineEqual",
    "assertIs",
)
_SET_UP = (
    "setUp",
    "setUpClass",
    "setup_method",
    "setup_class",
    "setup_function",
    "setup_module",
    "asyncSetUp",
    "setup",
)
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_NOT_WRITTEN_OUT = (ValueError, TypeError, KeyError, SyntaxError, RecursionError, MemoryError)

Values = Mapping[str, Any]


class _Called(Struct, frozen=True):
    """What a name of the test file calls: a function, and the module it was taken from."""

    function: str
    module: str


def find_in_python_tests(text: str) -> Iterator[Example]:
    tree = python_tree(text)
    if tree is None or not _is_plain(tree):
        return
    known = dict(_imported(tree))
    constants = _constants(tree.body)
    for function in _tests(tree.body):
        for values in _rows(function, constants):
            yield from _examples(function, values, known)


def imported_in_python(text: str) -> dict[str, tuple[str, str]]:
    """By a name of the file: the name it has in its module ("" for a module), and the module."""
    tree = python_tree(text)
    return {name: (called.function, called.module) for name, called in _imported(tree)} if tree else {}


def _is_plain(tree: ast.Module) -> bool:
    """Whether loading the file sets nothing up that a test could rest on."""
    plain = (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    statements = without_docstring(tree.body)
    names = {node.name for node in ast.walk(tree) if isinstance(node, _Function)}
    fixtures = any(isinstance(node, ast.keyword) and node.arg == "autouse" for node in ast.walk(tree))
    guard = [node for node in statements if not isinstance(node, plain)]
    return not fixtures and names.isdisjoint(_SET_UP) and all(isinstance(node, ast.If) for node in guard)


def _imported(tree: ast.Module) -> Iterator[tuple[str, _Called]]:
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for name in node.names:
                yield name.asname or name.name, _Called(name.name, node.module)
        elif isinstance(node, ast.Import):
            for name in node.names:
                yield name.asname or name.name, _Called("", name.name)


def _tests(body: Sequence[ast.stmt]) -> Iterator[_Function]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _tests(node.body)
        elif isinstance(node, _Function) and node.name.startswith("test"):
            yield node


def _rows(function: _Function, constants: Values) -> Iterator[Values]:
    """The values of its parameters, row by row; none where a fixture is among them."""
    wanted = [argument.arg for argument in function.args.args if argument.arg not in ("self", "cls")]
    if not function.decorator_list:
        if not wanted:
            yield constants
        return
    if len(function.decorator_list) > 1:
        return
    for row in _parametrized(function.decorator_list[0]):
        if set(wanted) <= row.keys():
            yield {**constants, **row}


def _parametrized(decorator: ast.expr) -> Iterator[Values]:
    match decorator:
        case ast.Call(func=ast.Attribute(attr="parametrize"), args=[names, ast.List(elts=rows) | ast.Tuple(elts=rows)]):
            spelled = _value(names, {})
            listed = [name.strip() for name in spelled.split(",")] if isinstance(spelled, str) else list(spelled or ())
            for row in rows:
                try:
                    value = _value(row, {})
                except _NOT_WRITTEN_OUT:
                    continue
                values = [value] if len(listed) == 1 else value
                if isinstance(values, list | tuple) and len(values) == len(listed):
                    yield dict(zip(listed, values, strict=True))


def _constants(body: Sequence[ast.stmt]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for node in body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                try:
                    found[name] = _value(value, found)
                except _NOT_WRITTEN_OUT:
                    found.pop(name, None)
    return found


def _examples(function: _Function, values: Values, known: Mapping[str, _Called]) -> Iterator[Example]:
    """Everything it asks, or nothing: what stands beside the calls may be what they rest on."""
    here, results = dict(values), dict[str, ast.Call]()
    found: list[Example] = []
    for statement in without_docstring(function.body):
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call) if _called(call, known):
                results[name] = call
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                try:
                    here[name] = _value(value, here)
                except _NOT_WRITTEN_OUT:
                    return
            case _ if pair := _compared(statement):
                example = _example(pair, here, results, known)
                found += [example] if example else []
            case ast.Assert() | ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="self")))) | ast.Pass():
                pass
            case _:
                return
    yield from found


def _compared(statement: ast.stmt) -> tuple[ast.expr, ast.expr] | None:
    match statement:
        case ast.Assert(test=ast.Compare(left=left, ops=[ast.Eq() | ast.Is()], comparators=[right])):
            return left, right
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name), args=[left, right, *_])) if name in _EQUALITIES:
            return left, right
        case _:
            return None


def _example(
    pair: tuple[ast.expr, ast.expr], here: Values, results: Mapping[str, ast.Call], known: Mapping[str, _Called]
) -> Example | None:
    for asked, expected in (pair, pair[::-1]):
        call = results.get(asked.id) if isinstance(asked, ast.Name) else asked
        called = _called(call, known) if isinstance(call, ast.Call) else None
        if called is None or not isinstance(call, ast.Call):
            continue
        try:
            arguments = tuple(_json(_value(argument, here)) for argument in call.args)
            keywords = {keyword.arg or "": _json(_value(keyword.value, here)) for keyword in call.keywords}
            result = _json(_value(expected, here), tuples=True)
        except _NOT_WRITTEN_OUT:
            continue
        if "" in keywords:
            continue
        text = f"{_spelled(called.function, arguments, keywords)} == {result!r}"
        return Example(called.function, arguments, keywords, result, call.lineno, text, called.module)
    return None


def _called(call: ast.Call, known: Mapping[str, _Called]) -> _Called | None:
    match call.func:
        case ast.Name(id=name) if name in known and known[name].function:
            return known[name]
        case ast.Attribute(value=ast.Name(id=name), attr=function) if name in known and not known[name].function:
            return _Called(function, known[name].module)
        case ast.Attribute(value=ast.Name(id=name), attr=function) if name in known:
            # `from package import module`
            return _Called(function, f"{known[name].module}.{known[name].function}")
        case _:
            return None


def _value(node: ast.expr, here: Values) -> Any:
    if isinstance(node, ast.Name):
        return here[node.id]
    return ast.literal_eval(node)


def _json(value: Any, *, tuples: bool = False) -> Any:
    """As it arrives on the other side. A tuple would arrive as a list: in a result that makes no difference."""
    match value:
        case None | bool() | str() | int():
            return value
        case float() if value == value and abs(value) != float("inf"):
            return value
        case list():
            return [_json(item, tuples=tuples) for item in value]
        case tuple() if tuples:
            return [_json(item, tuples=tuples) for item in value]
        case dict() if all(isinstance(key, str) for key in value):
            return {key: _json(item, tuples=tuples) for key, item in value.items()}
        case _:
            raise TypeError("JSON has no such value")


def _spelled(function: str, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> str:
    given = [repr(value) for value in arguments] + [f"{name}={value!r}" for name, value in keywords.items()]
    return f"{function}({', '.join(given)})"
