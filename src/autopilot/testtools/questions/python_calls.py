"""What a Python program on a command line hands to the product: arguments of calls, not the separators around them."""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterator, Mapping

from autopilot.testtools.questions.value import Found
from autopilot.text.python_tree import python_tree

_OF_RESULTS = frozenset(name for kind in (str, bytes, list, dict, set, tuple, int, float) for name in dir(kind))
_LOADS = ("__import__", "import_module")

Around = Mapping[ast.AST, ast.AST]


def python_values(program: str) -> tuple[Found, ...]:
    tree = python_tree(program)
    if tree is None:
        return ()
    around = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    known = _names(tree)
    modules = frozenset(name for name, is_product in known.items() if is_product) | frozenset(_instances(tree))
    places = _line_starts(program)
    found: dict[int, Found] = {}
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        if not _asks_product(call, known, modules):
            continue
        is_direct = _is_direct(call, around, tree)
        for constant in _constants(call):
            value = _found(constant, program, places, is_direct=is_direct, call=call.col_offset)
            if value and (is_direct or value.start not in found):
                found[value.start] = value
    return tuple(found[start] for start in sorted(found))


def print_asserted(program: str) -> str | None:
    """The program with each assertion printing what it compares; None where it asserts nothing."""
    tree = python_tree(program)
    asserts = [node for node in tree.body if isinstance(node, ast.Assert)] if tree else []
    if tree is None or not asserts:
        return None
    tree.body = [_printing(node) if isinstance(node, ast.Assert) else node for node in tree.body]
    return ast.unparse(ast.fix_missing_locations(tree))


def _printing(node: ast.Assert) -> ast.stmt:
    shown = ast.Call(ast.Name("repr", ast.Load()), [_compared(node.test)], [])
    return ast.Expr(ast.Call(ast.Name("print", ast.Load()), [shown], []))


def _compared(test: ast.expr) -> ast.expr:
    """The product's side of a comparison, of several all: whether they hold is False for whatever else is asked."""
    if isinstance(test, ast.BoolOp) and all(isinstance(part, ast.Compare) for part in test.values):
        return ast.Tuple([_compared(part) for part in test.values], ast.Load())
    if isinstance(test, ast.Compare):
        return test.comparators[0] if isinstance(test.left, ast.Constant) else test.left
    return test


def _names(tree: ast.Module) -> dict[str, bool]:
    """Names that the program brings in, and whether they may be the product's: all that is not of the library."""
    known: dict[str, bool] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            known |= {(a.asname or a.name).partition(".")[0]: _is_foreign(a.name) for a in node.names}
        elif isinstance(node, ast.ImportFrom):
            known |= {a.asname or a.name: bool(node.level) or _is_foreign(node.module or "") for a in node.names}
    return known


def _instances(tree: ast.Module) -> Iterator[str]:
    """Names of what a class made: its methods are the product's, whatever they are called."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            yield from (target.id for target in node.targets if _makes(node.value) and isinstance(target, ast.Name))


def _makes(node: ast.AST) -> bool:
    """Whether it is a call of what is spelled as classes are."""
    return isinstance(node, ast.Call) and _last_name(node.func)[:1].isupper()


def _is_foreign(module: str) -> bool:
    return module.partition(".")[0] not in sys.stdlib_module_names


def _asks_product(call: ast.Call, known: Mapping[str, bool], modules: frozenset[str]) -> bool:
    function = call.func
    if isinstance(function, ast.Attribute) and function.attr in _OF_RESULTS:
        # `words.split("a b")` is the product's; `split("a b").count(" ")` asks what came back.
        return isinstance(function.value, ast.Name) and function.value.id in modules
    root: ast.expr = function
    while isinstance(root, ast.Attribute | ast.Subscript | ast.Call):
        if isinstance(root, ast.Call) and _last_name(root.func) in _LOADS:
            return True
        root = root.func if isinstance(root, ast.Call) else root.value
    if not isinstance(root, ast.Name) or root.id in _LOADS:
        return False
    return known.get(root.id, not hasattr(builtins, root.id))


def _last_name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _is_direct(call: ast.Call, around: Around, tree: ast.Module) -> bool:
    """Whether its result is looked at, and not a part or a method of it: `Client("host").timeout` asks of a client."""
    node: ast.AST = call
    while (outer := around.get(node)) is not None and not isinstance(outer, ast.stmt):
        if isinstance(outer, ast.Attribute) and (outer.attr not in _OF_RESULTS or _makes(node)):
            return False
        node = outer
    if not isinstance(outer, ast.Assign) or len(outer.targets) != 1 or not isinstance(outer.targets[0], ast.Name):
        return True
    name = outer.targets[0].id
    parts = [n for n in ast.walk(tree) if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name)]
    return not any(n.value.id == name and n.attr not in _OF_RESULTS for n in parts if isinstance(n.value, ast.Name))


def _constants(call: ast.Call) -> Iterator[ast.Constant]:
    waiting: list[ast.AST] = [*call.args, *(keyword.value for keyword in call.keywords)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Constant):
            yield node
        elif not isinstance(node, ast.Lambda | ast.JoinedStr | ast.Call):  # an inner call is looked at by itself
            waiting += ast.iter_child_nodes(node)


def _found(constant: ast.Constant, program: str, places: list[int], *, is_direct: bool, call: int) -> Found | None:
    value = constant.value
    if isinstance(value, bool) or not isinstance(value, str | int | float) or value == "":
        return None
    line = program[places[constant.lineno - 1] :]
    start = places[constant.lineno - 1] + len(line.encode()[: constant.col_offset].decode())
    written = ast.get_source_segment(program, constant) or ""
    if not isinstance(value, str):
        return Found(written, start, start + len(written), is_quoted=False, is_direct=is_direct, call=call)
    if written[1:-1] != value:  # a prefix, an escape, or three quotation marks
        return None
    return Found(value, start + 1, start + 1 + len(value), is_direct=is_direct, call=call)


def _line_starts(text: str) -> list[int]:
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts
