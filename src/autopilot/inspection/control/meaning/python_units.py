"""The tests of a Python file, each with all that its file gives to it: by that they are known again in other files.

Two tests mean the same when their bodies do, and every name in them stands for the same import or the same definition.
A test under ``parametrize`` is as many tests as it has rows, each with its values written out.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from autopilot.inspection.control.meaning.python_effects import bound_by, has_effect, is_for_types
from autopilot.inspection.control.meaning.python_plain import dump, plain_tree, without_annotations
from autopilot.inspection.control.meaning.python_rows import as_rows
from autopilot.text.python_tree import is_main_guard

Function = ast.FunctionDef | ast.AsyncFunctionDef
_LARGEST = 400  # statements that one test may reach in its file; what reaches more is compared as a whole file only


class Unit(Struct, frozen=True):
    path: str
    name: str  # ``TestShop::test_total``, as test ids have it
    meaning: str


class TestFile(Struct, frozen=True):
    path: str
    units: tuple[Unit, ...]
    effects: frozenset[str]  # what happens when the file is loaded, or applies to its tests by itself


def read_tests(text: str, path: str, renamed: Mapping[str, str] | None = None) -> TestFile | None:
    """``renamed``: names of the product that have another name now."""
    tree = plain_tree(text)
    if tree is None:
        return None
    for node in ast.walk(tree):
        _rename(node, renamed or {})
    without_annotations(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef):
            node.body = _that_stay(node.body)
    skipped = [s for s in tree.body if not is_main_guard(s) and not is_for_types(s)]
    reader = _Reader(path, _bindings(skipped, path.split("/")))
    effects = frozenset(reader.closed(statement) for statement in skipped if has_effect(statement))
    return TestFile(path, tuple(reader.units(skipped)), effects)


def _that_stay(body: list[ast.stmt]) -> list[ast.stmt]:
    """Of two definitions under one name Python keeps the last: a test that stands before it is never run."""
    last = {statement.name: statement for statement in body if isinstance(statement, Function | ast.ClassDef)}
    return [s for s in body if not isinstance(s, Function | ast.ClassDef) or last[s.name] is s]


class _Reader(Struct, frozen=True):
    path: str
    bindings: Mapping[str, Sequence[str | ast.stmt]]

    def units(self, body: Sequence[ast.stmt]) -> Iterator[Unit]:
        for statement in body:
            if isinstance(statement, Function) and statement.name.startswith("test"):
                yield from self._tests(statement, statement.name, "")
            elif isinstance(statement, ast.ClassDef):
                yield from self._of_class(statement, statement.name, "")

    def _of_class(self, node: ast.ClassDef, name: str, around: str) -> Iterator[Unit]:
        """What a class gives to its tests belongs to each of them; a class without any may inherit some."""
        tests = [s for s in node.body if isinstance(s, Function) and s.name.startswith("test")]
        inner = [s for s in node.body if isinstance(s, ast.ClassDef)]
        given = [s for s in node.body if s not in tests and s not in inner]
        head = ast.ClassDef("_", node.bases, node.keywords, sorted(given, key=ast.dump), node.decorator_list)
        whole = f"{around} {self.closed(head)}"
        if node.bases:
            yield Unit(self.path, name, whole)
        for test in tests:
            yield from self._tests(test, f"{name}::{test.name}", whole)
        for group in inner:
            yield from self._of_class(group, f"{name}::{group.name}", whole)

    def _tests(self, test: Function, name: str, around: str) -> Iterator[Unit]:
        for row in as_rows(test, self._table):
            row.name = "_"
            yield Unit(self.path, name, f"{around} {self.closed(row)}")

    def _table(self, name: str) -> ast.expr | None:
        match self.bindings.get(name):
            case [ast.Assign(value=value)]:
                return value
            case _:
                return None

    def closed(self, node: ast.AST) -> str:
        """The statement, and every one of its file that it reaches by a name."""
        reached: dict[str, str] = {}
        todo: list[ast.AST] = [node]
        while todo and len(reached) < _LARGEST:
            for name in sorted(set(_names(todo.pop())) - reached.keys()):
                bound = self.bindings.get(name, ())
                reached[name] = " ".join(b if isinstance(b, str) else dump(b) for b in bound)
                todo += [b for b in bound if not isinstance(b, str)]
        given = "; ".join(f"{name}={text}" for name, text in sorted(reached.items()) if text)
        return f"{dump(node)} where {given}"


def _bindings(body: Sequence[ast.stmt], place: Sequence[str]) -> dict[str, list[str | ast.stmt]]:
    found: dict[str, list[str | ast.stmt]] = {}
    for statement in body:
        for name, bound in bound_by(statement, place):
            found.setdefault(name, []).append(bound)
    return found


def _names(node: ast.AST) -> Iterator[str]:
    for part in ast.walk(node):
        match part:
            case ast.Name(id=name) | ast.arg(arg=name):
                yield name
            case ast.Constant(value=str(text)) if text.isidentifier():
                yield text  # of usefixtures("shop")


def _rename(node: ast.AST, renamed: Mapping[str, str]) -> None:
    """Everywhere a name of the product can stand; names of tests are not compared."""
    match node:
        case ast.Name(id=name):
            node.id = renamed.get(name, name)
        case ast.Attribute(attr=name):
            node.attr = renamed.get(name, name)
        case ast.alias(name=name):
            node.name = ".".join(renamed.get(part, part) for part in name.split("."))
        case ast.ImportFrom(module=str(name)):
            node.module = ".".join(renamed.get(part, part) for part in name.split("."))
        case ast.Constant(value=str(text)) if all(part.isidentifier() for part in text.split(".")):
            node.value = ".".join(renamed.get(part, part) for part in text.split("."))


def renamed_definitions(old: Mapping[str, str], new: Mapping[str, str]) -> dict[str, str]:
    """Functions and classes of the product that stand under another name now, and are the same otherwise."""
    had, has = _definitions(old), _definitions(new)
    gone, came = had.keys() - has.keys(), has.keys() - had.keys()
    pairs = {}
    for name in sorted(gone):
        twins = [other for other in sorted(came) if _under(had[name], name, other) == dump(has[other])]
        if len(twins) == 1:
            pairs[name] = twins[0]
    return pairs if len(set(pairs.values())) == len(pairs) else {}


def removed_definitions(old: Mapping[str, str], new: Mapping[str, str]) -> frozenset[str]:
    """Functions, methods and classes of the product that are nowhere any more."""
    return frozenset(_definitions(old).keys() - _definitions(new).keys())


def find_tests_that_use(text: str, names: frozenset[str]) -> frozenset[str]:
    """The tests of a file that call, ask for or quote one of these."""
    tree = plain_tree(text)
    using = [node for node in (tree.body if tree else ()) if names & set(_mentioned(node))]
    inner = [
        (node, s) for node in using if isinstance(node, ast.ClassDef) for s in node.body if isinstance(s, Function)
    ]
    methods = {f"{node.name}::{s.name}" for node, s in inner if names & set(_mentioned(s))}
    functions = {node.name for node in using if isinstance(node, Function)}
    return frozenset(name for name in methods | functions if name.rpartition("::")[2].startswith("test"))


def _mentioned(node: ast.AST) -> Iterator[str]:
    yield from _names(node)
    yield from (part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute))


def _definitions(texts: Mapping[str, str]) -> dict[str, Function | ast.ClassDef]:
    trees = [tree for text in texts.values() if (tree := plain_tree(text)) is not None]
    nodes = (node for tree in trees for node in ast.walk(tree))
    return {node.name: node for node in nodes if isinstance(node, Function | ast.ClassDef)}


def _under(node: Function | ast.ClassDef, name: str, other: str) -> str:
    renamed = copy.deepcopy(node)
    for part in ast.walk(renamed):
        _rename(part, {name: other})
    renamed.name = other
    return dump(renamed)
