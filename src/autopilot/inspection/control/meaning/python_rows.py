"""A test under ``parametrize`` as single tests, with the values of each row written into its body."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator, Sequence

from autopilot.inspection.control.meaning.python_plain import dotted

Function = ast.FunctionDef | ast.AsyncFunctionDef
Table = Callable[[str], ast.expr | None]  # by the name of a variable: the list that it stands for
_MOST = 500


def as_rows(test: Function, table: Table) -> Iterator[Function]:
    """The test itself where its rows are not written out."""
    for place, decorator in enumerate(test.decorator_list):
        rows = _rows(decorator, table)
        if rows is None or len(rows[1]) > _MOST:
            continue
        columns, values = rows
        for row in values:
            single = _with_values(test, place, columns, row)
            yield from as_rows(single, table)
        return
    yield copy.deepcopy(test)


def _rows(decorator: ast.expr, table: Table) -> tuple[list[str], list[list[ast.expr]]] | None:
    match decorator:
        case ast.Call(func=ast.Attribute(attr="parametrize"), args=[columns, given]) if _only_ids(decorator.keywords):
            rows = table(given.id) if isinstance(given, ast.Name) else given
            names = _columns(columns)
            if not names or not isinstance(rows, ast.List | ast.Tuple):
                return None
            values = [_values(row, len(names)) for row in rows.elts]
            return (names, [row for row in values if row is not None]) if None not in values else None
        case _:
            return None


def _columns(node: ast.expr) -> list[str]:
    match node:
        case ast.Constant(value=str(text)):
            return [name.strip() for name in text.split(",") if name.strip()]
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
        case _:
            return []


def _values(row: ast.expr, width: int) -> list[ast.expr] | None:
    """None for a row with marks: it may be skipped or expected to fail."""
    if isinstance(row, ast.Call) and dotted(row.func).rpartition(".")[2] == "param":
        return list(row.args) if _only_ids(row.keywords) and len(row.args) == width else None
    if width == 1:
        return [row]
    parts = list(row.elts) if isinstance(row, ast.Tuple | ast.List) else []
    return parts if len(parts) == width and not any(isinstance(part, ast.Starred) for part in parts) else None


def _only_ids(keywords: Sequence[ast.keyword]) -> bool:
    return all(keyword.arg in ("id", "ids") for keyword in keywords)


def _with_values(test: Function, place: int, columns: list[str], row: list[ast.expr]) -> Function:
    single = copy.deepcopy(test)
    del single.decorator_list[place]
    single.args.args = [arg for arg in single.args.args if arg.arg not in columns]
    known = dict(zip(columns, row, strict=False))
    for statement in single.body:
        _put(statement, known)
    return single


def _put(node: ast.AST, known: dict[str, ast.expr]) -> ast.AST:
    """The part with these values in place of the names."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in known:
        return copy.deepcopy(known[node.id])
    for field, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            setattr(node, field, _put(value, known))
        elif isinstance(value, list):
            setattr(node, field, [_put(part, known) if isinstance(part, ast.AST) else part for part in value])
    return node
