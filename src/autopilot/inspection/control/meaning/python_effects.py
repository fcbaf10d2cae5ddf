"""What happens when a Python test file is loaded, or applies to its tests without being asked for."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from autopilot.inspection.control.meaning.python_additions import STEERING, decorator_name, is_calm_decorator
from autopilot.inspection.control.meaning.python_plain import dotted, is_plain

Function = ast.FunctionDef | ast.AsyncFunctionDef


def has_effect(statement: ast.stmt) -> bool:
    match statement:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            given = [*statement.args.defaults, *statement.args.kw_defaults]
            return bool(STEERING.fullmatch(statement.name)) or not _is_calm(statement.decorator_list, given)
        case ast.ClassDef():
            given = [keyword.value for keyword in statement.keywords]
            return bool(statement.keywords) or not _is_calm(statement.decorator_list, given) or _acts(statement.body)
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=value) | ast.AnnAssign(target=ast.Name(id=name), value=value)
        ):
            return bool(STEERING.fullmatch(name)) or not is_plain(value)
        case ast.ImportFrom(names=names):
            return any(alias.name == "*" for alias in names)
        case ast.Import() | ast.Pass():
            return False
        case _:
            return not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))


def is_for_types(statement: ast.stmt) -> bool:
    """``if TYPE_CHECKING:`` with imports is read by a type checker alone."""
    if not isinstance(statement, ast.If) or statement.orelse:
        return False
    is_asked = dotted(statement.test).rpartition(".")[2] == "TYPE_CHECKING"
    return is_asked and all(isinstance(inner, ast.Import | ast.ImportFrom) for inner in statement.body)


def bound_by(statement: ast.stmt, place: Sequence[str]) -> Iterator[tuple[str, str | ast.stmt]]:
    """The names that a statement binds, with what they stand for: an import by its source, else the statement."""
    match statement:
        case ast.Import(names=names):
            yield from ((alias.asname or alias.name.partition(".")[0], f"import {alias.name}") for alias in names)
        case ast.ImportFrom(module=module, names=names, level=level):
            source = ".".join([*place[: len(place) - level], module or ""]) if level else module
            yield from ((alias.asname or alias.name, f"from {source} import {alias.name}") for alias in names)
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name, statement
        case ast.Assign(targets=targets):
            bound = [n.id for target in targets for n in ast.walk(target) if isinstance(n, ast.Name)]
            yield from ((name, statement) for name in bound)
        case _:
            stored = [n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
            yield from ((name, statement) for name in stored)


def _acts(body: Sequence[ast.stmt]) -> bool:
    """Of a class: what prepares its own tests is read with them, so only what runs at once counts."""
    return any(has_effect(inner) for inner in body if not _prepares(inner))


def _prepares(statement: ast.stmt) -> bool:
    return isinstance(statement, Function) and all(
        decorator_name(decorator).endswith("fixture") or is_calm_decorator(decorator)
        for decorator in statement.decorator_list
    )


def _is_calm(decorators: Sequence[ast.expr], given: Sequence[ast.expr | None]) -> bool:
    return all(is_calm_decorator(decorator) for decorator in decorators) and all(is_plain(value) for value in given)
