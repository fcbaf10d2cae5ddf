"""Where Python tests say what they expect: `assert`, the methods of `unittest`, `raises`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence

from autopilot.testtools.expectations.python_literals import other_literal
from autopilot.testtools.expectations.site import Draw, Site
from autopilot.text.python_tree import python_tree

_LINE_END = re.compile(rb"\r\n|\r|\n")
_OPPOSITES = {
    "assertEqual": "assertNotEqual",
    "assertTrue": "assertFalse",
    "assertIs": "assertIsNot",
    "assertIsNone": "assertIsNotNone",
    "assertIn": "assertNotIn",
    "assertIsInstance": "assertNotIsInstance",
    "assertAlmostEqual": "assertNotAlmostEqual",
    "assertRegex": "assertNotRegex",
    "assertGreater": "assertLessEqual",
    "assertLess": "assertGreaterEqual",
}
_OPPOSITES |= {after: before for before, after in _OPPOSITES.items()}
_EQUALITIES = re.compile(r"assert(?:Equals?|AlmostEqual|(?:List|Dict|Tuple|Set|MultiLine|Sequence|Count)Equal|Is)")
# Raised by nobody who is asked for another error.
_OTHER_ERROR = b"UnicodeTranslateError"
_Edit = tuple[int, int, bytes, bool]
Function = ast.FunctionDef | ast.AsyncFunctionDef


def python_sites(text: bytes, draw: Draw) -> Iterator[Site]:
    try:
        decoded = text.decode()
    except UnicodeDecodeError:
        return
    tree = python_tree(decoded)
    if tree is not None:
        yield from PythonReader(text, tree, draw).sites()


class PythonReader:
    def __init__(self, text: bytes, tree: ast.Module, draw: Draw) -> None:
        self._text, self._tree, self._draw = text, tree, draw
        self._starts = [0, *(end.end() for end in _LINE_END.finditer(text))]
        self._lists = _non_empty(tree.body)
        self._function: Function

    def sites(self) -> Iterator[Site]:
        for name, function in python_tests(self._tree.body):
            yield from (Site(name, *edit) for edit in self.edits_of(function))

    def edits_of(self, function: Function) -> Iterator[_Edit]:
        self._function = function
        yield from self._edits(function.body, {**self._lists, **_non_empty(function.body)})

    def _edits(self, body: Sequence[ast.stmt], lists: Mapping[str, bool]) -> Iterator[_Edit]:
        """Only of what every run of the test comes by: what stands in a branch may never be reached."""
        for statement in body:
            match statement:
                case ast.Assert(test=test):
                    yield self._condition(test)
                case ast.Expr(value=ast.Call() as call):
                    yield from self._call(call)
                case ast.With(items=items, body=inner) | ast.AsyncWith(items=items, body=inner):
                    raised = [edit for item in items for edit in self._raises(item.context_expr)]
                    yield from raised or self._edits(inner, lists)
                    if raised and _leaves(inner):
                        return
                case ast.For(iter=over, body=inner) if _is_non_empty(over, lists) and not _leaves(inner):
                    yield from self._edits(inner, lists)
                case _ if _leaves([statement]):
                    return
                case _:
                    pass

    def _condition(self, test: ast.expr) -> _Edit:
        match test:
            case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
                literal = self._other(right) or self._other(left) or self._given(right) or self._given(left)
            case ast.Compare(left=ast.Constant(value=str()) as left, ops=[ast.In()]):
                literal = self._other(left)
            case ast.Compare(left=left, ops=[ast.Lt() | ast.Gt()], comparators=[right]):
                return self._swapped(test, left, right)
            case ast.Compare(left=ast.Name() as left, ops=[ast.NotEq()], comparators=[right]):
                literal = self._replaced(right, self.source(left))
            case ast.Call(func=ast.Name(id="isinstance"), args=[_, kind]):
                literal = self._replaced(kind, _OTHER_ERROR)
            case _:
                literal = None
        return literal or self._replaced(test, b"not (%s)" % self.source(test), is_value=False)

    def _swapped(self, test: ast.expr, left: ast.expr, right: ast.expr) -> _Edit:
        """What is less is not greater: an order that always says yes says it both ways."""
        between = self._text[self.offset(left, end=True) : self.offset(right)]
        return self._replaced(test, b"(%s)%s(%s)" % (self.source(right), between.strip(b"() "), self.source(left)))

    def _call(self, call: ast.Call) -> Iterator[_Edit]:
        match call.func:
            case ast.Attribute(attr=name) if name.startswith("assert"):
                if _EQUALITIES.fullmatch(name) and len(call.args) >= 2:
                    first, second = call.args[:2]
                    literal = self._other(second) or self._other(first) or self._given(second) or self._given(first)
                    if literal:
                        yield literal
                        return
                if name in ("assertTrue", "assertFalse") and isinstance(call.args[0], ast.Compare):
                    yield self._condition(call.args[0])
                elif name in ("assertLess", "assertGreater") and len(call.args) >= 2:
                    first, second = call.args[:2]
                    start, end = self.offset(first), self.offset(second, end=True)
                    yield start, end, b"%s, %s" % (self.source(second), self.source(first)), True
                elif name in _OPPOSITES:
                    end = self.offset(call.func, end=True)
                    yield end - len(name.encode()), end, _OPPOSITES[name].encode(), False
                elif len(call.args) > 1:  # `assertRaises(Error, call)`
                    yield from self._raises(call)
            case _:
                pass

    def _raises(self, context: ast.expr) -> Iterator[_Edit]:
        match context:
            case ast.Call(func=ast.Attribute(attr="raises" | "assertRaises"), args=[ast.Name() as error, *_]):
                yield self._replaced(error, _OTHER_ERROR)
            case ast.Call(func=ast.Name(id="raises"), args=[ast.Name() as error, *_]):
                yield self._replaced(error, _OTHER_ERROR)

    def _other(self, node: ast.expr) -> _Edit | None:
        found = other_literal(node, self._draw)
        return self._replaced(found[0], found[1].encode()) if found else None

    def _given(self, node: ast.expr) -> _Edit | None:
        """What a row of a table, or a fixture, gives to the test: something else from its first line on."""
        arguments = self._function.args
        names = {argument.arg for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
        if not isinstance(node, ast.Name) or node.id not in names:
            return None
        first = self._function.body[0]
        start = self._starts[first.lineno - 1] + first.col_offset
        spelled = f"{node.id} = [{node.id}, {self._draw.number()}]\n{' ' * first.col_offset}"
        return start, start, spelled.encode(), True

    def _replaced(self, node: ast.expr, instead: bytes, *, is_value: bool = True) -> _Edit:
        return self.offset(node), self.offset(node, end=True), instead, is_value

    def source(self, node: ast.expr) -> bytes:
        return self._text[self.offset(node) : self.offset(node, end=True)]

    def offset(self, node: ast.expr | ast.stmt, *, end: bool = False) -> int:
        line, column = (node.end_lineno, node.end_col_offset) if end else (node.lineno, node.col_offset)
        assert line is not None
        assert column is not None
        return self._starts[line - 1] + column


def python_tests(body: Sequence[ast.stmt], around: str = "") -> Iterator[tuple[str, Function]]:
    """Of two under one name Python keeps the last: the first is never run."""
    last = {node.name: node for node in body if isinstance(node, ast.ClassDef | Function)}
    for node in last.values():
        if isinstance(node, ast.ClassDef):
            yield from python_tests(node.body, f"{around}{node.name}.")
        elif node.name.startswith("test"):
            yield f"{around}{node.name}", node


def _leaves(body: Sequence[ast.stmt]) -> bool:
    """Whether it may end the test, or leave it to chance how far the test comes."""
    leaving = (ast.Return, ast.Raise, ast.Break, ast.Continue, ast.Yield)
    calls = ("skip", "skipTest", "exit", "fail", "xfail")
    return any(
        isinstance(node, leaving) or (isinstance(node, ast.Attribute) and node.attr in calls)
        for statement in body
        for node in ast.walk(statement)
    )


def _non_empty(body: Sequence[ast.stmt]) -> dict[str, bool]:
    """Names that are given a list with something in it, and nothing else."""
    found: dict[str, bool] = {}
    for node in body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                if isinstance(target, ast.Name):
                    found[target.id] = target.id not in found and _is_non_empty(node.value, {})
    return found


def _is_non_empty(node: ast.expr, lists: Mapping[str, bool]) -> bool:
    match node:
        case ast.List(elts=[_, *_]) | ast.Tuple(elts=[_, *_]) | ast.Set(elts=[_, *_]) | ast.Dict(values=[_, *_]):
            return True
        case ast.Name(id=name):
            return lists.get(name, False)
        case ast.Call(func=ast.Attribute(value=inner, attr="items" | "keys" | "values")):
            return _is_non_empty(inner, lists)
        case ast.Call(func=ast.Name(id="enumerate" | "sorted" | "list" | "reversed"), args=[inner, *_]):
            return _is_non_empty(inner, lists)
        case _:
            return False
