"""What may be added to a Python test file without a word: new tests, and what only they use."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable, Iterator

from msgspec import Struct

from autopilot.inspection.control.meaning.python_plain import dotted, is_plain

Function = ast.FunctionDef | ast.AsyncFunctionDef
# Names that pytest and unittest look for by themselves, in a module or in a class.
STEERING = re.compile(
    r"__\w+__|pytestmark|pytest_(?!asyncio$|mock$)\w+|(?:async)?_?(?:set_?up|tear_?down)\w*|load_tests|collect_\w*",
    re.IGNORECASE,
)
_OF_TEST_CASE = re.compile(
    r"_\w*|(?:assert|fail|add|count|default|do|enter|setUp|tearDown|short|async)\w*|debug|id|run|skipTest|subTest|maxDiff|"
    r"longMessage"
)
_BUILTIN = frozenset(dir(builtins))
_TEST_CASES = frozenset({"TestCase", "IsolatedAsyncioTestCase", "object"})
_DECORATORS = re.compile(
    r"(?:pytest|pytest_asyncio|unittest|mock|hypothesis|contextlib|functools)\..+|patch(?:\..+)?|fixture|parametrize|"
    r"staticmethod|classmethod|property|contextmanager|asynccontextmanager|given|settings|example|skip\w*|expectedFailure|"
    r"(?:dataclasses\.)?dataclass|freeze_time|(?:freezegun|time_machine|responses)\.\w+"
)


class Names(Struct, frozen=True):
    """The names of the old text: what is added must not come in their place."""

    used: frozenset[str]  # as variables, parameters, definitions, imports or whole strings
    attributes: frozenset[str]
    defined: frozenset[str]  # at the top of the module, by a definition or an assignment
    methods: frozenset[str]
    decorators: frozenset[str]
    tables: frozenset[str]  # used for nothing but the rows of a ``parametrize``

    @classmethod
    def of(cls, tree: ast.Module, taken: frozenset[str] = frozenset()) -> Names:
        """``taken``: names that other files use, and that what this file adds would reach."""
        nodes = list(ast.walk(tree))
        functions = [node for node in nodes if isinstance(node, Function)]
        classes = [node for node in nodes if isinstance(node, ast.ClassDef)]
        return cls(
            taken | {name for node in nodes for name in _names(node)},
            frozenset(node.attr for node in nodes if isinstance(node, ast.Attribute)),
            frozenset(name for node in tree.body for name in _defined(node)),
            frozenset(node.name for kind in classes for node in kind.body if isinstance(node, Function)),
            frozenset(decorator_name(d) for node in (*functions, *classes) for d in node.decorator_list),
            _tables(nodes),
        )

    def is_free(self, name: str) -> bool:
        return name not in self.used and name not in _BUILTIN and not STEERING.fullmatch(name)

    def may_add_to_module(self, statement: ast.stmt) -> bool:
        return self._may_add(statement, self.is_free)

    def may_add_to_class(self, around: ast.ClassDef) -> Callable[[ast.stmt], bool]:
        """A method must not take the place of another, of this class or of one that it is derived from."""
        taken = {name for statement in around.body for name in _defined(statement)} | self.attributes
        if any(dotted(base).rpartition(".")[2] not in _TEST_CASES for base in around.bases):
            taken |= self.methods

        def is_free(name: str) -> bool:
            inherited = _OF_TEST_CASE.fullmatch(name) or STEERING.fullmatch(name)
            return name not in taken and not inherited

        def may_add(statement: ast.stmt) -> bool:
            is_test = isinstance(statement, Function) and statement.name.startswith("test") and not _fixtures(statement)
            return self._may_add(statement, is_free) and (is_test or self.may_add_to_module(statement))

        return may_add

    def _may_add(self, statement: ast.stmt, is_free: Callable[[str], bool]) -> bool:
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                return is_free(statement.name) and self._is_asked_for(statement)
            case ast.ClassDef():
                return is_free(statement.name) and self._stands_alone(statement)
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                return is_free(name) and is_plain(value)
            case ast.AnnAssign(target=ast.Name(id=name), value=value):
                return is_free(name) and is_plain(value)
            case _:
                return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)

    def _is_asked_for(self, function: Function) -> bool:
        """Whether a function does something only where it is called, run as a test or asked for by its name."""
        return self._is_calm(function) and not any(_applies_by_itself(fixture, self) for fixture in _fixtures(function))

    def _is_calm(self, node: Function | ast.ClassDef) -> bool:
        """Whether nothing happens when the definition is read."""
        arguments = [] if isinstance(node, ast.ClassDef) else [*node.args.defaults, *node.args.kw_defaults]
        return all(is_plain(value) for value in arguments) and all(
            self._is_known_decorator(decorator) for decorator in node.decorator_list
        )

    def _is_known_decorator(self, node: ast.expr) -> bool:
        name = decorator_name(node)
        if not name or not (name in self.decorators or _DECORATORS.fullmatch(name)):
            return False
        given = [*node.args, *(keyword.value for keyword in node.keywords)] if isinstance(node, ast.Call) else []
        return all(is_plain(value) for value in given)

    def _stands_alone(self, node: ast.ClassDef) -> bool:
        """A new class may prepare its own tests as it likes."""
        return (
            not node.keywords
            and all(map(dotted, node.bases))
            and self._is_calm(node)
            and all(self._may_stand_in_new_class(statement) for statement in node.body)
        )

    def _may_stand_in_new_class(self, statement: ast.stmt) -> bool:
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                return self._is_calm(statement)
            case ast.ClassDef():
                return self._stands_alone(statement)
            case ast.Assign(targets=[ast.Name()], value=value) | ast.AnnAssign(target=ast.Name(), value=value):
                return is_plain(value)
            case _:
                return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _applies_by_itself(decorator: ast.expr, names: Names) -> bool:
    """``@pytest.fixture(autouse=True)``, or a fixture that goes by another name than its function."""
    if not isinstance(decorator, ast.Call):
        return False
    for keyword in decorator.keywords:
        value = keyword.value.value if isinstance(keyword.value, ast.Constant) else None
        if keyword.arg is None or (keyword.arg == "autouse" and value is not False):
            return True
        if keyword.arg == "name" and not (isinstance(value, str) and names.is_free(value)):
            return True
    return bool(decorator.args)


def is_calm_decorator(node: ast.expr) -> bool:
    """Whether it is one that only marks, and applies to nothing but what it stands at."""
    name = decorator_name(node)
    if not _DECORATORS.fullmatch(name):
        return False
    keywords = node.keywords if isinstance(node, ast.Call) else []
    given = [*(node.args if isinstance(node, ast.Call) else ()), *(keyword.value for keyword in keywords)]
    reaches = name.endswith("fixture") and any(keyword.arg in (None, "autouse", "name") for keyword in keywords)
    return not reaches and all(is_plain(value) for value in given)


def _fixtures(function: Function) -> list[ast.expr]:
    return [decorator for decorator in function.decorator_list if decorator_name(decorator).endswith("fixture")]


def decorator_name(node: ast.expr) -> str:
    return dotted(node.func if isinstance(node, ast.Call) else node)


def _names(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name) | ast.arg(arg=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield name
        case ast.ClassDef(name=name):
            yield name
        case ast.alias(name=name, asname=other):
            yield (other or name).partition(".")[0]
        case ast.Constant(value=str(text)) if re.fullmatch(r"[\w.:]+", text):
            yield from re.split(r"[.:]+", text)  # of usefixtures("shop") or patch("tests.test_shop.now")


def _defined(statement: ast.stmt) -> Iterator[str]:
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Assign(targets=targets):
            yield from (node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name))
        case ast.AnnAssign(target=ast.Name(id=name)):
            yield name


def _tables(nodes: list[ast.AST]) -> frozenset[str]:
    loaded = [node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    rows = [
        node.args[1].id
        for node in nodes
        if isinstance(node, ast.Call)
        and decorator_name(node).endswith("parametrize")
        and len(node.args) > 1
        and isinstance(node.args[1], ast.Name)
    ]
    return frozenset(name for name in rows if rows.count(name) == loaded.count(name))
