"""Expectations of Python tests that the product has a hand in: inside functions that it calls, and where the equality
of its own classes compares."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from autopilot.testtools.expectations.doubt import Doubt
from autopilot.testtools.expectations.python import Function, PythonReader, python_tests
from autopilot.testtools.expectations.python_literals import other_literal
from autopilot.testtools.expectations.site import Draw, Site
from autopilot.text.python_tree import python_tree

# Nothing can catch this, and no assertion is needed for it.
_ENDS = "__import__('os')._exit(97)"
# What calls these functions is no product, or says nothing of what they raise.
# fmt: off
_NOT_PRODUCT = frozenset({
    "Thread", "Timer", "Process", "submit", "raises", "assertRaises", "patch", "object", "setattr", "fixture", "signal",
    "register", "map", "filter", "sorted", "addCleanup", "Mock", "MagicMock", "start_soon", "create_task", "wraps",
})
# fmt: on
_CONTENT = "(lambda one, two: vars(one) == vars(two) if hasattr(one, '__dict__') else one == two)(%s, %s)"


def python_doubts(text: bytes, draw: Draw) -> Iterator[Doubt]:
    try:
        tree = python_tree(text.decode())
    except UnicodeDecodeError:
        return
    if tree is None:
        return
    reader = PythonReader(text, tree, draw)
    for title, function in python_tests(tree.body):
        outer = any(reader.edits_of(function))
        for inner in _called_back(function):
            yield from _inside(reader, title, inner, is_all=not outer)
        yield from _compared(reader, draw, title, function)


def _called_back(test: Function) -> Iterator[Function]:
    """Functions that are written in the test and handed to something: as an argument, or by a decorator."""
    handed = {
        argument.id
        for call in ast.walk(test)
        if isinstance(call, ast.Call) and _name(call.func) not in _NOT_PRODUCT
        for argument in (*call.args, *(keyword.value for keyword in call.keywords))
        if isinstance(argument, ast.Name)
    }
    for node in test.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            marked = any(_name(mark) not in _NOT_PRODUCT for mark in node.decorator_list)
            if node.name in handed or marked:
                yield node


def _name(node: ast.expr) -> str:
    match node:
        case ast.Call(func=inner):
            return _name(inner)
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
        case _:
            return ""


def _inside(reader: PythonReader, title: str, function: Function, *, is_all: bool) -> Iterator[Doubt]:
    for edit in reader.edits_of(function):
        holder = _holding(reader, function.body, edit[0])
        place = reader.offset(holder)
        spelled = f"{_ENDS}\n{' ' * holder.col_offset}".encode()
        yield Doubt(Site(title, *edit), ((place, place, spelled),), is_all=is_all)


def _holding(reader: PythonReader, body: Sequence[ast.stmt], place: int) -> ast.stmt:
    """The statement of this body in which the place is; the first where it is before all of them."""
    return next((node for node in body if reader.offset(node) <= place < reader.offset(node, end=True)), body[0])


def _compared(reader: PythonReader, draw: Draw, title: str, test: Function) -> Iterator[Doubt]:
    """`assert got == Money(400, "EUR")`: each literal of the expected object."""
    for node in test.body:
        whole: ast.expr
        match node:
            case ast.Assert(
                test=ast.Compare(left=got, ops=[ast.Eq()], comparators=[ast.Call() as wanted]) as condition
            ):
                whole, spelled = condition, _CONTENT
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr="assertEqual"), args=[got, ast.Call() as wanted])):
                whole, spelled = node.value, f"self.assertTrue({_CONTENT})"
            case _:
                continue
        if not _name(wanted.func)[:1].isupper() or _is_made(got):
            continue
        sources = tuple(reader.source(side).decode() for side in (got, wanted))
        settling = ((reader.offset(whole), reader.offset(whole, end=True), (spelled % sources).encode()),)
        for value in (*wanted.args, *(keyword.value for keyword in wanted.keywords)):
            if found := other_literal(value, draw):
                place = reader.offset(found[0]), reader.offset(found[0], end=True)
                yield Doubt(Site(title, *place, found[1].encode()), settling, is_equality=True)


def _is_made(node: ast.expr) -> bool:
    """Written out as the expected one is: such a test is about equality itself."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id[:1].isupper()
